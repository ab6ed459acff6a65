import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { decodeId } from '../../src/kit/ids.ts';
import { makeProgram } from '../../src/loyalty/account.fixture.ts';
import { connectShop, newOrder } from '../../src/stores/stores.fixture.ts';
import type { Client, Json } from '../client.ts';
import type { TestApp } from '../harness.ts';

/** A shop with a pass whose cards lie in every wallet, and a store. */
export interface QueueShop {
  readonly client: Client;
  readonly passId: string;
  readonly workspaceId: string;
  /** UUIDs. */
  readonly ids: { readonly workspace: string; readonly pass: string; readonly store: string };
  /** How many rows of each kind have been added so far. */
  readonly counts: { cards: number; invites: number; webhooks: number };
}

const points = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, earn: { perCurrencyUnit: 1 } };

/** Opens a workspace with this many credits. */
export async function openQueueShop(app: TestApp, credits: number): Promise<QueueShop> {
  const { client, workspaceId } = await app.newWorkspace('pro', credits);
  const { pass } = await makeProgram(client, points);
  const { storeId } = await connectShop(client, { passId: pass.passId });
  const ids = {
    workspace: uuidOf('ws', workspaceId),
    pass: uuidOf('pass', pass.passId),
    store: uuidOf('store', storeId),
  };
  return { client, passId: pass.passId, workspaceId, ids, counts: { cards: 0, invites: 0, webhooks: 0 } };
}

function uuidOf(prefix: string, id: string): string {
  return decodeId(prefix, id) ?? assert.fail(`${id} is no ${prefix}`);
}

/**
 * Adds cards, two on each device, each with an object that a holder keeps at Google and two web cards, one of which takes
 * pushes; as the service would have made them, and without statistics.
 */
export async function addCards(
  app: TestApp,
  { ids, counts }: QueueShop,
  count: number,
  pushHost: string,
): Promise<void> {
  const from = counts.cards;
  const { passTypeIdentifier } = app.running.app.apple;
  const values = [ids.workspace, ids.pass, from, from + count];
  const numbers =
    "(select n, md5('card' || n || $2)::uuid as id from generate_series($3::int, $4::int - 1) n) as c";
  const deviceId = "md5('device' || n / 2 || $2)::uuid";
  const statements: [text: string, ...more: unknown[]][] = [
    [
      `insert into instances (workspace_id, instance_id, pass_id, status, barcode, addressable, installed, apple_wallets,
         google_wallets, web_wallets, fields, metadata, link_secret, authentication_token, pass_revision, modified_at, created_at)
       select $1::uuid, id, p.pass_id, 'active', id::text, true, true, 1, 1, 2, '{}', '{}', uuid_send(id), md5('token' || n),
         p.revision, p.modified_at, now()
       from ${numbers} cross join passes p where p.workspace_id = $1::uuid and p.pass_id = $2::text::uuid`,
    ],
    [
      `insert into apple_devices (workspace_id, device_id, device_library_identifier, pass_type_identifier, push_token,
         registered_at, tag, push_from)
       select $1::uuid, ${deviceId}, 'device-' || n / 2 || $2::text, $5, encode(sha256(convert_to(n || $2, 'UTF8')), 'hex'),
         now(), 1, now() - interval '1 day'
       from ${numbers} where n % 2 = 0`,
      passTypeIdentifier,
    ],
    [
      `insert into apple_registrations (workspace_id, instance_id, device_id, created_at)
       select $1::uuid, id, ${deviceId}, now() from ${numbers} where $2::text is not null`,
    ],
    [
      `insert into google_objects (workspace_id, instance_id, saved) select $1::uuid, id, true
       from ${numbers} where $2::text is not null`,
    ],
    [
      `insert into web_cards (workspace_id, instance_id, viewer_id, push_endpoint, expires_at)
       select $1::uuid, id, md5('viewer' || v || n)::uuid, case v when 1 then 'https://' || $5 || '/send/' || n end, 'infinity'
       from ${numbers} cross join generate_series(1, 2) v where $2::text is not null`,
      pushHost,
    ],
    [
      `insert into pass_counters (workspace_id, pass_id, shard, issued, installed)
       select $1::uuid, $2::text::uuid, 0, $4::int, $4::int where $3::int >= 0
       on conflict (workspace_id, pass_id, shard) do update
       set issued = pass_counters.issued + excluded.issued, installed = excluded.installed`,
    ],
  ];
  for (const [text, ...more] of statements) await app.sql(text, [...values, ...more]);
  counts.cards += count;
}

/** Adds invitations that are due, or whose worker was lost while it sent them. */
export async function addInvites(
  app: TestApp,
  { ids, counts }: QueueShop,
  count: number,
  status: 'queued' | 'sending' = 'queued',
): Promise<void> {
  await app.sql(
    `insert into invites (workspace_id, invite_id, pass_id, email, email_hash, link_secret, status, due_at, created_at)
     select $1, md5('invite' || n || $2)::uuid, $2::text::uuid, n || '@example.test', sha256(convert_to(n::text, 'UTF8')),
       uuid_send(gen_random_uuid()), $5, $6, $6
     from generate_series($3::int, $4::int - 1) n`,
    [ids.workspace, ids.pass, counts.invites, counts.invites + count, status, app.running.app.now()],
  );
  counts.invites += count;
}

/** Adds webhooks that are due: orders of customers who have no card yet. */
export async function addWebhooks(app: TestApp, { ids, counts }: QueueShop, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => counts.webhooks + n);
  const bodies = numbers.map((n) =>
    newOrder(String(n), { customer: { id: String(n), email: `c${n}@example.test` } }),
  );
  await app.sql(
    `insert into store_webhooks (workspace_id, store_id, webhook_id, delivery_id, topic, body, received_at, due_at)
     select $1, $2, gen_random_uuid(), md5(body), 'order', convert_to(body, 'UTF8'), $4, $4 from unnest($3::text[]) as body`,
    [ids.workspace, ids.store, bodies, app.running.app.now()],
  );
  counts.webhooks += count;
}

/** Changes what all cards of the shop show. */
export async function changeDesign({ client, passId }: QueueShop): Promise<void> {
  const fields = [{ key: 'tier', label: randomUUID().slice(0, 8), value: 'Bronze', section: 'secondary' }];
  const { status, text }: Json = await client.patch(`/passes/${passId}`, { fields });
  assert.equal(status, 200, text);
}

import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { newUuidV7 } from '../src/kit/ids.ts';
import type { Load } from './load-plan.ts';
import { Record } from './record.ts';

/** A connection that sends prepared statements and nothing else. */
export type BareClient = pg.Client;

/** Keeps every client busy for `ms`, one operation at a time each. */
export async function bareLoad(
  clients: readonly BareClient[],
  ms: number,
  operation: (client: BareClient) => Promise<void>,
): Promise<Load> {
  const record = new Record();
  const end = performance.now() + ms;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        const at = performance.now();
        await operation(client);
        record.add(200, at, performance.now());
      }
    }),
  );
  return { ...record.summarize(), statuses: new Map() };
}

/** The rows that issuing one card leaves, in one transaction: claim, card, holder, first event, count, kept answer. */
export async function bareIssue(client: BareClient, workspaceId: string, passId: string): Promise<void> {
  const id = randomBytes(8).toString('hex');
  const instanceId = newUuidV7();
  const now = new Date();
  await client.query('begin');
  await run(client, 'claim', claimSql, [workspaceId, id, fingerprint, id]);
  await run(client, 'hold', holdSql, [workspaceId, passId]);
  await run(client, 'present', presentSql, [workspaceId, id, passId]);
  const barcode = randomBytes(10).toString('hex');
  await run(client, 'card', cardSql, [
    workspaceId,
    instanceId,
    passId,
    barcode,
    randomBytes(16),
    barcode,
    now,
  ]);
  await run(client, 'holder', holderSql, [
    workspaceId,
    instanceId,
    passId,
    id,
    'Ada Lovelace',
    `${id}@example.com`,
  ]);
  await run(client, 'event', eventSql, [
    workspaceId,
    instanceId,
    newUuidV7(),
    `{"op":"issueInstance","key":"${id}"}`,
    now,
  ]);
  await run(client, 'count', countSql, [workspaceId, passId, Math.floor(Math.random() * 16)]);
  await run(client, 'keep', keepSql, [workspaceId, id, answer]);
  await client.query('commit');
}

/** One prepared SELECT of everything that the answer of a look-up shows. */
export async function bareLookUp(client: BareClient, workspaceId: string, barcode: string): Promise<void> {
  const { rowCount } = await run(client, 'look-up', lookUpSql, [workspaceId, barcode]);
  if (rowCount !== 1) throw new Error(`barcode ${barcode} matches ${rowCount} rows`);
}

function run(client: BareClient, name: string, text: string, values: unknown[]): Promise<pg.QueryResult> {
  return client.query({ name, text, values });
}

const fingerprint = randomBytes(32);
/** As long as the answer that the service keeps. */
const answer = JSON.stringify({ text: 'x'.repeat(1_050) });

const claimSql = `insert into operation_claims (workspace_id, operation, key, fingerprint, request_id)
  values ($1, 'issueInstance', $2, $3, $4) on conflict do nothing`;
const holdSql = 'select * from passes where workspace_id = $1 and pass_id = $2 for key share';
const presentSql =
  'select instance_id from holders where workspace_id = $1 and identifier = $2 and pass_id = $3 and current';
const cardSql = `insert into instances (workspace_id, instance_id, pass_id, status, barcode, addressable, fields, metadata,
    link_secret, authentication_token, pass_revision, modified_at, created_at)
  values ($1, $2, $3, 'active', $4, true, '{}', '{}', $5, $6, 1, $7, $7)`;
const holderSql = `insert into holders (workspace_id, instance_id, pass_id, identifier, name, email)
  values ($1, $2, $3, $4, $5, $6)`;
const eventSql = `insert into instance_events (workspace_id, instance_id, event_id, kind, detail, created_at)
  values ($1, $2, $3, 'instance.issued', $4, $5)`;
const countSql = `insert into pass_counters as c (workspace_id, pass_id, shard, issued) values ($1, $2, $3, 1)
  on conflict (workspace_id, pass_id, shard) do update set issued = c.issued + 1`;
const keepSql = `update operation_claims set status = 201, body = $3
  where workspace_id = $1 and operation = 'issueInstance' and key = $2`;
const lookUpSql = `select i.*, p.fields as pass_fields, p.expiry as pass_expiry, p.barcode_mode, p.barcode_value,
    h.identifier, h.name, h.email, h.phone, h.locale
  from instances i
  join passes p on p.workspace_id = i.workspace_id and p.pass_id = i.pass_id
  left join holders h on h.workspace_id = i.workspace_id and h.instance_id = i.instance_id
  where i.workspace_id = $1 and i.barcode = $2`;

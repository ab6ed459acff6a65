import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Cards of a pass that are installed on devices, made by SQL as the service would have made them. */
export interface Filling {
  /** UUIDs. */
  readonly workspaceId: string;
  readonly passId: string;
  readonly passTypeIdentifier: string;
  readonly cards: number;
  /** Card n lies on device n modulo this. */
  readonly devices: number;
  /** Each card has changed once since it was installed, and the tag of its device is that of this change. */
  readonly haveChanged?: boolean;
}

/** The push token of device `n`, and its library identifier. */
export function deviceOf(n: number): { pushToken: string; deviceLibraryIdentifier: string } {
  const pushToken = createHash('sha256').update(String(n)).digest('hex');
  return { pushToken, deviceLibraryIdentifier: `device-${n}` };
}

const cardsPerStatement = 50_000;

/** Fills the database; a workspace's first cards only, since the counts are set, not added to. */
export async function fillInstalledCards(pool: pg.Pool, filling: Filling): Promise<void> {
  const { workspaceId, passId, passTypeIdentifier, cards, devices, haveChanged = false } = filling;
  await pool.query(
    `with device as (
       insert into apple_devices
         (workspace_id, device_id, device_library_identifier, pass_type_identifier, push_token, registered_at, tag, push_from)
       select $3, gen_random_uuid(), 'device-' || n, $1, encode(sha256(convert_to(n::text, 'UTF8')), 'hex'), now(), 1,
         now() - interval '1 hour'
       from generate_series(0, $2::int - 1) n
     )
     insert into apple_device_workspaces (device_library_identifier, pass_type_identifier, workspace_ids)
     select 'device-' || n, $1, array[$3::uuid] from generate_series(0, $2::int - 1) n`,
    [passTypeIdentifier, devices, workspaceId],
  );
  for (let from = 0; from < cards; from += cardsPerStatement) {
    await pool.query(
      `with cards as (
         select n, ($1::text || lpad(to_hex(n), 12, '0'))::uuid as instance_id, md5('token' || n) as token
         from generate_series($4::bigint, $5::bigint - 1) n
       ), instance as (
         insert into instances (workspace_id, instance_id, pass_id, status, barcode, addressable, installed,
           apple_wallets, fields, metadata, link_secret, authentication_token, pass_revision, modified_at, created_at)
         select $2, instance_id, $3, 'active', upper(substr(token, 1, 16)), true, true, 1, '{}', '{}',
           uuid_send(gen_random_uuid()), token, p.revision, p.modified_at, now()
         from cards join passes p on p.workspace_id = $2 and p.pass_id = $3
       ), event as (
         insert into instance_events (workspace_id, instance_id, event_id, kind, created_at)
         select $2, instance_id, gen_random_uuid(), 'instance.issued', now() from cards
       )
       insert into apple_registrations (workspace_id, instance_id, device_id, tag, created_at)
       select $2, c.instance_id, d.device_id, case when $7 then d.tag else 0 end, now()
       from cards c join apple_devices d on d.workspace_id = $2 and d.device_library_identifier = 'device-' || c.n % $6::int`,
      [
        idPrefix(passId),
        workspaceId,
        passId,
        from,
        Math.min(from + cardsPerStatement, cards),
        devices,
        haveChanged,
      ],
    );
  }
  await pool.query(
    `insert into pass_counters (workspace_id, pass_id, shard, issued, installed) values ($1, $2, 0, $3, $3)
     on conflict (workspace_id, pass_id, shard) do update set issued = $3, installed = $3`,
    [workspaceId, passId, cards],
  );
  await pool.query(
    'vacuum (analyze) instances, instance_events, apple_devices, apple_device_workspaces, apple_registrations, pass_counters',
  );
  await pool.query('checkpoint');
}

/** The id of card `n` of a pass. */
export function cardIdOf(passId: string, n: number): string {
  return `${idPrefix(passId)}${n.toString(16).padStart(12, '0')}`;
}

/** What a device shows for card `n`. */
export function tokenOf(n: number): string {
  return createHash('md5').update(`token${n}`).digest('hex');
}

/** Version 7, as of the pass; its last twelve digits make room for the number of the card. */
function idPrefix(passId: string): string {
  return passId.slice(0, 24);
}

import type { Page } from '../engine/page.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, type Sql, sql } from '../kit/db/sql.ts';
import type { LockedPass, PassKey, PassRow } from './pass-row.ts';

export interface PassCounts {
  readonly issued: number;
  readonly installed: number;
  readonly voided: number;
  readonly pooled: number;
  readonly assigned: number;
}

/** A pass of which no card was issued. */
export const noCounts: PassCounts = { issued: 0, installed: 0, voided: 0, pooled: 0, assigned: 0 };

/** Which of the counters of a pass move, and by how much. */
export type CountChange = Partial<PassCounts>;

/** By how much the counters of a pass move. */
export interface CountsMove {
  readonly workspaceId: string;
  readonly passId: string;
  readonly by: PassCounts;
}

export function findPassOf(db: Db, workspaceId: string, passId: string): Promise<PassRow | undefined> {
  return prepared<PassRow>`
    select * from passes where pass_id = ${passId} and workspace_id = ${workspaceId}
  `.first(db);
}

/** A pass by its id, whatever workspace owns it: for a caller without a workspace, or one that has looked in its own first. */
export function findPassAnywhere(db: Db, passId: string): Promise<PassRow | undefined> {
  return prepared<PassRow>`select * from passes where pass_id = ${passId}`.first(db);
}

/**
 * Locks a pass against a change of its design until the end of the transaction, and reads it. Several callers may
 * hold it at a time; all pass its gate first, where a caller of `lockPassAlone` is before those who come later.
 */
export async function lockPass(tx: Tx, workspaceId: string, passId: string): Promise<LockedPass | undefined> {
  const [, { rows }] = await Promise.all([
    sql`
      select pg_advisory_xact_lock_shared(${gateSpace}, hashtext(pass_id::text)) from passes
      where workspace_id = ${workspaceId} and pass_id = ${passId}
    `.execute(tx),
    // Apart, so that a transaction that has waited for the lock sees what the other one wrote.
    prepared<LockedPass>`
      select p.*, (
        select json_build_object('mode', g.mode, 'currency', g.currency, 'launchedAt', g.launched_at, 'tiers', g.tiers)
        from programs g where g.workspace_id = ${workspaceId} and g.program_id = p.program_id
      ) as program
      from passes p
      where p.workspace_id = ${workspaceId} and p.pass_id = ${passId}
      for key share of p
    `.execute(tx),
  ]);
  return rows[0];
}

/**
 * Any constant that no other advisory lock of two numbers begins with. The gate is asked for by the row of its pass: on a
 * cluster it is the node's that has it, whichever way a transaction comes.
 */
const gateSpace = 7_052_019;

/**
 * Waits until no other transaction issues from the pass, then locks it until this one ends. Row locks alone would let
 * those who issue overtake this wait for ever.
 */
export async function lockPassAlone(
  tx: Tx,
  workspaceId: string,
  passId: string,
): Promise<PassRow | undefined> {
  await sql`
    select pg_advisory_xact_lock(${gateSpace}, hashtext(pass_id::text)) from passes
    where workspace_id = ${workspaceId} and pass_id = ${passId}
  `.execute(tx);
  // Not a stronger lock: transactions that add to the pass have its key lock, and may wait for the lock above next.
  return sql<PassRow>`
    select * from passes where workspace_id = ${workspaceId} and pass_id = ${passId} for no key update
  `.first(tx);
}

/** Newest first. `passIds` limits the list to those passes. */
export async function listPasses(
  db: Db,
  workspaceId: string,
  filter: { status: string | undefined; passIds: readonly string[] | null },
  { after, take }: Page,
): Promise<PassRow[]> {
  let query = db.selectFrom('passes').selectAll().where('workspaceId', '=', workspaceId);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.passIds !== null) query = query.where('passId', 'in', filter.passIds);
  if (after !== null) query = query.where('passId', '<', after);
  return (await query.orderBy('passId', 'desc').limit(take).execute()) as unknown as PassRow[];
}

export function findPassesByBarcode(db: Db, workspaceId: string, barcodes: readonly string[]) {
  return prepared<{ passId: string; barcode: string }>`
    select pass_id, barcode_value as barcode
    from passes
    where workspace_id = ${workspaceId} and barcode_mode = 'simple'
      and barcode_value = any(${sql.list(barcodes, 'text')}::text[])
  `.rows(db);
}

export async function insertPass(tx: Tx, row: PassRow): Promise<void> {
  await tx
    .insertInto('passes')
    .values({ ...row, ...jsonColumns(row) })
    .execute();
}

export async function replacePass(tx: Tx, row: PassRow): Promise<void> {
  const { workspaceId, passId, ...columns } = row;
  await tx
    .updateTable('passes')
    .set({ ...columns, ...jsonColumns(row) })
    .where('workspaceId', '=', workspaceId)
    .where('passId', '=', passId)
    .execute();
}

/** Which passes a change concerns: all, those with more places than a card shows, or those whose cards readers take by NFC. */
export type Concerned = 'all' | 'chains' | 'nfc';

const isConcerned = {
  all: sql`true`,
  chains: sql`more_locations > 0`,
  nfc: sql`wallet_options ->> 'nfc' is not null`,
} satisfies Record<Concerned, Sql>;

/** A new revision of the passes, later than the one before. Their ids. */
export async function restampAll(tx: Tx, workspaceId: string, at: Date, which: Concerned): Promise<string[]> {
  const { rows } = await sql<{ passId: string }>`
    update passes
    set revision = revision + 1, modified_at = greatest(${at}, ${later(0.001)})
    where workspace_id = ${workspaceId} and ${isConcerned[which]}
    returning pass_id
  `.execute(tx);
  return rows.map((row) => row.passId);
}

/** So many seconds after the last change. An interval would be added in the time zone of the session, which a cluster refuses. */
function later(seconds: number) {
  return sql`to_timestamp(extract(epoch from modified_at - timestamptz 'epoch')::float8 + ${seconds}::float8)`;
}

/** Makes all copies of all passes' cards old, wherever they are. */
export async function restampEverywhere(tx: Tx, at: Date): Promise<void> {
  await sql`
    update passes set modified_at = greatest(${at}::timestamptz, ${later(1)})
  `.execute(tx);
}

export async function deletePassRow(tx: Tx, workspaceId: string, passId: string): Promise<void> {
  await tx.deleteFrom('passes').where('workspaceId', '=', workspaceId).where('passId', '=', passId).execute();
}

/** How many drafts the workspace holds. Exact while the workspace is locked. */
export async function countDrafts(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from passes where workspace_id = ${workspaceId} and status = 'draft'
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** The counts of passes, summed over their shards; a pass without any is absent. */
export async function countsOf(
  db: Db,
  workspaceId: string,
  passIds: readonly string[],
): Promise<Map<string, PassCounts>> {
  if (passIds.length === 0) return new Map();
  const { rows } = await sql<PassCounts & { passId: string }>`
    select pass_id, sum(issued)::bigint as issued, sum(installed)::bigint as installed,
      sum(voided)::bigint as voided, sum(pooled)::bigint as pooled, sum(assigned)::bigint as assigned
    from pass_counters
    where workspace_id = ${workspaceId} and pass_id = any(${passIds}::uuid[])
    group by pass_id
  `.execute(db);
  return new Map(rows.map(({ passId, ...counts }) => [passId, counts]));
}

/** The counts of one pass. */
export async function countsOfPass(db: Db, { workspaceId, passId }: PassKey): Promise<PassCounts> {
  return (await countsOf(db, workspaceId, [passId])).get(passId) ?? noCounts;
}

/**
 * Moves the counters of passes, each in one of its shards, in the order of their ids. A caller that moves them twice in a
 * transaction may meet a deadlock.
 */
export async function moveCounts(tx: Tx, moves: readonly CountsMove[]): Promise<void> {
  const sorted = [...moves].sort((a, b) => (a.passId < b.passId ? -1 : 1));
  const shards = sorted.map(() => Math.floor(Math.random() * counterShards));
  const column = (name: keyof PassCounts) => sorted.map(({ by }) => by[name]);
  await prepared`
    insert into pass_counters as c (workspace_id, pass_id, shard, issued, installed, voided, pooled, assigned)
    select * from unnest(
      ${sorted.map(({ workspaceId }) => workspaceId)}::uuid[], ${sorted.map(({ passId }) => passId)}::uuid[],
      ${shards}::smallint[], ${column('issued')}::bigint[], ${column('installed')}::bigint[],
      ${column('voided')}::bigint[], ${column('pooled')}::bigint[], ${column('assigned')}::bigint[]
    )
    on conflict (workspace_id, pass_id, shard) do update set
      issued = c.issued + excluded.issued,
      installed = c.installed + excluded.installed,
      voided = c.voided + excluded.voided,
      pooled = c.pooled + excluded.pooled,
      assigned = c.assigned + excluded.assigned
  `.execute(tx);
}

const counterShards = 16;

function jsonColumns(row: PassRow) {
  return {
    expiry: JSON.stringify(row.expiry),
    fields: JSON.stringify(row.fields),
    colors: JSON.stringify(row.colors),
    images: JSON.stringify(row.images),
    locations: JSON.stringify(row.locations),
    beacons: JSON.stringify(row.beacons),
    dates: JSON.stringify(row.dates),
    actions: JSON.stringify(row.actions),
    modules: JSON.stringify(row.modules),
    walletOptions: JSON.stringify(row.walletOptions),
    stampLook: JSON.stringify(row.stampLook),
    metadata: JSON.stringify(row.metadata),
    translations: JSON.stringify(row.translations),
    joinForm: row.joinForm && JSON.stringify(row.joinForm),
  };
}

/** How many of the passes belong to the workspace. */
export async function countOwnPasses(
  db: Db,
  workspaceId: string,
  passIds: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from passes
    where workspace_id = ${workspaceId} and pass_id = any(${passIds}::uuid[])
  `.execute(db);
  return rows[0]?.count ?? 0;
}

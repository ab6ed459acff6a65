import type { Db } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import { firstId, firstIdSince, lastId } from '../kit/ids.ts';
import type { EntryKind } from './account.ts';
import { describedIn, type EntryRow, view } from './entries.sql.ts';

/** Which entries are asked for; null: all. */
export interface EntryFilter {
  readonly kinds: readonly EntryKind[] | null;
  readonly externalRef: string | null;
  readonly orderId: string | null;
  /** UUIDs. */
  readonly partnerId: string | null;
  readonly deviceId: string | null;
  /** The public id of a person who made them. */
  readonly personId: string | null;
  readonly createdAfter: Date | null;
  readonly createdBefore: Date | null;
}

const allKinds: readonly EntryKind[] = [
  'earn',
  'redeem',
  'unlock',
  'cancel',
  'expire',
  'adjust',
  'correction',
  'import',
  'reversal',
];

/** The entries of an account, newest first, below the number `before`. */
export function listEntriesOfAccount(
  db: Db,
  { workspaceId, accountId }: { readonly workspaceId: string; readonly accountId: string },
  filter: EntryFilter,
  before: number | null,
  take: number,
): Promise<EntryRow[]> {
  const { from, to } = idsOf(filter, null);
  const entries = sql`
    select * from loyalty_entries
    where account_id = ${accountId} and seq < ${before ?? Number.MAX_SAFE_INTEGER} and workspace_id = ${workspaceId}
      and entry_id >= ${from} and entry_id < ${to} and ${matches(filter)}`;
  return sql<EntryRow>`${firstOf(entries, workspaceId, 'seq', take)}`.rows(db);
}

/** The first of some entries, the greatest of a column first, with what they are shown with. */
function firstOf(entries: Sql, workspaceId: string, order: 'seq' | 'entryId', take: number): Sql {
  return sql`
    select ${view}
    from (
      ${entries}
      order by ${sql.ref(order)} desc
      limit ${take}
    ) as e ${describedIn(workspaceId)}
    order by ${sql.ref(`e.${order}`)} desc`;
}

interface OfProgram {
  readonly workspaceId: string;
  readonly programId: string;
}

/** The entries of a program, newest first, below the id `before`. */
export function listEntriesOfProgram(
  db: Db,
  program: OfProgram,
  filter: EntryFilter,
  before: string | null,
  take: number,
): Promise<EntryRow[]> {
  const entries = sql`select * from (${pageOf(program, filter, before, take)}) as found`;
  const page = firstOf(entries, program.workspaceId, 'entryId', take);
  return sql<EntryRow>`${page}`.rows(db);
}

/** Finds at least the first `take` entries by the index of the rarest property. */
function pageOf(program: OfProgram, filter: EntryFilter, before: string | null, take: number): Sql {
  const { workspaceId, programId } = program;
  const { kinds, externalRef, orderId, partnerId, deviceId, personId } = filter;
  const { from, to } = idsOf(filter, before);
  if (externalRef !== null || orderId !== null) {
    const named = externalRef === null ? sql`order_id = ${orderId}` : sql`external_ref = ${externalRef}`;
    return sql`
      select * from (
        select * from loyalty_entries where ${named} and workspace_id = ${workspaceId} offset 0
      ) as named
      where program_id = ${programId} and entry_id >= ${from} and entry_id < ${to} and ${matches(filter)}`;
  }
  if (deviceId !== null || personId !== null) {
    const [column, value, isOne] =
      deviceId === null
        ? [sql.ref('actor'), sql`${personId}::text`, sql.raw(String.raw`actor like 'person\_%'`)]
        : [sql.ref('deviceId'), sql`${deviceId}::uuid`, sql`device_id is not null`];
    return sql`
      select * from loyalty_entries
      where program_id = ${programId} and workspace_id = ${workspaceId} and ${isOne} and ${matches(filter)}
        and (${column}, entry_id) >= (${value}, ${from}::uuid) and (${column}, entry_id) < (${value}, ${to}::uuid)
      order by ${column} desc, entry_id desc
      limit ${take}`;
  }
  if (partnerId === null && kinds === null) {
    return sql`
      select * from loyalty_entries
      where program_id = ${programId} and entry_id >= ${from} and entry_id < ${to} and workspace_id = ${workspaceId}
      order by entry_id desc
      limit ${take}`;
  }
  const ofPartner = partnerId === null ? sql`true` : sql`partner_id = ${partnerId}`;
  // Pairs are compared, and are the order: so the planner has to use the index that has both.
  return sql`
    select page.*
    from unnest(${kinds ?? allKinds}::text[]) as k(kind)
    cross join lateral (
      select * from loyalty_entries
      where program_id = ${programId} and ${ofPartner} and workspace_id = ${workspaceId}
        and (kind, entry_id) >= (k.kind, ${from}::uuid) and (kind, entry_id) < (k.kind, ${to}::uuid)
      order by kind desc, entry_id desc
      limit ${take}
    ) as page`;
}

/** Conditions on entries besides when they were made. */
function matches({ kinds, externalRef, orderId, partnerId, deviceId, personId }: EntryFilter): Sql {
  const conditions = [
    kinds === null ? null : sql`kind = any(${kinds}::text[])`,
    externalRef === null ? null : sql`external_ref = ${externalRef}`,
    orderId === null ? null : sql`order_id = ${orderId}`,
    partnerId === null ? null : sql`partner_id = ${partnerId}`,
    deviceId === null ? null : sql`device_id = ${deviceId}`,
    personId === null ? null : sql`actor = ${personId}`,
  ].filter((condition) => condition !== null);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql.raw(' and '));
}

/** The ids of the entries that were made in the time asked for, of a program below `before`. */
function idsOf({ createdAfter, createdBefore }: EntryFilter, before: string | null) {
  const end = createdBefore === null ? lastId : firstIdSince(createdBefore);
  return {
    from: createdAfter === null ? firstId : firstIdSince(createdAfter),
    to: before === null || end < before ? end : before,
  };
}

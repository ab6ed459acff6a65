import type { Db } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import { type OrderRow, orderColumns, rowOf, type StoredOrder } from './orders.sql.ts';

/** A filter of a workspace's orders. */
export interface OrderFilter {
  readonly workspaceId: string;
  /** Orders of these passes only; null: of all, and those that have none yet. */
  readonly passIds: readonly string[] | null;
  readonly storeId: string | null;
  readonly instanceId: string | null;
  /** What customers know it by, folded. */
  readonly number: string | null;
  readonly states: readonly ListedState[];
  /** First known at this moment or later, and before that one. */
  readonly since: Date | null;
  readonly before: Date | null;
}

/** The status of an order as the indexes of lists have it: cancelled or not, with a card or waiting for one. */
export interface ListedState {
  readonly cancelled: boolean;
  readonly waiting: boolean;
}

/** Where a page of orders begins: behind this one. */
export interface OrderPlace {
  readonly createdAt: string;
  readonly source: string;
  readonly orderId: string;
}

/** An order of a list, with what was refunded of it, in minor units, and whether its store has edits followed. */
export interface ListedRow extends OrderRow {
  readonly holderName: string | null;
  readonly refunded: number;
  readonly followsEdits: boolean;
}

const holderName = sql`coalesce(h.name, h.email, h.phone, h.identifier)`;
/** Written as the indexes have it. */
const state = sql.raw('(cancelled::int + 2 * (instance_id is null)::int)');

/**
 * Orders, those that were first known last come first. The indexes of lists have states apart, so that few of one among
 * many of another are found as fast.
 */
export async function listOrderRows(
  db: Db,
  filter: OrderFilter,
  after: OrderPlace | null,
  take: number,
): Promise<ListedRow[]> {
  const { workspaceId, passIds, storeId } = filter;
  const states = filter.states.map(({ cancelled, waiting }) => Number(cancelled) + 2 * Number(waiting));
  const passes =
    passIds === null ? sql`` : sql`cross join unnest(${passIds}::uuid[]) as of_pass(wanted_pass_id)`;
  const { rows } = await sql<StoredOrder & Omit<ListedRow, keyof OrderRow>>`
    select o.*, coalesce(s.follows_edits, false) as follows_edits, h.name as holder_name, (
      select least(coalesce(sum(r.amount), 0), ${Number.MAX_SAFE_INTEGER})::bigint from order_refunds r
      where r.source = o.source and r.order_id = o.order_id and r.workspace_id = ${workspaceId}
        and r.currency = o.currency
    ) as refunded
    from (
      select o.*
      from unnest(${states}::int[]) as of_state(wanted_state) ${passes}
      cross join lateral (
        select ${orderColumns} from orders
        where ${sql.join(conditionsOf(filter, after), sql` and `)}
        order by created_at desc, ${storeId === null ? sql`source desc,` : sql``} order_id desc
        limit ${take}
      ) as o
      order by created_at desc, source desc, order_id desc
      limit ${take}
    ) as o
    left join lateral (
      select follows_edits from stores where store_id = o.source and workspace_id = ${workspaceId} limit 1
    ) as s on true
    left join lateral (
      select ${holderName} as name from holders h
      where h.instance_id = o.instance_id and h.workspace_id = ${workspaceId}
      limit 1
    ) as h on true
    order by o.created_at desc, o.source desc, o.order_id desc
  `.execute(db);
  return rows.map((row) => ({ ...row, ...rowOf(row) }));
}

function conditionsOf(
  { workspaceId, passIds, storeId, instanceId, number, since, before }: OrderFilter,
  after: OrderPlace | null,
): Sql[] {
  return [
    sql`workspace_id = ${workspaceId} and ${state} = of_state.wanted_state`,
    ...(instanceId === null ? [] : [sql`instance_id = ${instanceId}`]),
    ...(passIds === null ? [] : [sql`pass_id = of_pass.wanted_pass_id`]),
    // Of stores alone there are indexes by source: said as they say it.
    ...(storeId === null
      ? []
      : [sql`source = ${storeId} and source <> '00000000-0000-0000-0000-000000000000'`]),
    ...(number === null ? [] : [sql`folded_number = ${number}`]),
    ...(since === null ? [] : [sql`created_at >= ${since}`]),
    ...(before === null ? [] : [sql`created_at < ${before}`]),
    ...(after === null ? [] : [behind(after, storeId)]),
  ];
}

function behind({ createdAt, source, orderId }: OrderPlace, storeId: string | null): Sql {
  return storeId === null
    ? sql`(created_at, source, order_id) < (${createdAt}::timestamptz, ${source}::uuid, ${orderId})`
    : sql`(created_at, order_id) < (${createdAt}::timestamptz, ${orderId})`;
}

/** What the holder of a card is known by, the name first; null where there is none, or nothing is known. */
export async function findHolderName(
  db: Db,
  workspaceId: string,
  instanceId: string | null,
): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`
    select ${holderName} as name from holders h where workspace_id = ${workspaceId} and instance_id = ${instanceId}
  `.execute(db);
  return rows[0]?.name ?? null;
}

import type { Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { InstanceRow } from './instance-row.ts';

/** A change of a card that the caller holds; `shownAt` where the card shows it: its revision moves with it. */
interface Change {
  readonly row: Pick<InstanceRow, 'instanceId' | 'passRevision'>;
  readonly shownAt: Date | null;
}

/** Waits until nobody else changes the cards, in the order of their ids, then keeps them for the rest of the transaction. */
export async function holdInstanceRows(
  tx: Tx,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<void> {
  await sql`
    select held.*
    from (
      select distinct instance_id from unnest(${sql.list(instanceIds, 'uuid')}) as a(instance_id) order by instance_id
    ) as asked
    cross join lateral (
      select from instances
      where instance_id = asked.instance_id and workspace_id = ${workspaceId}
      for update
    ) as held
  `.execute(tx);
}

/** Sets the own values of cards, of which no two are the same. */
export async function saveFields(
  tx: Tx,
  workspaceId: string,
  changes: readonly (Change & { readonly fields: InstanceRow['fields'] })[],
): Promise<void> {
  if (changes.length === 0) return;
  const list = changes.map(({ fields }) => JSON.stringify(fields));
  await sql`
    update instances i
    set fields = c.fields, revision = i.revision + (c.shown_at is not null)::int,
      modified_at = coalesce(c.shown_at, i.modified_at),
      pass_revision = case when c.shown_at is null then i.pass_revision else c.pass_revision end
    from (
      select * from unnest(
        ${changes.map(({ row }) => row.instanceId)}::uuid[], ${list}::jsonb[],
        ${changes.map(({ shownAt }) => shownAt)}::timestamptz[], ${changes.map(({ row }) => row.passRevision)}::bigint[]
      ) as given(instance_id, fields, shown_at, pass_revision)
      limit ${changes.length}
    ) as c
    where i.instance_id = c.instance_id and i.workspace_id = ${workspaceId}
  `.execute(tx);
}

/** Voids cards, of which no two are the same: their holders may get new ones. */
export async function saveVoids(
  tx: Tx,
  workspaceId: string,
  voids: readonly (Change & { readonly voidedAt: Date; readonly voidReason: string | null })[],
): Promise<void> {
  if (voids.length === 0) return;
  const instanceIds = voids.map(({ row }) => row.instanceId);
  await Promise.all([
    sql`
      update instances i
      set status = 'voided', voided_at = c.voided_at, void_reason = c.void_reason, revision = i.revision + 1,
        modified_at = c.shown_at, pass_revision = c.pass_revision
      from (
        select * from unnest(
          ${instanceIds}::uuid[], ${voids.map(({ voidedAt }) => voidedAt)}::timestamptz[],
          ${voids.map(({ voidReason }) => voidReason)}::text[], ${voids.map(({ shownAt }) => shownAt)}::timestamptz[],
          ${voids.map(({ row }) => row.passRevision)}::bigint[]
        ) as given(instance_id, voided_at, void_reason, shown_at, pass_revision)
        limit ${voids.length}
      ) as c
      where i.instance_id = c.instance_id and i.workspace_id = ${workspaceId}
    `.execute(tx),
    sql`
      update holders h set current = null
      from (select * from unnest(${instanceIds}::uuid[]) as given(instance_id) limit ${voids.length}) as c
      where h.instance_id = c.instance_id and h.workspace_id = ${workspaceId}
    `.execute(tx),
  ]);
}

/** The columns of an instance that a change may set; its revision moves with it where `shown` says so. */
export async function changeInstance(
  tx: Tx,
  row: Pick<InstanceRow, 'workspaceId' | 'instanceId' | 'passRevision'>,
  change: {
    /** Made valid again: it tells no longer when and why it was voided. */
    status?: 'active';
    fields?: InstanceRow['fields'];
    metadata?: InstanceRow['metadata'];
    expiresAt?: Date | null;
    erasedAt?: Date;
    /** Forgotten. */
    voidReason?: null;
    barcode?: string;
  },
  shownAt: Date | null,
): Promise<void> {
  const { fields, metadata } = change;
  const columns = [
    ...(change.status === undefined
      ? []
      : [sql`status = ${change.status}, voided_at = null, void_reason = null`]),
    ...(fields === undefined ? [] : [sql`fields = ${JSON.stringify(fields)}`]),
    ...(metadata === undefined ? [] : [sql`metadata = ${JSON.stringify(metadata)}`]),
    ...(change.expiresAt === undefined ? [] : [sql`expires_at = ${change.expiresAt}`]),
    ...(change.erasedAt === undefined ? [] : [sql`erased_at = ${change.erasedAt}`]),
    ...(change.voidReason === undefined ? [] : [sql`void_reason = ${change.voidReason}`]),
    ...(change.barcode === undefined ? [] : [sql`barcode = ${change.barcode}`]),
    ...(shownAt === null
      ? []
      : [sql`revision = revision + 1, modified_at = ${shownAt}, pass_revision = ${row.passRevision}`]),
  ];
  if (columns.length === 0) return;
  await sql`
    update instances set ${sql.join(columns)}
    where workspace_id = ${row.workspaceId} and instance_id = ${row.instanceId}
  `.execute(tx);
}

import type { Tx } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import { foldCase } from '../kit/text/fold.ts';
import type { InstanceRow } from './instance-row.ts';

/** When a card is changed: `changedNow`. Where it shows the change, its revision moves with it. */
interface Moment {
  readonly at: Date;
  readonly shown: boolean;
}

/** A change of a card that the caller holds. */
interface Change extends Moment {
  readonly row: Pick<InstanceRow, 'instanceId' | 'passRevision'>;
}

/** Locks the cards in the order of their ids until the transaction ends; waits for other transactions that change them. */
export async function lockInstanceRows(
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

/** Sets the own values of cards. A statement for each, in one write: one for a list of them would read small tables whole. */
export async function saveFields(
  tx: Tx,
  workspaceId: string,
  changes: readonly (Change & { readonly fields: InstanceRow['fields'] })[],
): Promise<void> {
  await Promise.all(
    changes.map(({ row, fields, ...moment }) =>
      changeInstance(tx, { ...row, workspaceId }, { fields }, moment),
    ),
  );
}

/** Voids cards: their holders may get new ones. */
export async function saveVoids(
  tx: Tx,
  workspaceId: string,
  voids: readonly (Change & { readonly voidedAt: Date; readonly voidReason: string | null })[],
): Promise<void> {
  await Promise.all(
    voids.flatMap(({ row, at, shown, ...voided }) => [
      changeInstance(tx, { ...row, workspaceId }, { status: 'voided', ...voided }, { at, shown }),
      sql`
        update holders set current = null where workspace_id = ${workspaceId} and instance_id = ${row.instanceId}
      `.execute(tx),
    ]),
  );
}

/** The columns of an instance that a change may set; a null moment is for what belongs to a change that has one. */
export async function changeInstance(
  tx: Tx,
  row: Pick<InstanceRow, 'workspaceId' | 'instanceId' | 'passRevision'>,
  change: {
    /** Made valid again, it no longer shows when and why it was voided. */
    status?: 'active' | 'voided';
    voidedAt?: Date;
    fields?: InstanceRow['fields'];
    metadata?: InstanceRow['metadata'];
    expiresAt?: Date | null;
    erasedAt?: Date;
    voidReason?: string | null;
    barcode?: string;
    externalRef?: null;
  },
  moment: Moment | null,
): Promise<void> {
  const { fields, metadata } = change;
  const columns = [
    ...(change.status === undefined ? [] : [sql`status = ${change.status}`]),
    ...(change.status === 'active' ? [sql`voided_at = null, void_reason = null`] : []),
    ...(change.voidedAt === undefined ? [] : [sql`voided_at = ${change.voidedAt}`]),
    ...(fields === undefined ? [] : [sql`fields = ${JSON.stringify(fields)}`]),
    ...(metadata === undefined ? [] : [sql`metadata = ${JSON.stringify(metadata)}`]),
    ...(change.expiresAt === undefined ? [] : [sql`expires_at = ${change.expiresAt}`]),
    ...(change.erasedAt === undefined ? [] : [sql`erased_at = ${change.erasedAt}`]),
    ...(change.voidReason === undefined ? [] : [sql`void_reason = ${change.voidReason}`]),
    ...(change.barcode === undefined
      ? []
      : [sql`barcode = ${change.barcode}, folded_barcode = ${foldCase(change.barcode)}`]),
    ...(change.externalRef === undefined ? [] : [sql`external_ref = null`]),
    ...(moment === null ? [] : [changedAtColumns(row, moment)]),
  ];
  if (columns.length === 0) return;
  await sql`
    update instances set ${sql.join(columns)}
    where workspace_id = ${row.workspaceId} and instance_id = ${row.instanceId}
  `.execute(tx);
}

/** A change that the card does not show leaves alone what wallets go by. */
function changedAtColumns({ passRevision }: Pick<InstanceRow, 'passRevision'>, { at, shown }: Moment): Sql {
  return shown
    ? sql`revision = revision + 1, modified_at = ${at}, pass_revision = ${passRevision}`
    : sql`updated_at = ${at}`;
}

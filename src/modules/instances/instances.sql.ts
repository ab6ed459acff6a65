import { sql } from 'kysely';
import type { Db, Tx } from '../../kit/db/database.ts';
import type { HolderRow, InstanceRow } from './instance-row.ts';

/** A pass, named by its own row or that of a card. */
type OfPass = Pick<InstanceRow, 'workspaceId' | 'passId'>;

/** The columns of InstanceRow, from `source`. */
const view = sql`
  i.workspace_id, i.instance_id, i.pass_id, i.status, i.barcode, i.addressable, i.installed,
  i.apple_wallets, i.google_wallets, i.web_wallets, i.fields, i.expires_at,
  i.partner_id, i.metadata, i.link_secret, i.authentication_token, i.revision, i.modified_at,
  i.created_at, i.erased_at, i.pass_revision as seen_pass_revision, p.revision as pass_revision,
  p.fields as pass_fields, p.expiry as pass_expiry, p.modified_at as pass_modified_at, p.barcode_mode,
  p.barcode_value as shared_barcode,
  case when h.instance_id is not null then
    json_build_object('identifier', h.identifier, 'name', h.name, 'email', h.email, 'phone', h.phone, 'locale', h.locale)
  end as holder,
  case when g.program_id is not null then
    json_build_object('programId', g.program_id, 'mode', g.mode, 'balance', coalesce(a.balance, 0),
      'pendingRewards', coalesce(a.pending_rewards, 0))
  end as loyalty`;

/** The program of the pass, and the account that the card shows. */
const loyalty = sql`
  left join programs g on g.workspace_id = p.workspace_id and g.program_id = p.program_id
  left join loyalty_accounts a on a.workspace_id = i.workspace_id and a.instance_id = i.instance_id`;

const source = sql`
  instances i
  join passes p on p.workspace_id = i.workspace_id and p.pass_id = i.pass_id
  left join holders h on h.workspace_id = i.workspace_id and h.instance_id = i.instance_id
  ${loyalty}`;

/** An instance by its id, whatever workspace owns it. */
export async function findInstanceAnywhere(db: Db, instanceId: string): Promise<InstanceRow | undefined> {
  const { rows } =
    await sql<InstanceRow>`select ${view} from ${source} where i.instance_id = ${instanceId}`.execute(db);
  return rows[0];
}

/** Waits until nobody else changes the instance, then keeps it for the rest of the transaction. */
export async function lockInstance(tx: Tx, workspaceId: string, instanceId: string): Promise<void> {
  await sql`
    select from instances where workspace_id = ${workspaceId} and instance_id = ${instanceId} for update
  `.execute(tx);
}

/** Waits until nobody changes the instances, and keeps them from changing until the transaction ends. */
export async function freezeInstances(
  tx: Tx,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<void> {
  await sql`
    select from instances
    where workspace_id = ${workspaceId} and instance_id = any(${instanceIds}::uuid[])
    order by instance_id
    for key share
  `.execute(tx);
}

export async function findByBarcodes(
  db: Db,
  workspaceId: string,
  barcodes: readonly string[],
): Promise<InstanceRow[]> {
  const { rows } = await sql<InstanceRow>`
    select ${view} from ${source}
    where i.workspace_id = ${workspaceId} and i.barcode = any(${barcodes}::text[]) and i.barcode is not null
  `.execute(db);
  return rows;
}

/** The cards of holders, of any pass, present ones before former ones. */
export async function findByIdentifier(
  db: Db,
  workspaceId: string,
  identifier: string,
): Promise<InstanceRow[]> {
  const { rows } = await sql<InstanceRow>`
    select ${view} from ${source}
    where h.workspace_id = ${workspaceId} and h.identifier = ${identifier}
    order by h.current nulls last, i.instance_id desc
    limit 100
  `.execute(db);
  return rows;
}

/** The present card that each identifier has of a pass, where it has one. */
export async function findPresentCards(
  db: Db,
  { workspaceId, passId }: OfPass,
  identifiers: readonly string[],
): Promise<(InstanceRow & { holder: HolderRow })[]> {
  if (identifiers.length === 0) return [];
  const { rows } = await sql<InstanceRow & { holder: HolderRow }>`
    select ${view}
    from unnest(${identifiers}::text[]) as asked(identifier)
    join holders h on h.workspace_id = ${workspaceId} and h.pass_id = ${passId}
      and h.identifier = asked.identifier and h.current
    join instances i on i.workspace_id = h.workspace_id and i.instance_id = h.instance_id
    join passes p on p.workspace_id = i.workspace_id and p.pass_id = i.pass_id
    ${loyalty}
  `.execute(db);
  return rows;
}

/** Which of the barcodes are already on an instance of the pass. */
export async function findTakenBarcodes(
  db: Db,
  { workspaceId, passId }: OfPass,
  barcodes: readonly string[],
): Promise<Set<string>> {
  if (barcodes.length === 0) return new Set();
  const { rows } = await sql<{ barcode: string }>`
    select i.barcode
    from unnest(${barcodes}::text[]) as asked(barcode)
    join instances i on i.workspace_id = ${workspaceId} and i.pass_id = ${passId} and i.barcode = asked.barcode
  `.execute(db);
  return new Set(rows.map((row) => row.barcode));
}

/** Newest first. */
export async function listInstances(
  db: Db,
  filter: {
    workspaceId: string;
    passId: string;
    status?: string | undefined;
    identifier?: string | undefined;
    installed?: boolean | undefined;
    /** No older than this id: ids begin with their time. */
    since: string | null;
  },
  after: string | null,
  take: number,
): Promise<InstanceRow[]> {
  const conditions = [
    sql`i.workspace_id = ${filter.workspaceId} and i.pass_id = ${filter.passId}`,
    ...(filter.status === undefined ? [] : [sql`i.status = ${sql.lit(filter.status)}`]),
    ...(filter.installed === undefined ? [] : [filter.installed ? sql`i.installed` : sql`not i.installed`]),
    ...(filter.identifier === undefined
      ? []
      : [
          sql`h.workspace_id = ${filter.workspaceId} and h.pass_id = ${filter.passId} and h.identifier = ${filter.identifier}`,
        ]),
    ...(filter.since === null ? [] : [sql`i.instance_id >= ${filter.since}`]),
    ...(after === null ? [] : [sql`i.instance_id < ${after}`]),
  ];
  const { rows } = await sql<InstanceRow>`
    select ${view} from ${source}
    where ${sql.join(conditions, sql` and `)}
    order by i.instance_id desc
    limit ${take}
  `.execute(db);
  return rows;
}

/** The columns of an instance that a change may set; its revision moves with it where `shown` says so. */
export async function changeInstance(
  tx: Tx,
  row: Pick<InstanceRow, 'workspaceId' | 'instanceId' | 'passRevision'>,
  change: {
    status?: string;
    fields?: InstanceRow['fields'];
    metadata?: InstanceRow['metadata'];
    expiresAt?: Date | null;
    erasedAt?: Date;
  },
  shownAt: Date | null,
): Promise<void> {
  const { fields, metadata, ...columns } = change;
  await tx
    .updateTable('instances')
    .set({
      ...columns,
      ...(fields !== undefined && { fields: JSON.stringify(fields) }),
      ...(metadata !== undefined && { metadata: JSON.stringify(metadata) }),
      ...(shownAt !== null && {
        revision: sql`revision + 1`,
        modifiedAt: shownAt,
        passRevision: row.passRevision,
      }),
    })
    .where('workspaceId', '=', row.workspaceId)
    .where('instanceId', '=', row.instanceId)
    .execute();
}

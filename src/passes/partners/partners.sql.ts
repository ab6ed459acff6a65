import type { Page } from '../../engine/page.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { prepared, sql } from '../../kit/db/sql.ts';

/** A partner of a workspace that is not deleted. */
export interface PartnerRow {
  readonly workspaceId: string;
  readonly partnerId: string;
  readonly name: string;
  /** Its number in the caller's own system. */
  readonly externalId: string | null;
  readonly location: { readonly latitude: number; readonly longitude: number } | null;
  readonly metadata: Readonly<Record<string, string | number | boolean | null>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

function livePartners(db: Db, workspaceId: string) {
  return db
    .selectFrom('partners')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('deletedAt', 'is', null);
}

export async function findLivePartner(
  db: Db,
  workspaceId: string,
  partnerId: string,
): Promise<PartnerRow | undefined> {
  const query = livePartners(db, workspaceId).where('partnerId', '=', partnerId);
  return (await query.executeTakeFirst()) as PartnerRow | undefined;
}

/** The same, locked until the end of the transaction. */
export async function lockLivePartner(
  tx: Tx,
  workspaceId: string,
  partnerId: string,
): Promise<PartnerRow | undefined> {
  const query = livePartners(tx, workspaceId).where('partnerId', '=', partnerId).forNoKeyUpdate();
  return (await query.executeTakeFirst()) as PartnerRow | undefined;
}

/** Which of the ids are partners of the workspace. */
export async function findLiveIds(
  db: Db,
  workspaceId: string,
  partnerIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await prepared<{ partnerId: string }>`
    select asked.partner_id
    from unnest(${partnerIds}::uuid[]) as asked(partner_id)
    cross join lateral (
      select from partners
      where partner_id = asked.partner_id and workspace_id = ${workspaceId} and deleted_at is null
    ) as partner
  `.execute(db);
  return new Set(rows.map((row) => row.partnerId));
}

/** Whether a partner of the workspace has the external id. */
export async function hasExternalId(db: Db, workspaceId: string, externalId: string): Promise<boolean> {
  const { rows } = await sql`
    select from partners
    where external_id = ${externalId} and workspace_id = ${workspaceId} and deleted_at is null limit 1
  `.execute(db);
  return rows.length > 0;
}

/** Newest first. */
export async function listPartners(
  db: Db,
  workspaceId: string,
  filter: { externalId: string | undefined },
  { after, take }: Page,
): Promise<PartnerRow[]> {
  let query = livePartners(db, workspaceId);
  if (filter.externalId !== undefined) query = query.where('externalId', '=', filter.externalId);
  if (after !== null) query = query.where('partnerId', '<', after);
  return (await query.orderBy('partnerId', 'desc').limit(take).execute()) as unknown as PartnerRow[];
}

export async function insertPartner(tx: Tx, row: PartnerRow): Promise<void> {
  await tx
    .insertInto('partners')
    .values({ ...row, ...jsonColumns(row) })
    .execute();
}

export async function replacePartner(tx: Tx, row: PartnerRow): Promise<void> {
  const { workspaceId, partnerId, ...columns } = row;
  await tx
    .updateTable('partners')
    .set({ ...columns, ...jsonColumns(row) })
    .where('workspaceId', '=', workspaceId)
    .where('partnerId', '=', partnerId)
    .execute();
}

function jsonColumns({ metadata, location }: PartnerRow) {
  return { metadata: JSON.stringify(metadata), location: location && JSON.stringify(location) };
}

import { sql } from 'kysely';
import type { Db, Tx } from '../../kit/db/database.ts';
import type { InstanceRow } from './instance-row.ts';

/** The part of a card that is needed to change what it shows and to tell its wallets. */
export type HeldRow = Pick<
  InstanceRow,
  | 'workspaceId'
  | 'instanceId'
  | 'passId'
  | 'status'
  | 'installed'
  | 'appleWallets'
  | 'googleWallets'
  | 'webWallets'
  | 'modifiedAt'
  | 'seenPassRevision'
>;

/**
 * The card that stands for each identifier with a pass: the present one, else the former that has the account, else the
 * newest of the former.
 */
export async function findCardsOf(
  db: Db,
  { workspaceId, passId }: { readonly workspaceId: string; readonly passId: string },
  identifiers: readonly string[],
): Promise<{ identifier: string; instanceId: string }[]> {
  if (identifiers.length === 0) return [];
  const { rows } = await sql<{ identifier: string; instanceId: string }>`
    select asked.identifier, card.instance_id
    from unnest(${identifiers}::text[]) as asked(identifier)
    cross join lateral (
      select h.instance_id
      from holders h
      left join loyalty_accounts a on a.workspace_id = h.workspace_id and a.instance_id = h.instance_id
      where h.workspace_id = ${workspaceId} and h.pass_id = ${passId} and h.identifier = asked.identifier
      order by h.current nulls last, a.instance_id is null, h.instance_id desc
      limit 1
    ) as card
  `.execute(db);
  return rows;
}

/** The card of a pass that carries each barcode as its own. */
export async function findCarriersOf(
  db: Db,
  { workspaceId, passId }: { readonly workspaceId: string; readonly passId: string },
  barcodes: readonly string[],
): Promise<{ barcode: string; instanceId: string }[]> {
  if (barcodes.length === 0) return [];
  const { rows } = await sql<{ barcode: string; instanceId: string }>`
    select i.barcode, i.instance_id
    from unnest(${barcodes}::text[]) as asked(barcode)
    join instances i on i.workspace_id = ${workspaceId} and i.pass_id = ${passId} and i.barcode = asked.barcode
  `.execute(db);
  return rows;
}

/** Waits until nobody changes the cards, and keeps them from changing until the transaction ends. */
export async function holdRows(
  tx: Tx,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<HeldRow[]> {
  if (instanceIds.length === 0) return [];
  const { rows } = await sql<HeldRow>`
    select workspace_id, instance_id, pass_id, status, installed, apple_wallets, google_wallets, web_wallets,
      modified_at, pass_revision as seen_pass_revision
    from instances
    where workspace_id = ${workspaceId} and instance_id = any(${instanceIds}::uuid[])
    order by instance_id
    for no key update
  `.execute(tx);
  return rows;
}

/** Which of the cards belong to other workspaces. */
export async function findForeign(
  db: Db,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<Set<string>> {
  if (instanceIds.length === 0) return new Set();
  const { rows } = await sql<{ instanceId: string }>`
    select instance_id from instances
    where instance_id = any(${instanceIds}::uuid[]) and workspace_id <> ${workspaceId}
  `.execute(db);
  return new Set(rows.map((row) => row.instanceId));
}

/** A new revision of what cards show. */
export async function restampRows(
  tx: Tx,
  workspaceId: string,
  passRevision: number,
  cards: readonly { readonly instanceId: string; readonly modifiedAt: Date }[],
): Promise<void> {
  if (cards.length === 0) return;
  await sql`
    update instances i
    set revision = i.revision + 1, modified_at = c.modified_at, pass_revision = ${passRevision}
    from unnest(
      ${cards.map((card) => card.instanceId)}::uuid[], ${cards.map((card) => card.modifiedAt.toISOString())}::timestamptz[]
    ) as c(instance_id, modified_at)
    where i.workspace_id = ${workspaceId} and i.instance_id = c.instance_id
  `.execute(tx);
}

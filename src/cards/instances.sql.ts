import { lastPushIn } from '../events/timeline.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import type { HolderRow, InstanceRow } from './instance-row.ts';
import type { LinkTarget } from './link-token.ts';

/** A pass, named by its own row or that of a card. */
type OfPass = Pick<InstanceRow, 'workspaceId' | 'passId'>;

/**
 * A card changes what it shows with its own row, or with that of its account: its revision, since when it shows what it
 * shows, and the revision of its pass then.
 */
const shown = sql`
  i.revision + coalesce(a.seq, 0) as revision, greatest(i.modified_at, a.shown_at) as modified_at,
  greatest(i.modified_at, i.updated_at, a.shown_at) as updated_at,
  greatest(i.pass_revision, a.shown_pass_revision) as seen_pass_revision`;

/** The columns of InstanceRow, from `source`. */
export const view = sql`
  i.workspace_id, i.instance_id, i.pass_id, i.status, i.barcode, i.addressable, i.installed,
  i.apple_wallets, i.google_wallets, i.web_wallets, i.fields, i.expires_at,
  i.partner_id, i.metadata, i.link_secret, i.authentication_token, ${shown},
  i.created_at, i.erased_at, i.external_ref, i.installed_at, l.at as last_push_at, l.result as last_push_result,
  p.revision as pass_revision,
  p.fields as pass_fields, p.expiry as pass_expiry, p.modified_at as pass_modified_at, p.barcode_mode,
  p.barcode_value as shared_barcode,
  case when i.status = 'voided' then i.voided_at end as voided_at,
  case when i.status = 'voided' then i.void_reason end as void_reason,
  case when h.phone_given is not null then
    json_build_object('identifier', h.identifier, 'name', h.name, 'email', h.email, 'phone', h.phone,
      'phoneGiven', h.phone_given, 'locale', h.locale)
  when h.instance_id is not null then
    json_build_object('identifier', h.identifier, 'name', h.name, 'email', h.email, 'phone', h.phone, 'locale', h.locale)
  end as holder,
  case when g.program_id is not null then
    json_build_object('programId', g.program_id, 'mode', g.mode, 'currency', g.currency, 'launchedAt', g.launched_at, 'tiers', g.tiers,
      'balance', coalesce(a.balance, 0), 'lifetimePoints', coalesce(a.lifetime_points, 0),
      'pendingRewards', coalesce(a.pending_rewards, 0))
  end as loyalty`;

/** The program of the pass, the account that the card shows, and its last push. */
const historyIn = (workspaceId: string) => sql`
  left join lateral (
    select * from programs where program_id = p.program_id and workspace_id = ${workspaceId} limit 1
  ) as g on true
  left join lateral (
    select * from loyalty_accounts where instance_id = i.instance_id and workspace_id = ${workspaceId} limit 1
  ) as a on true
  left join lateral (${lastPushIn(workspaceId)}) as l on true`;

/** The pass of a card. The limits here are for a plan that is kept: it would join whole tables. */
const designIn = (workspaceId: string) => sql`
  cross join lateral (
    select * from passes where pass_id = i.pass_id and workspace_id = ${workspaceId} limit 1
  ) as p`;

/** What a card is shown with; `i` is the card, of that workspace. */
export const describedIn = (workspaceId: string) => sql`
  ${designIn(workspaceId)}
  left join lateral (
    select * from holders where instance_id = i.instance_id and workspace_id = ${workspaceId} limit 1
  ) as h on true
  ${historyIn(workspaceId)}`;

/** Which of the cards belong to other workspaces. For a caller that has looked in its own first. */
export async function findForeign(
  db: Db,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<Set<string>> {
  if (instanceIds.length === 0) return new Set();
  const { rows } = await prepared<{ instanceId: string }>`
    select instance_id from instances
    where instance_id = any(${instanceIds}::uuid[]) and workspace_id <> ${workspaceId}
  `.execute(db);
  return new Set(rows.map((row) => row.instanceId));
}

/** Set-based: the instances of a workspace with these ids, in their order. */
export async function findInstances(
  db: Db,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<(InstanceRow | undefined)[]> {
  const { rows } = await prepared<InstanceRow>`
    select ${view}
    from unnest(${sql.list([...new Set(instanceIds)], 'uuid')}) as asked(instance_id)
    cross join lateral (
      select * from instances where instance_id = asked.instance_id and workspace_id = ${workspaceId} offset 0
    ) as i
    ${describedIn(workspaceId)}
  `.execute(db);
  const byId = new Map(rows.map((row) => [row.instanceId, row]));
  return instanceIds.map((instanceId) => byId.get(instanceId));
}

/** Locks the instance until the transaction ends; waits for another transaction that changes it. */
export async function lockInstanceRow(tx: Tx, workspaceId: string, instanceId: string): Promise<void> {
  await sql`
    select from instances where workspace_id = ${workspaceId} and instance_id = ${instanceId} for update
  `.execute(tx);
}

/**
 * Locks the present cards that identifiers have of a pass until the transaction ends, and answers which they are; waits
 * for other transactions that change them.
 */
export async function lockPresentCards(
  tx: Tx,
  { workspaceId, passId }: OfPass,
  identifiers: readonly string[],
  toChange: boolean,
): Promise<Set<string>> {
  if (identifiers.length === 0) return new Set();
  const { rows } = await prepared<{ instanceId: string }>`
    select instance_id from instances
    where instance_id = any(array(
      select card.instance_id
      from unnest(${sql.list(identifiers, 'text')}) as asked(identifier)
      cross join lateral (
        select instance_id from holders
        where identifier = asked.identifier and workspace_id = ${workspaceId} and pass_id = ${passId} and current
        limit 1
      ) as card
    )) and workspace_id = ${workspaceId}
    order by instance_id
    ${toChange ? sql`for update` : sql`for key share`}
  `.execute(tx);
  return new Set(rows.map(({ instanceId }) => instanceId));
}

export function findByBarcodes(
  db: Db,
  workspaceId: string,
  barcodes: readonly string[],
): Promise<InstanceRow[]> {
  return prepared<InstanceRow>`
    select ${view}
    from unnest(${sql.list([...new Set(barcodes)], 'text')}) as asked(barcode)
    cross join lateral (
      select * from instances where barcode = asked.barcode and workspace_id = ${workspaceId} offset 0
    ) as i
    ${describedIn(workspaceId)}
  `.rows(db);
}

/** The cards of holders, of any pass, present ones before former ones. */
export function findByIdentifier(db: Db, workspaceId: string, identifier: string): Promise<InstanceRow[]> {
  return sql<InstanceRow>`
    select ${view}
    from holders h
    cross join lateral (
      select * from instances where instance_id = h.instance_id and workspace_id = ${workspaceId} limit 1
    ) as i
    ${designIn(workspaceId)}
    ${historyIn(workspaceId)}
    where h.workspace_id = ${workspaceId} and h.identifier = ${identifier}
    order by h.current nulls last, i.instance_id desc
    limit 100
  `.rows(db);
}

/** The present card that each identifier has of a pass, where it has one. */
export async function findPresentCards(
  db: Db,
  { workspaceId, passId }: OfPass,
  identifiers: readonly string[],
): Promise<(InstanceRow & { holder: HolderRow })[]> {
  if (identifiers.length === 0) return [];
  return prepared<InstanceRow & { holder: HolderRow }>`
    select ${view}
    from unnest(${sql.list(identifiers, 'text')}) as asked(identifier)
    cross join lateral (
      select * from holders
      where identifier = asked.identifier and workspace_id = ${workspaceId} and pass_id = ${passId} and current
      limit 1
    ) as h
    cross join lateral (
      select * from instances where instance_id = h.instance_id and workspace_id = ${workspaceId} limit 1
    ) as i
    ${designIn(workspaceId)}
    ${historyIn(workspaceId)}
  `.rows(db);
}

/** Which of the barcodes are already on an instance of the pass. */
export async function findTakenBarcodes(
  db: Db,
  { workspaceId, passId }: OfPass,
  barcodes: readonly string[],
): Promise<Set<string>> {
  if (barcodes.length === 0) return new Set();
  const { rows } = await prepared<{ barcode: string }>`
    select asked.barcode
    from unnest(${barcodes}::text[]) as asked(barcode)
    cross join lateral (
      -- the pass is compared outside: there is an index of its cards, which may not seem to be many
      select barcode, pass_id from instances where barcode = asked.barcode and workspace_id = ${workspaceId} offset 0
    ) as i
    where i.pass_id = ${passId}
  `.execute(db);
  return new Set(rows.map((row) => row.barcode));
}

/** What the links of cards are made of. */
export async function readLinkSecrets(
  db: Db,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<LinkTarget[]> {
  if (instanceIds.length === 0) return [];
  return sql<LinkTarget>`
    select workspace_id, instance_id, link_secret from instances
    where workspace_id = ${workspaceId} and instance_id = any(${instanceIds}::uuid[])
  `.rows(db);
}

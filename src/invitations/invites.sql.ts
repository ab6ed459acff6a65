import type { Page } from '../engine/page.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { PassKey } from '../passes/pass-row.ts';
import type { InviteKey, InviteRow, InviteStatus } from './invite-row.ts';

/** An invitation to be written. */
interface NewInvite {
  readonly inviteId: string;
  readonly linkSecret: Buffer;
  readonly emailHash: Buffer;
  /** Null where the person is not to be known. */
  readonly email: string | null;
  readonly name: string | null;
  readonly locale: string | null;
  readonly identifier: string | null;
  readonly status: 'queued' | 'suppressed' | 'already_holder';
  /** The card that it is sent for; absent: it has yet to be taken. */
  readonly instanceId?: string;
}

/** Where invitations belong. */
export interface InviteScope {
  readonly workspaceId: string;
  readonly passId: string;
  readonly sweepId: string | null;
  readonly storeId: string | null;
}

/**
 * Writes invitations, each at most once an address and pass; those to be sent are due at once. An earlier one that has
 * never left begins anew where it may leave now, though not within the same sweep. Answers those that were written; an earlier one keeps its id.
 */
export async function insertInvites(
  tx: Tx,
  { workspaceId, passId, sweepId, storeId }: InviteScope,
  invites: readonly NewInvite[],
  at: Date,
): Promise<{ inviteId: string; emailHash: Buffer }[]> {
  if (invites.length === 0) return [];
  const column = <K extends keyof NewInvite>(name: K) => invites.map((invite) => invite[name]);
  // In one order, so that two who write the same addresses do not wait for each other.
  return sql<{ inviteId: string; emailHash: Buffer }>`
    insert into invites as i (workspace_id, invite_id, pass_id, sweep_id, store_id, email, name, locale, identifier,
      email_hash, link_secret, status, instance_id, due_at, created_at)
    select ${workspaceId}::uuid, n.invite_id, ${passId}::uuid, ${sweepId}::uuid, ${storeId}::uuid, n.email, n.name,
      n.locale, n.identifier, n.email_hash, n.link_secret, n.status, n.instance_id,
      case when n.status = 'queued' then ${at}::timestamptz end, ${at}::timestamptz
    from unnest(
      ${column('inviteId')}::uuid[], ${column('email')}::text[], ${column('name')}::text[],
      ${column('locale')}::text[], ${column('identifier')}::text[], ${column('emailHash')}::bytea[],
      ${column('linkSecret')}::bytea[], ${column('status')}::text[],
      ${invites.map(({ instanceId }) => instanceId ?? null)}::uuid[]
    ) as n(invite_id, email, name, locale, identifier, email_hash, link_secret, status, instance_id)
    order by n.email_hash
    on conflict (workspace_id, email_hash, pass_id) do update set
      sweep_id = excluded.sweep_id, store_id = excluded.store_id, email = excluded.email, name = excluded.name,
      locale = excluded.locale, identifier = excluded.identifier, status = excluded.status, due_at = excluded.due_at,
      instance_id = excluded.instance_id, attempts = 0, problem = null, created_at = excluded.created_at
    where excluded.status = 'queued' and i.status in ('failed', 'suppressed', 'already_holder', 'cancelled')
      and (excluded.sweep_id is null or i.sweep_id is distinct from excluded.sweep_id)
    returning i.invite_id, i.email_hash
  `.rows(tx);
}

/** An invitation that an address has had to a pass. */
export interface EarlierInvite {
  readonly emailHash: Buffer;
  readonly inviteId: string;
  readonly status: InviteStatus;
  readonly sweepId: string | null;
}

/** The invitations that addresses have had to a pass. */
export async function findInvited(
  db: Db,
  { workspaceId, passId }: PassKey,
  hashes: readonly Buffer[],
): Promise<EarlierInvite[]> {
  if (hashes.length === 0) return [];
  // In two steps: a planner without statistics would walk through all invitations of the pass.
  return sql<EarlierInvite>`
    with known as materialized (
      select pass_id, email_hash, invite_id, status, sweep_id from invites
      where workspace_id = ${workspaceId} and email_hash = any(${hashes}::bytea[])
    )
    select email_hash, invite_id, status, sweep_id from known where pass_id = ${passId}
  `.rows(db);
}

/** Remembers a claim whose answer names the person, so that it can be forgotten with them. */
export async function noteClaim(
  tx: Tx,
  { workspaceId, inviteId }: InviteKey,
  { operation: op, key }: { readonly operation: string; readonly key: string },
): Promise<void> {
  await sql`
    update invites set claims = claims || ${JSON.stringify([{ op, key }])}::jsonb
    where workspace_id = ${workspaceId} and invite_id = ${inviteId}
  `.execute(tx);
}

/** An invitation, kept from changing until the transaction ends. */
export function lockInvite(tx: Tx, { workspaceId, inviteId }: InviteKey): Promise<InviteRow | undefined> {
  return sql<InviteRow>`
    select ${inviteColumns} from invites i
    where i.workspace_id = ${workspaceId} and i.invite_id = ${inviteId}
    for no key update
  `.first(tx);
}

/** Keeps the card that was made of an invitation, which the caller holds. */
export async function keepAccepted(
  tx: Tx,
  { workspaceId, inviteId }: InviteKey,
  { instanceId, acceptedAt }: { readonly instanceId: string; readonly acceptedAt: Date },
): Promise<void> {
  await sql`
    update invites set instance_id = ${instanceId}, accepted_at = ${acceptedAt}
    where workspace_id = ${workspaceId} and invite_id = ${inviteId}
  `.execute(tx);
}

/** The columns of InviteRow, of `i`. */
export const inviteColumns = sql`
  i.workspace_id, i.invite_id, i.pass_id, i.sweep_id, i.status, i.email, i.name, i.locale, i.identifier, i.email_hash,
  i.link_secret, i.problem, i.instance_id, i.created_at, i.sent_at, i.accepted_at`;

/** The invitation that an address has had to a pass. */
export function findInviteOf(
  db: Db,
  { workspaceId, passId }: PassKey,
  emailHash: Buffer,
): Promise<InviteRow | undefined> {
  return sql<InviteRow>`
    select ${inviteColumns}
    from (select * from invites where email_hash = ${emailHash} and workspace_id = ${workspaceId} offset 0) as i
    where i.pass_id = ${passId}
  `.first(db);
}

/** What a link needs of its invitation. */
export interface LinkedInvite extends InviteRow {
  readonly organization: string;
  readonly suspendedAt: Date | null;
  readonly workspaceLocale: string;
  readonly isSuppressed: boolean;
}

/** The invitation that a link names; its secret is still to be compared. */
export function findLinkedInvite(
  db: Db,
  { workspaceId, inviteId }: InviteKey,
): Promise<LinkedInvite | undefined> {
  return sql<LinkedInvite>`
    select ${inviteColumns}, w.name as organization, w.suspended_at, w.locale as workspace_locale,
      exists (
        select from suppressions s where s.workspace_id = ${workspaceId} and s.email_hash = i.email_hash
      ) as is_suppressed
    from invites i
    join workspaces w on w.workspace_id = ${workspaceId}
    where i.workspace_id = ${workspaceId} and i.invite_id = ${inviteId}
  `.first(db);
}

/** Newest first. */
export function listInvites(
  db: Db,
  filter: {
    readonly workspaceId: string;
    readonly passId: string;
    readonly status?: InviteStatus | undefined;
    readonly emailHash?: Buffer | undefined;
  },
  { after, take }: Page,
): Promise<InviteRow[]> {
  // An address is looked up first, whatever the planner knows: it has few invitations, a pass may have very many.
  const { emailHash } = filter;
  const among =
    emailHash === undefined
      ? sql`invites`
      : sql`(select * from invites where workspace_id = ${filter.workspaceId} and email_hash = ${emailHash} offset 0)`;
  const conditions = [
    sql`i.workspace_id = ${filter.workspaceId} and i.pass_id = ${filter.passId}`,
    ...(filter.status === undefined ? [] : [sql`i.status = ${filter.status}`]),
    ...(after === null ? [] : [sql`i.invite_id < ${after}`]),
  ];
  return sql<InviteRow>`
    select ${inviteColumns} from ${among} i
    where ${sql.join(conditions, sql` and `)}
    order by i.invite_id desc
    limit ${take}
  `.rows(db);
}

/** Why an address may no longer be written to. */
type SuppressionReason = 'unsubscribed' | 'bounced' | 'redacted';

/** Which of the addresses must not be written to, as hex of their hashes. */
export async function findSuppressed(
  db: Db,
  workspaceId: string,
  hashes: readonly Buffer[],
): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const { rows } = await sql<{ emailHash: Buffer }>`
    select email_hash from suppressions
    where workspace_id = ${workspaceId} and email_hash = any(${hashes}::bytea[])
  `.execute(db);
  return new Set(rows.map(({ emailHash }) => emailHash.toString('hex')));
}

/** Forbids mails to the address; the first reason is kept. False where there was one. */
export async function insertSuppression(
  tx: Tx,
  suppression: {
    readonly workspaceId: string;
    readonly emailHash: Buffer;
    readonly reason: SuppressionReason;
    readonly createdAt: Date;
  },
): Promise<boolean> {
  const added = await tx
    .insertInto('suppressions')
    .values(suppression)
    .onConflict((conflict) => conflict.columns(['workspaceId', 'emailHash']).doNothing())
    .returning('workspaceId')
    .executeTakeFirst();
  return added !== undefined;
}

import type { DueScan } from '../engine/due.sql.ts';
import { changeLeased, type Queue } from '../engine/queue.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { PassRow } from '../passes/pass-row.ts';
import type { InviteKey, InviteStatus } from './invite-row.ts';

/** Invitations that wait for each other: those of a sweep, or the single ones of a pass. */
interface Waiting {
  readonly workspaceId: string;
  /** The id of the sweep, else of the pass. */
  readonly queueId: string;
}

/** An invitation that a worker has taken. */
interface TakenInvite {
  readonly workspaceId: string;
  readonly inviteId: string;
  readonly passId: string;
  readonly sweepId: string | null;
  readonly email: string;
  readonly name: string | null;
  readonly locale: string | null;
  readonly identifier: string | null;
  readonly emailHash: Buffer;
  readonly linkSecret: Buffer;
  /** The card that it is sent for; null: it has yet to be taken. */
  readonly instanceId: string | null;
  readonly status: InviteStatus;
  readonly problem: string | null;
  readonly attempts: number;
  readonly createdAt: Date;
  /** Until when it is the worker's: no other worker takes it before that. */
  readonly dueAt: Date;
}

/** The same, with the content of its mail. */
export interface DueInvite extends TakenInvite, Pick<PassRow, 'title' | 'type' | 'colors' | 'images'> {
  /** Null: the pass was deleted; it has neither title nor colours then. */
  readonly passStatus: PassRow['status'] | null;
  readonly sweepStatus: string | null;
  readonly shop: string;
  readonly shopLocale: string;
  readonly suspendedAt: Date | null;
}

/** The columns of DueInvite that an invitation has itself. */
const columns = sql`
  workspace_id, invite_id, pass_id, sweep_id, email, name, locale, identifier, email_hash, link_secret, instance_id, status,
  problem, attempts, created_at, due_at`;
const invites = {
  job: 'sendInvites',
  table: 'invites',
  part: 'workspaceId',
  key: { inviteId: 'uuid' },
  due: 'dueAt',
  columns,
} as const;

/** Invitations that are to be sent. */
export const dueInvites: Queue<TakenInvite> = { ...invites, where: sql`status = 'queued'` };

/** Mails under way whose worker has not reported for long. The condition is worded as in the index, or the planner would take them for few. */
export const lostInvites: Queue<TakenInvite> = {
  ...invites,
  where: sql`coalesce(status = 'sending', false)`,
};

/** It is unknown whether they arrived. */
export const givenUp = sql`status = 'unknown', problem = 'worker_lost'`;

/** The queues in which something is due, and how much, counted up to `most`. Walks from queue to queue. */
export function listDueQueues(
  db: Db,
  { now, within, most }: DueScan,
): Promise<(Waiting & { readonly due: number })[]> {
  return sql<Waiting & { due: number }>`
    with recursive queues as (
      (
        select workspace_id, coalesce(sweep_id, pass_id) as queue_id from invites
        where ${within} and due_at is not null
        order by workspace_id, coalesce(sweep_id, pass_id) limit 1
      )
      union all
      select n.workspace_id, n.queue_id
      from queues q
      cross join lateral (
        select i.workspace_id, coalesce(i.sweep_id, i.pass_id) as queue_id from invites i
        where ${within} and i.due_at is not null
          and (i.workspace_id, coalesce(i.sweep_id, i.pass_id)) > (q.workspace_id, q.queue_id)
        order by i.workspace_id, coalesce(i.sweep_id, i.pass_id) limit 1
      ) n
    )
    select q.workspace_id, q.queue_id, waiting.due
    from queues q
    cross join lateral (
      select count(*)::int as due
      from (
        select from invites i
        where ${within} and i.workspace_id = q.workspace_id and coalesce(i.sweep_id, i.pass_id) = q.queue_id
          and i.due_at <= ${now}
        limit ${most}
      ) as counted
    ) waiting
    where waiting.due > 0
  `.rows(db);
}

/** How many are to be sent, as a monitor wants to know it; of very many so many. */
export function countWaiting(db: Db): Promise<{ state: 'due' | 'later'; count: number }[]> {
  return sql<{ state: 'due' | 'later'; count: number }>`
    select case when attempts = 0 then 'due' else 'later' end as state, count(*)::int as count
    from (select attempts from invites where due_at is not null limit 100000) as waiting
    group by 1
  `.rows(db);
}

/** Invitations of a workspace that are due, the longest ago first, so many of each queue. */
export function findDueInvites(
  db: Db,
  workspaceId: string,
  queues: readonly { readonly queueId: string; readonly most: number }[],
  now: Date,
): Promise<InviteKey[]> {
  return sql<InviteKey>`
    select d.workspace_id, d.invite_id
    from unnest(
      ${sql.list(queues, 'uuid', ({ queueId }) => queueId)}, ${sql.list(queues, 'int', ({ most }) => most)}
    ) as q(queue_id, most)
    cross join lateral (
      select i.workspace_id, i.invite_id from invites i
      where i.workspace_id = ${workspaceId} and coalesce(i.sweep_id, i.pass_id) = q.queue_id
        and i.due_at <= ${now} and i.status = 'queued'
      order by i.due_at
      limit q.most
    ) d
  `.rows(db);
}

/** The content that the mails of one workspace share, except the invitations themselves. */
export async function describeInvites(
  db: Db,
  workspaceId: string,
  taken: readonly TakenInvite[],
): Promise<DueInvite[]> {
  const { rows } = await sql<Omit<DueInvite, keyof TakenInvite>>`
    select p.title, p.type, p.colors, p.images, p.status as pass_status, s.status as sweep_status, w.name as shop,
      w.locale as shop_locale, w.suspended_at
    from unnest(
      ${sql.list(taken, 'uuid', ({ passId }) => passId)}, ${sql.list(taken, 'uuid', ({ sweepId }) => sweepId)}
    ) with ordinality as t(pass_id, sweep_id, place)
    cross join (select name, locale, suspended_at from workspaces where workspace_id = ${workspaceId}) as w
    left join lateral (
      select title, type, colors, images, status from passes p
      where p.workspace_id = ${workspaceId} and p.pass_id = t.pass_id
      limit 1
    ) as p on true
    left join lateral (
      select status from sweeps s where s.workspace_id = ${workspaceId} and s.sweep_id = t.sweep_id limit 1
    ) as s on true
    order by t.place
  `.execute(db);
  return taken.flatMap((invite, place) => {
    const row = rows[place];
    return row === undefined ? [] : [{ ...invite, ...row }];
  });
}

/** Invitations that are to leave no more, or later; of those that the worker has still taken. */
export async function recordUnsent(
  tx: Tx,
  unsent: readonly DueInvite[],
  state: Pick<TakenInvite, 'status' | 'problem'> & { readonly dueAt: Date | null },
): Promise<void> {
  // In the order in which they are locked.
  const sorted = [...unsent].sort((a, b) => (a.inviteId < b.inviteId ? -1 : 1));
  await Promise.all(sorted.map((invite) => changeLeased(tx, dueInvites, invite, state)));
}

/**
 * Marks a mail as being sent, unless the person has unsubscribed or was forgotten, or another worker has leased it: this
 * is the last moment at which it can be stopped. True if it is to be sent; it counts as lost after `until`.
 */
export function beginSending(tx: Tx, invite: DueInvite, until: Date): Promise<boolean> {
  const mayBeSent = sql`email is not null and not exists (
    select from suppressions s where s.workspace_id = invites.workspace_id and s.email_hash = invites.email_hash
  )`;
  return changeLeased(tx, dueInvites, invite, { status: 'sending', dueAt: until }, mayBeSent);
}

/**
 * Records the outcome of a mail, even a late one. A mail to a person who was forgotten since is not retried.
 */
export async function recordSent(
  tx: Tx,
  { workspaceId, inviteId }: InviteKey,
  state: {
    readonly status: InviteStatus;
    readonly problem: string | null;
    readonly dueAt: Date | null;
    readonly sentAt: Date | null;
    readonly attempts: number;
  },
): Promise<void> {
  const isForgotten = sql`${state.status === 'queued'} and email is null`;
  await sql`
    update invites
    set status = case when ${isForgotten} then 'suppressed' else ${state.status} end,
      problem = case when ${isForgotten} then null else ${state.problem} end,
      due_at = case when ${isForgotten} then null else ${state.dueAt}::timestamptz end,
      sent_at = ${state.sentAt}::timestamptz, attempts = ${state.attempts}
    where workspace_id = ${workspaceId} and invite_id = ${inviteId} and status in ('sending', 'unknown')
  `.execute(tx);
}

/** Marks mails that may have been sent as unknown, so that none is sent again. Returns how many. */
export async function giveUpUnsent(tx: Tx): Promise<number> {
  const { rowCount } = await sql`
    update invites set status = 'unknown', due_at = null, problem = 'restored' where status in ('queued', 'sending')
  `.execute(tx);
  return rowCount;
}

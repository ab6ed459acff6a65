import { sql } from 'kysely';
import type { Db, Tx } from '../../kit/db/database.ts';
import type { PassRow } from '../passes/pass-row.ts';
import type { InviteStatus } from './invite-row.ts';

/** Invitations that wait for each other: those of a sweep, or the single ones of a pass. */
export interface Queue {
  readonly workspaceId: string;
  /** The id of the sweep, else of the pass. */
  readonly queueId: string;
}

/** An invitation that a worker has taken, with what its mail tells. */
export interface DueInvite extends Pick<PassRow, 'title' | 'type' | 'colors'> {
  readonly workspaceId: string;
  readonly inviteId: string;
  readonly passId: string;
  readonly email: string;
  readonly name: string | null;
  readonly locale: string | null;
  readonly identifier: string | null;
  readonly emailHash: Buffer;
  readonly linkSecret: Buffer;
  readonly attempts: number;
  readonly createdAt: Date;
  /** Until when it is the worker's: nobody else has it as long as it says so. */
  readonly dueAt: Date;
  /** Null: the pass was deleted; it has neither title nor colours then. */
  readonly passStatus: PassRow['status'] | null;
  readonly sweepStatus: string | null;
  readonly shop: string;
  readonly shopLocale: string;
  readonly suspendedAt: Date | null;
}

type Named = Pick<DueInvite, 'workspaceId' | 'inviteId'>;

/** Mails whose worker has died on the way: nobody knows whether they arrived. Answers how many. */
export async function giveUpLost(tx: Tx, now: Date): Promise<number> {
  const { rows } = await sql`
    update invites set status = 'unknown', due_at = null, problem = 'worker_lost'
    where status = 'sending' and due_at <= ${now}
    returning 1
  `.execute(tx);
  return rows.length;
}

/** The queues in which something is due, and how much, counted up to `most`. Walks from queue to queue. */
export async function listDueQueues(
  db: Db,
  now: Date,
  most: number,
): Promise<(Queue & { readonly due: number })[]> {
  const { rows } = await sql<Queue & { due: number }>`
    with recursive queues as (
      (
        select workspace_id, coalesce(sweep_id, pass_id) as queue_id from invites where due_at is not null
        order by workspace_id, coalesce(sweep_id, pass_id) limit 1
      )
      union all
      select n.workspace_id, n.queue_id
      from queues q
      cross join lateral (
        select i.workspace_id, coalesce(i.sweep_id, i.pass_id) as queue_id from invites i
        where i.due_at is not null
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
        where i.workspace_id = q.workspace_id and coalesce(i.sweep_id, i.pass_id) = q.queue_id and i.due_at <= ${now}
        limit ${most}
      ) as counted
    ) waiting
    where waiting.due > 0
  `.execute(db);
  return rows;
}

/** How many are to be sent, as a monitor wants to know it; of very many so many. */
export async function countWaiting(db: Db): Promise<{ state: 'due' | 'later'; count: number }[]> {
  const { rows } = await sql<{ state: 'due' | 'later'; count: number }>`
    select case when attempts = 0 then 'due' else 'later' end as state, count(*)::int as count
    from (select attempts from invites where due_at is not null limit 100000) as waiting
    group by 1
  `.execute(db);
  return rows;
}

/**
 * Takes invitations that are due, the longest ago first, so many of each queue; they are the worker's until `until`. Each
 * can be taken by one.
 */
export async function takeDueInvites(
  tx: Tx,
  queues: readonly (Queue & { readonly most: number })[],
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<DueInvite[]> {
  const { rows } = await sql<DueInvite>`
    with due as (
      select d.workspace_id, d.invite_id
      from unnest(
        ${queues.map(({ workspaceId }) => workspaceId)}::uuid[], ${queues.map(({ queueId }) => queueId)}::uuid[],
        ${queues.map(({ most }) => most)}::int[]
      ) as q(workspace_id, queue_id, most)
      cross join lateral (
        select i.workspace_id, i.invite_id from invites i
        where i.workspace_id = q.workspace_id and coalesce(i.sweep_id, i.pass_id) = q.queue_id
          and i.due_at <= ${now} and i.status = 'queued'
        order by i.due_at
        limit q.most
        for no key update skip locked
      ) d
    ), taken as (
      update invites i set due_at = ${until}
      from due
      where i.workspace_id = due.workspace_id and i.invite_id = due.invite_id
      returning i.*
    )
    select t.workspace_id, t.invite_id, t.pass_id, t.email, t.name, t.locale, t.identifier, t.email_hash, t.link_secret,
      t.attempts, t.created_at, t.due_at, p.title, p.type, p.colors, p.status as pass_status, s.status as sweep_status,
      w.name as shop, w.locale as shop_locale, w.suspended_at
    from taken t
    left join passes p on p.workspace_id = t.workspace_id and p.pass_id = t.pass_id
    join workspaces w on w.workspace_id = t.workspace_id
    left join sweeps s on s.workspace_id = t.workspace_id and s.sweep_id = t.sweep_id
  `.execute(tx);
  return rows;
}

/** Those that are to leave no more, or later. Of those that the worker has still taken. */
export async function settleUnsent(
  tx: Tx,
  invites: readonly Pick<DueInvite, 'workspaceId' | 'inviteId' | 'dueAt'>[],
  state: { readonly status: InviteStatus; readonly problem: string | null; readonly dueAt: Date | null },
): Promise<void> {
  if (invites.length === 0) return;
  await sql`
    update invites i
    set status = ${state.status}, problem = ${state.problem}, due_at = ${state.dueAt}::timestamptz
    from unnest(
      ${invites.map(({ workspaceId }) => workspaceId)}::uuid[], ${invites.map(({ inviteId }) => inviteId)}::uuid[],
      ${invites.map(({ dueAt }) => dueAt.toISOString())}::timestamptz[]
    ) as d(workspace_id, invite_id, due_at)
    where i.workspace_id = d.workspace_id and i.invite_id = d.invite_id and i.status = 'queued' and i.due_at = d.due_at
  `.execute(tx);
}

/**
 * The last moment at which a mail can be stopped: whoever has unsubscribed, was forgotten or is somebody else's by now is
 * not written to. True: it is on its way, and is called lost after `until`.
 */
export async function beginSending(
  tx: Tx,
  { workspaceId, inviteId, dueAt }: Pick<DueInvite, 'workspaceId' | 'inviteId' | 'dueAt'>,
  until: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update invites i set status = 'sending', due_at = ${until}
    where i.workspace_id = ${workspaceId} and i.invite_id = ${inviteId} and i.status = 'queued'
      and i.due_at = ${dueAt} and i.email is not null
      and not exists (
        select from suppressions s where s.workspace_id = i.workspace_id and s.email_hash = i.email_hash
      )
    returning 1
  `.execute(tx);
  return rows.length === 1;
}

/**
 * What became of a mail that was on its way; what is heard late counts too. Whoever was forgotten meanwhile does not wait
 * for another try.
 */
export async function settleSent(
  tx: Tx,
  { workspaceId, inviteId }: Named,
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

/** Mails that may have left by now: nobody knows, and none is sent again. Answers how many. */
export async function giveUpUnsent(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    update invites set status = 'unknown', due_at = null, problem = 'restored' where status in ('queued', 'sending')
  `.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

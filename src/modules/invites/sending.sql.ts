import type { Queue } from '../../engine/due.sql.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';
import type { PassRow } from '../passes/pass-row.ts';
import type { InviteStatus } from './invite-row.ts';

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
  readonly attempts: number;
  readonly createdAt: Date;
  /** Until when it is the worker's: nobody else has it as long as it says so. */
  readonly dueAt: Date;
}

/** The same with what its mail tells. */
export interface DueInvite extends TakenInvite, Pick<PassRow, 'title' | 'type' | 'colors'> {
  /** Null: the pass was deleted; it has neither title nor colours then. */
  readonly passStatus: PassRow['status'] | null;
  readonly sweepStatus: string | null;
  readonly shop: string;
  readonly shopLocale: string;
  readonly suspendedAt: Date | null;
}

type Named = Pick<DueInvite, 'workspaceId' | 'inviteId'>;

/** The columns of DueInvite that an invitation has itself. */
const columns = sql`
  workspace_id, invite_id, pass_id, sweep_id, email, name, locale, identifier, email_hash, link_secret, attempts,
  created_at, due_at`;
const invites = {
  table: 'invites',
  part: 'workspaceId',
  key: { inviteId: 'uuid' },
  due: 'dueAt',
  columns,
} as const;

/** Invitations that are to be sent. */
export const dueInvites: Queue<TakenInvite> = { ...invites, where: sql`status = 'queued'` };

/** Mails under way whose worker was not heard of for long. */
export const lostInvites: Queue<TakenInvite> = { ...invites, where: sql`status = 'sending'` };

/** Nobody knows whether they arrived. */
export const givenUp = sql`status = 'unknown', problem = 'worker_lost'`;

/** The queues in which something is due, and how much, counted up to `most`. Walks from queue to queue. */
export async function listDueQueues(
  db: Db,
  now: Date,
  most: number,
): Promise<(Waiting & { readonly due: number })[]> {
  const { rows } = await sql<Waiting & { due: number }>`
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

/** Invitations that are due, the longest ago first, so many of each queue. */
export async function findDueInvites(
  db: Db,
  queues: readonly (Waiting & { readonly most: number })[],
  now: Date,
): Promise<Named[]> {
  const { rows } = await sql<Named>`
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
    ) d
  `.execute(db);
  return rows;
}

/** What mails of one workspace tell, beside the invitations themselves. */
export async function describeInvites(
  db: Db,
  workspaceId: string,
  taken: readonly TakenInvite[],
): Promise<DueInvite[]> {
  const { rows } = await sql<Omit<DueInvite, keyof TakenInvite>>`
    select p.title, p.type, p.colors, p.status as pass_status, s.status as sweep_status, w.name as shop,
      w.locale as shop_locale, w.suspended_at
    from unnest(
      ${taken.map(({ passId }) => passId)}::uuid[], ${taken.map(({ sweepId }) => sweepId)}::uuid[]
    ) with ordinality as t(pass_id, sweep_id, place)
    cross join (select name, locale, suspended_at from workspaces where workspace_id = ${workspaceId}) as w
    left join lateral (
      select title, type, colors, status from passes p
      where p.workspace_id = ${workspaceId} and p.pass_id = t.pass_id
      limit 1
    ) as p on true
    left join lateral (
      select status from sweeps s where s.workspace_id = ${workspaceId} and s.sweep_id = t.sweep_id limit 1
    ) as s on true
    order by t.place
  `.execute(db);
  return taken.flatMap((invite, place) => {
    const told = rows[place];
    return told === undefined ? [] : [{ ...invite, ...told }];
  });
}

/** Those of one workspace that are to leave no more, or later. Of those that the worker has still taken. */
export async function settleUnsent(
  tx: Tx,
  workspaceId: string,
  unsent: readonly Pick<DueInvite, 'inviteId' | 'dueAt'>[],
  state: { readonly status: InviteStatus; readonly problem: string | null; readonly dueAt: Date | null },
): Promise<void> {
  await sql`
    with held as materialized (
      select i.*
      from unnest(
        ${unsent.map(({ inviteId }) => inviteId)}::uuid[], ${unsent.map(({ dueAt }) => dueAt)}::timestamptz[]
      ) as d(invite_id, due_at)
      cross join lateral (
        select i.invite_id from invites i
        where i.workspace_id = ${workspaceId} and i.invite_id = d.invite_id and i.status = 'queued'
          and i.due_at = d.due_at
        for no key update
      ) as i
    )
    update invites i
    set status = ${state.status}, problem = ${state.problem}, due_at = ${state.dueAt}::timestamptz
    from held
    where i.workspace_id = ${workspaceId} and i.invite_id = held.invite_id
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
  const { rowCount } = await sql`
    update invites set status = 'unknown', due_at = null, problem = 'restored' where status in ('queued', 'sending')
  `.execute(tx);
  return rowCount;
}

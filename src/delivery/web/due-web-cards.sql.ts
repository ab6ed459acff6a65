import type { CardKey } from '../../engine/card-key.ts';
import type { Queue } from '../../engine/queue.sql.ts';
import type { Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';
import type { Subscription } from './push-note.ts';
import type { Viewer } from './web-cards.sql.ts';

/** A browser to push to. */
export interface DueViewer extends Viewer, Subscription {
  /** The end of the lease. */
  readonly dueAt: Date;
  /** The tag of the change that is pushed. */
  readonly tag: number;
  readonly attempts: number;
}

const viewers = {
  job: 'pushWebCards',
  table: 'webCards',
  part: 'workspaceId',
  key: { instanceId: 'uuid', viewerId: 'uuid' },
  due: 'dueAt',
  columns: sql`workspace_id, instance_id, viewer_id, due_at, push_endpoint, push_keys, said, tag, attempts`,
} as const;

/** Viewers that are to be pushed to. */
export const pushedViewers: Queue<DueViewer> = { ...viewers, where: sql`push_endpoint is not null` };

/**
 * Viewers without a subscription: an open page shows the change, and one that is opened later shows the newest state. As the index says it,
 * so that the planner does not take them for few.
 */
export const shownViewers: Queue<DueViewer> = {
  ...viewers,
  where: sql`coalesce(push_endpoint is null, true)`,
};

/** Resets the attempts of their pushes. */
export const noAttempts = sql`attempts = 0`;

/**
 * Records that viewers of one workspace were pushed to, and what they know by that. One that has got another change since stays due. Returns the cards
 * whose newest state was pushed.
 */
export function recordPushed(
  tx: Tx,
  workspaceId: string,
  pushed: readonly DueViewer[],
  now: Date,
): Promise<CardKey[]> {
  return sql<CardKey>`
    with held as materialized (${held(workspaceId, pushed)}), recorded as (
      update web_cards w
      set due_at = case when held.tag = held.pushed_tag then null else ${now}::timestamptz end, attempts = 0,
        said = held.pushed_said
      from held
      where w.workspace_id = ${workspaceId} and w.instance_id = held.instance_id and w.viewer_id = held.viewer_id
    )
    select ${workspaceId}::uuid as workspace_id, instance_id from held where tag = pushed_tag
  `.rows(tx);
}

/** Forgets subscriptions that take no pushes: their viewers stay installed until `until`, and are due as such. */
export async function dropSubscriptions(
  tx: Tx,
  workspaceId: string,
  refused: readonly DueViewer[],
  { until, now }: { until: Date; now: Date },
): Promise<void> {
  await sql`
    with held as materialized (${held(workspaceId, refused)})
    update web_cards w set push_endpoint = null, push_keys = null, expires_at = ${until}, due_at = ${now}, attempts = 0
    from held
    where w.workspace_id = ${workspaceId} and w.instance_id = held.instance_id and w.viewer_id = held.viewer_id
      and held.push_endpoint = held.pushed_endpoint
  `.execute(tx);
}

/** Locks viewers, each looked up by its key, in the order of their ids; with the state that was pushed, and where to. */
function held(workspaceId: string, pushed: readonly DueViewer[]) {
  const sorted = [...pushed].sort((a, b) =>
    `${a.instanceId}/${a.viewerId}` < `${b.instanceId}/${b.viewerId}` ? -1 : 1,
  );
  return sql`
    select w.*, pushed.tag as pushed_tag, pushed.push_endpoint as pushed_endpoint, pushed.said as pushed_said
    from unnest(
      ${sql.list(sorted, 'uuid', (viewer) => viewer.instanceId)}, ${sql.list(sorted, 'uuid', (viewer) => viewer.viewerId)},
      ${sql.list(sorted, 'text', (viewer) => viewer.pushEndpoint)}, ${sql.list(sorted, 'bigint', (viewer) => viewer.tag)},
      ${sql.list(sorted, 'jsonb', ({ said }) => said && JSON.stringify(said))}
    ) as pushed(instance_id, viewer_id, push_endpoint, tag, said)
    cross join lateral (
      select w.instance_id, w.viewer_id, w.push_endpoint, w.tag from web_cards w
      where w.workspace_id = ${workspaceId} and w.instance_id = pushed.instance_id and w.viewer_id = pushed.viewer_id
      for no key update
    ) as w`;
}

/** Takes a viewer away while it still has the subscription. True when it was there. */
export async function deleteSubscribed(tx: Tx, viewer: DueViewer): Promise<boolean> {
  const { rowCount } = await sql`
    delete from web_cards
    where workspace_id = ${viewer.workspaceId} and instance_id = ${viewer.instanceId}
      and viewer_id = ${viewer.viewerId} and push_endpoint = ${viewer.pushEndpoint}
  `.execute(tx);
  return rowCount === 1;
}

/** Takes back every push that is due. */
export async function forgetAllDue(tx: Tx): Promise<void> {
  await tx.updateTable('webCards').set({ dueAt: null, attempts: 0 }).where('dueAt', 'is not', null).execute();
}

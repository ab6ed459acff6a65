import { sql } from 'kysely';
import type { Tx } from '../../kit/db/database.ts';
import type { Card, Viewer } from './web-cards.sql.ts';

/** A browser to push to. */
export interface DueViewer extends Viewer {
  readonly pushEndpoint: string;
  /** The change that the push stands for. */
  readonly tag: number;
  readonly attempts: number;
}

/**
 * Notes that viewers without a subscription have been told: who has the card open sees it, and who comes back sees the
 * newest. Returns their cards.
 */
export async function takeShown(tx: Tx, now: Date, limit: number): Promise<Card[]> {
  const { rows } = await sql<Card>`
    with due as materialized (
      select workspace_id, instance_id, viewer_id from web_cards
      where due_at <= ${now} and push_endpoint is null
      order by due_at
      limit ${limit}
      for no key update skip locked
    )
    update web_cards w set due_at = null, attempts = 0
    from due
    where w.workspace_id = due.workspace_id and w.instance_id = due.instance_id and w.viewer_id = due.viewer_id
    returning w.workspace_id, w.instance_id
  `.execute(tx);
  return rows;
}

/**
 * Takes viewers whose push is due, the longest due first. They are due again at `leasedUntil`, should the caller never
 * record what became of it.
 */
export async function claimDueViewers(
  tx: Tx,
  claim: { now: Date; leasedUntil: Date; limit: number },
): Promise<DueViewer[]> {
  const { rows } = await sql<DueViewer>`
    with due as materialized (
      select workspace_id, instance_id, viewer_id from web_cards
      where due_at <= ${claim.now} and push_endpoint is not null
      order by due_at
      limit ${claim.limit}
      for no key update skip locked
    )
    update web_cards w set due_at = ${claim.leasedUntil}
    from due
    where w.workspace_id = due.workspace_id and w.instance_id = due.instance_id and w.viewer_id = due.viewer_id
    returning w.workspace_id, w.instance_id, w.viewer_id, w.push_endpoint, w.tag, w.attempts
  `.execute(tx);
  return rows;
}

/**
 * Notes that viewers were pushed to. One that has got another change since stays due. Returns the cards whose newest
 * state the pushes stand for.
 */
export async function recordTold(tx: Tx, viewers: readonly DueViewer[], now: Date): Promise<Card[]> {
  const { rows } = await sql<Card>`
    with told as (${named(viewers)}), held as materialized (
      select w.workspace_id, w.instance_id, w.viewer_id, w.tag = told.tag as is_newest
      from web_cards w join told using (workspace_id, instance_id, viewer_id)
      order by w.workspace_id, w.instance_id, w.viewer_id
      for no key update of w
    ), recorded as (
      update web_cards w
      set due_at = case when held.is_newest then null else ${now}::timestamptz end, attempts = 0
      from held
      where w.workspace_id = held.workspace_id and w.instance_id = held.instance_id
        and w.viewer_id = held.viewer_id
    )
    select workspace_id, instance_id from held where is_newest
  `.execute(tx);
  return rows;
}

/** Tries viewers again later; the caller says when for each. */
export async function postponeViewers(
  tx: Tx,
  viewers: readonly (DueViewer & { readonly dueAt: Date })[],
): Promise<void> {
  await sql`
    with later as (${named(viewers)}), held as materialized (
      select w.workspace_id, w.instance_id, w.viewer_id, later.due_at
      from web_cards w join later using (workspace_id, instance_id, viewer_id)
      order by w.workspace_id, w.instance_id, w.viewer_id
      for no key update of w
    )
    update web_cards w set due_at = held.due_at, attempts = least(w.attempts + 1, 30000)
    from held
    where w.workspace_id = held.workspace_id and w.instance_id = held.instance_id
      and w.viewer_id = held.viewer_id
  `.execute(tx);
}

/** Forgets subscriptions that take no pushes: their viewers stay installed until `until`, and are due as such. */
export async function dropSubscriptions(
  tx: Tx,
  viewers: readonly DueViewer[],
  { until, now }: { until: Date; now: Date },
): Promise<void> {
  await sql`
    with refused as (${named(viewers)}), held as materialized (
      select w.workspace_id, w.instance_id, w.viewer_id
      from web_cards w join refused using (workspace_id, instance_id, viewer_id)
      where w.push_endpoint = refused.push_endpoint
      order by w.workspace_id, w.instance_id, w.viewer_id
      for no key update of w
    )
    update web_cards w set push_endpoint = null, expires_at = ${until}, due_at = ${now}, attempts = 0
    from held
    where w.workspace_id = held.workspace_id and w.instance_id = held.instance_id
      and w.viewer_id = held.viewer_id
  `.execute(tx);
}

/** Takes a viewer away while it still has the subscription. True when it was there. */
export async function deleteSubscribed(tx: Tx, viewer: DueViewer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from web_cards
    where workspace_id = ${viewer.workspaceId} and instance_id = ${viewer.instanceId}
      and viewer_id = ${viewer.viewerId} and push_endpoint = ${viewer.pushEndpoint}
  `.execute(tx);
  return numAffectedRows === 1n;
}

/** The viewers as rows. */
function named(viewers: readonly (DueViewer & { readonly dueAt?: Date })[]) {
  return sql`
    select * from unnest(
      ${viewers.map((viewer) => viewer.workspaceId)}::uuid[], ${viewers.map((viewer) => viewer.instanceId)}::uuid[],
      ${viewers.map((viewer) => viewer.viewerId)}::uuid[], ${viewers.map((viewer) => viewer.pushEndpoint)}::text[],
      ${viewers.map((viewer) => viewer.tag)}::bigint[], ${viewers.map((viewer) => viewer.dueAt ?? null)}::timestamptz[]
    ) as v(workspace_id, instance_id, viewer_id, push_endpoint, tag, due_at)`;
}

/** Takes back every push that is due. */
export async function forgetAllDue(tx: Tx): Promise<void> {
  await tx.updateTable('webCards').set({ dueAt: null, attempts: 0 }).where('dueAt', 'is not', null).execute();
}

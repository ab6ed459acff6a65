import type { CardKey } from '../../engine/card-key.ts';
import type { Due, DueScan } from '../../engine/due.sql.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { prepared, sql } from '../../kit/db/sql.ts';
import type { Subscription } from './push-note.ts';

/** A browser that has a card open or installed. */
export interface Viewer extends CardKey {
  readonly viewerId: string;
}

/** When a viewer stops to count; `infinity` while its push service has not said that it is gone. */
export type ViewerEnd = Date | 'infinity';

/** What is known of a viewer. */
export interface ViewerState {
  readonly until: ViewerEnd;
  readonly subscription: Subscription | null;
  /** It has added the card, and not only opened it. */
  readonly added: boolean;
}

/** So many viewers, and so many of them that have added the card. */
export interface ViewerCount {
  readonly viewers: number;
  readonly added: number;
}

/** Keeps a viewer alive that is written down already. False when it is not. */
export async function renewViewer(tx: Tx, viewer: Viewer, until: Date): Promise<boolean> {
  const { rowCount } = await sql`
    update web_cards set expires_at = greatest(expires_at, ${until})
    where ${isViewer(viewer)}
  `.execute(tx);
  return rowCount === 1;
}

/** Keeps many viewers of one workspace alive. Returns those that are not written down. */
export function renewViewers(
  tx: Tx,
  workspaceId: string,
  viewers: readonly Viewer[],
  until: Date,
): Promise<Viewer[]> {
  const sorted = [...viewers].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return sql<Viewer>`
    with open as materialized (
      select o.instance_id, o.viewer_id, w.expires_at
      from unnest(
        ${sql.list(sorted, 'uuid', (viewer) => viewer.instanceId)}, ${sql.list(sorted, 'uuid', (viewer) => viewer.viewerId)}
      ) as o(instance_id, viewer_id)
      left join lateral (
        select w.expires_at from web_cards w
        where w.workspace_id = ${workspaceId} and w.instance_id = o.instance_id and w.viewer_id = o.viewer_id
        for no key update
      ) as w on true
    ), renewed as (
      update web_cards w set expires_at = ${until}
      from open
      where w.workspace_id = ${workspaceId} and w.instance_id = open.instance_id and w.viewer_id = open.viewer_id
        and open.expires_at < ${until}
    )
    select ${workspaceId}::uuid as workspace_id, instance_id, viewer_id from open where expires_at is null
  `.rows(tx);
}

function nameOf({ instanceId, viewerId }: Viewer): string {
  return `${instanceId}/${viewerId}`;
}

/**
 * Writes a viewer of a card down; that of an erased card is not. The caller holds the card and has made room. Returns what
 * is new: a viewer, and whether it has added the card now.
 */
export async function upsertViewer(tx: Tx, viewer: Viewer, state: ViewerState): Promise<ViewerCount> {
  const hadAdded = state.added && (await hasAdded(tx, viewer));
  const { pushEndpoint = null, pushKeys = null, said = null } = state.subscription ?? {};
  const { rows } = await sql<{ viewers: number }>`
    insert into web_cards as w (workspace_id, instance_id, viewer_id, push_endpoint, push_keys, said, expires_at, added)
    select workspace_id, instance_id, ${viewer.viewerId}::uuid, ${pushEndpoint}, ${pushKeys}::jsonb, ${said}::jsonb, ${state.until}::timestamptz, ${state.added}::boolean
    from instances
    where ${isOfCard(viewer)} and erased_at is null
    on conflict (workspace_id, instance_id, viewer_id) do update set
      push_endpoint = excluded.push_endpoint, push_keys = excluded.push_keys, said = excluded.said, expires_at = excluded.expires_at, added = w.added or excluded.added
    returning (xmax = 0)::int as viewers
  `.execute(tx);
  return { viewers: rows[0]?.viewers ?? 0, added: rows.length > 0 && state.added && !hadAdded ? 1 : 0 };
}

async function hasAdded(tx: Tx, viewer: Viewer): Promise<boolean> {
  const { rows } = await sql`select 1 from web_cards where ${isViewer(viewer)} and added`.execute(tx);
  return rows.length > 0;
}

/**
 * Makes room for one more viewer among `most`: the one that would end first goes, unless it would outlive the
 * newcomer. Returns how many there are besides, and what has gone.
 */
export async function makeRoom(
  tx: Tx,
  viewer: Viewer,
  { most, until }: { most: number; until: ViewerEnd },
): Promise<{ others: number; evicted: ViewerCount }> {
  const { rows } = await sql<ViewerCount & { others: number }>`
    with others as materialized (
      select viewer_id, expires_at from web_cards
      where ${isOfCard(viewer)} and viewer_id <> ${viewer.viewerId}
      order by viewer_id
      for update
    ), evicted as (
      delete from web_cards
      where ${isOfCard(viewer)} and viewer_id = (
        select viewer_id from others where expires_at <= ${until}::timestamptz
        order by expires_at, viewer_id limit 1
      ) and (select count(*) from others) >= ${most}
      returning added
    )
    select (select count(*)::int from others) as others, count(*)::int as viewers,
      count(*) filter (where added)::int as added
    from evicted
  `.execute(tx);
  const { others = 0, viewers = 0, added = 0 } = rows[0] ?? {};
  return { others, evicted: { viewers, added } };
}

/** A browser that lost its memory comes as another viewer with the subscription it had. Returns what was dropped. */
export async function deleteTwins(tx: Tx, viewer: Viewer, pushEndpoint: string): Promise<ViewerCount> {
  const { rows } = await sql<{ added: boolean }>`
    delete from web_cards
    where ${isOfCard(viewer)} and viewer_id <> ${viewer.viewerId} and push_endpoint = ${pushEndpoint}
    returning added
  `.execute(tx);
  return countOf(rows);
}

/** Lets an installed viewer end soon, without its subscription. */
export async function shortenViewer(tx: Tx, viewer: Viewer, until: Date): Promise<void> {
  await sql`
    update web_cards set push_endpoint = null, push_keys = null, said = null, expires_at = ${until} where ${isViewer(viewer)}
  `.execute(tx);
}

/** Takes the viewers of a card away that end before `end`; all of them, or the one. Returns what was dropped. */
export async function deleteEnded(
  tx: Tx,
  { workspaceId, instanceId, viewerId = null }: CardKey & { readonly viewerId?: string | null },
  end: Date,
): Promise<ViewerCount> {
  const { rows } = await sql<{ added: boolean }>`
    delete from web_cards
    where ${isOfCard({ workspaceId, instanceId })} and (${viewerId}::uuid is null or viewer_id = ${viewerId})
      and expires_at <= ${end}
    returning added
  `.execute(tx);
  return countOf(rows);
}

function countOf(rows: readonly { readonly added: boolean }[]): ViewerCount {
  return { viewers: rows.length, added: rows.filter(({ added }) => added).length };
}

/** Viewers that have ended. */
export const endedViewers: Due = { table: 'webCards', due: 'expiresAt' };

/** Cards with viewers that have ended, those that waited longest first. */
export function listCardsWithEnded(db: Db, { now, within, most }: DueScan): Promise<CardKey[]> {
  return sql<CardKey>`
    select distinct workspace_id, instance_id from (
      select workspace_id, instance_id from web_cards
      where ${within} and expires_at <= ${now}
      order by expires_at
      limit ${most}
    ) as ended
  `.rows(db);
}

/**
 * Gives the web cards of a workspace a new tag and makes a push due. One that is due or under way already is enough.
 * Returns the job that now has something to do.
 */
export async function wakeWebCardsOf(
  tx: Tx,
  cards: readonly CardKey[],
  at: Date,
): Promise<readonly 'pushWebCards'[]> {
  const workspaceId = cards[0]?.workspaceId;
  const { rows } = await sql<{ isDue: boolean }>`
    with held as materialized (
      select w.*
      from unnest(${sql.list(cards.map((card) => card.instanceId).sort(), 'uuid')}) as c(instance_id)
      cross join lateral (
        select w.instance_id, w.viewer_id from web_cards w
        where w.workspace_id = ${workspaceId} and w.instance_id = c.instance_id
        order by w.viewer_id
        for no key update
      ) as w
    ), woken as (
      update web_cards w
      set tag = w.tag + 1, due_at = coalesce(w.due_at, ${at}),
        attempts = case when w.due_at is null then 0 else w.attempts end
      -- all of them: the limit is for a plan that is kept, which would join a whole table with what may be many
      from (select * from held limit ${Number.MAX_SAFE_INTEGER}) as held
      where w.instance_id = held.instance_id and w.workspace_id = ${workspaceId} and w.viewer_id = held.viewer_id
      returning w.due_at <= ${at} as is_due
    )
    select coalesce(bool_or(is_due), false) as is_due from woken
  `.execute(tx);
  return rows[0]?.isDue === true ? ['pushWebCards'] : [];
}

/** Lets all viewers of a card end soon. */
export async function shortenViewersOf(tx: Tx, card: CardKey, until: Date): Promise<void> {
  await sql`
    with held as materialized (
      select viewer_id from web_cards where ${isOfCard(card)} and expires_at > ${until}
      order by viewer_id
      for no key update
    )
    update web_cards w set expires_at = ${until}
    from held
    where ${isOfCard(card)} and w.viewer_id = held.viewer_id
  `.execute(tx);
}

/** A card that a process has open, and the stamp of the state that it has seen; null for none. */
export interface OpenCard extends CardKey {
  readonly stamp: string | null;
}

/**
 * Of many open cards of a workspace, returns those that differ from their stamp, with the new one; null for a card
 * that no longer exists. A stamp covers everything that a card shows, so equal stamps mean equal cards; only the time
 * makes a card expire without a new one.
 */
export function listChanged(db: Db, workspaceId: string, cards: readonly OpenCard[]): Promise<OpenCard[]> {
  return prepared<OpenCard>`
    with open as (
      select * from unnest(
        ${sql.list(cards, 'uuid', (card) => card.instanceId)}, ${sql.list(cards, 'text', (card) => card.stamp)}
      ) as o(instance_id, seen)
    ), now as (
      select open.*, case when i.erased_at is null then
          concat_ws('/', i.revision + coalesce(a.seq, 0), p.revision, md5(row(h.name, h.locale, p.message, w.name, w.locale, w.timezone)::text))
        end as stamp
      from open
      left join lateral (
        select * from instances where instance_id = open.instance_id and workspace_id = ${workspaceId} limit 1
      ) as i on true
      left join lateral (
        select * from passes where pass_id = i.pass_id and workspace_id = ${workspaceId} limit 1
      ) as p on true
      left join lateral (select * from workspaces where workspace_id = ${workspaceId} limit 1) as w on true
      left join lateral (
        select * from holders where instance_id = i.instance_id and workspace_id = ${workspaceId} limit 1
      ) as h on true
      left join lateral (
        select seq from loyalty_accounts where instance_id = i.instance_id and workspace_id = ${workspaceId} limit 1
      ) as a on true
    )
    select ${workspaceId}::uuid as workspace_id, instance_id, stamp from now where stamp is null or stamp is distinct from seen
  `.rows(db);
}

function isOfCard({ workspaceId, instanceId }: CardKey) {
  return sql`workspace_id = ${workspaceId} and instance_id = ${instanceId}`;
}

function isViewer(viewer: Viewer) {
  return sql`${isOfCard(viewer)} and viewer_id = ${viewer.viewerId}`;
}

import type { CardKey } from '../engine/card-key.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import { firstId } from '../kit/ids.ts';
import type { PassKey } from '../passes/pass-row.ts';

/** What holds of each card that is looked for; what is null does not matter. */
export interface CardMatch {
  readonly workspaceId: string;
  readonly passId: string;
  /** The wallet that holds it. */
  readonly wallet: 'apple' | 'google' | 'web' | null;
  /** What it shows in fields; `standard` is what those without a value of their own show. */
  readonly fields: readonly {
    readonly key: string;
    readonly value: string | null;
    readonly standard: string | null;
  }[];
  readonly balance: { readonly from: number | null; readonly to: number | null } | null;
  /** Lifetime points from, and below. */
  readonly lifetime: { readonly from: number; readonly below: number | null } | null;
  /** Ids of events begin with their time: whether there is one of a holder since then, and none. */
  readonly seenSince: string | null;
  readonly unseenSince: string | null;
  readonly partnerId: string | null;
  /** It was issued before, and has earned nothing since. */
  readonly awaySince: Date | null;
  /** A reward is unlocked, or the balance is at least `cost`; null in `cost`: what is unlocked alone counts. */
  readonly waiting: { readonly cost: number | null } | null;
  /** A consent that was agreed to when it was last asked for. */
  readonly consent: string | null;
}

/** The next installed cards of a pass, of which some match. Void ones never do. */
export interface Scanned {
  /** How many were looked at; fewer than asked for: there are no more. */
  readonly looked: number;
  /** The last of them; null where there was none. */
  readonly last: string | null;
  readonly matching: number;
  /** The first of those that match. */
  readonly instanceIds: readonly string[];
}

/** Looks at the next installed cards of a pass, in the order of their ids, and picks those that match. */
export async function scanCards(
  db: Db,
  match: CardMatch,
  { after, look, pick }: { readonly after: string | null; readonly look: number; readonly pick: number },
): Promise<Scanned> {
  const { workspaceId, passId } = match;
  const { rows } = await sql<Scanned>`
    with looked as materialized (
      select i.instance_id, ${matches(match)} as matches
      from (
        select * from instances
        where workspace_id = ${workspaceId} and pass_id = ${passId} and installed
          and instance_id > ${after ?? firstId}::uuid
        order by instance_id
        limit ${look}
      ) as i
      ${needsAccount(match) ? withAccount(workspaceId) : sql``}
    )
    select count(*)::int as looked, count(*) filter (where matches)::int as matching,
      (select instance_id from looked order by instance_id desc limit 1) as last,
      array(select instance_id from looked where matches order by instance_id limit ${pick}) as instance_ids
    from looked
  `.execute(db);
  return rows[0] ?? { looked: 0, last: null, matching: 0, instanceIds: [] };
}

function needsAccount({ balance, lifetime, awaySince, waiting }: CardMatch): boolean {
  return balance !== null || lifetime !== null || awaySince !== null || waiting !== null;
}

const withAccount = (workspaceId: string) => sql`
  left join lateral (
    select balance, lifetime_points, pending_rewards, last_earned_at from loyalty_accounts
    where instance_id = i.instance_id and workspace_id = ${workspaceId} limit 1
  ) as a on true`;

function matches({ workspaceId, ...match }: CardMatch): Sql {
  const { wallet, fields, balance, lifetime, seenSince, unseenSince, partnerId } = match;
  const { awaySince, waiting, consent } = match;
  const all: readonly Sql[] = [
    sql`i.status = 'active'`,
    ...(wallet === null ? [] : [sql`i.${sql.ref(`${wallet}Wallets`)} > 0`]),
    ...fields.map(
      ({ key, value, standard }) => sql`
        case when i.fields ? ${key} then i.fields ->> ${key} else ${standard}::text end
          is not distinct from ${value}::text`,
    ),
    ...(balance === null
      ? []
      : [
          sql`coalesce(coalesce(a.balance, 0) >= ${balance.from}::bigint, true)`,
          sql`coalesce(coalesce(a.balance, 0) <= ${balance.to}::bigint, true)`,
        ]),
    ...(lifetime === null
      ? []
      : [
          sql`coalesce(a.lifetime_points, 0) >= ${lifetime.from}::bigint`,
          sql`coalesce(coalesce(a.lifetime_points, 0) < ${lifetime.below}::bigint, true)`,
        ]),
    ...(seenSince === null ? [] : [seen(workspaceId, seenSince)]),
    ...(unseenSince === null ? [] : [sql`not ${seen(workspaceId, unseenSince)}`]),
    ...(awaySince === null
      ? []
      : [sql`i.created_at < ${awaySince} and coalesce(a.last_earned_at < ${awaySince}, true)`]),
    ...(waiting === null
      ? []
      : [
          sql`(coalesce(a.pending_rewards, 0) > 0 or coalesce(coalesce(a.balance, 0) >= ${waiting.cost}::bigint, false))`,
        ]),
    ...(consent === null ? [] : [agreed(workspaceId, consent)]),
    ...(partnerId === null ? [] : [sql`i.partner_id is not distinct from ${partnerId}::uuid`]),
  ];
  return sql`(${sql.join(all, sql` and `)})`;
}

/** Whether a wallet has taken or fetched the card, or a browser has opened its page: asked card by card, never of a whole table. */
function seen(workspaceId: string, since: string): Sql {
  return sql`exists (
    select from instance_events e
    where e.instance_id = i.instance_id and e.workspace_id = ${workspaceId} and e.event_id >= ${since}::uuid
      and e.kind in ('instance.fetched', 'instance.link_opened', 'instance.installed', 'fetched', 'link opened', 'installed')
    offset 0
  )`;
}

/** Whether the holder of the card has agreed, as of the newest of their answers. */
function agreed(workspaceId: string, key: string): Sql {
  return sql`coalesce((
    select c.agreed from consents c
    where c.instance_id = i.instance_id and c.workspace_id = ${workspaceId} and c.key = ${key}
    order by c.consent_id desc limit 1
  ), false)`;
}

/** How many void cards of a pass are in wallets. */
export async function countVoidInstalled(db: Db, { workspaceId, passId }: PassKey): Promise<number> {
  const { rows } = await sql<{ cards: number }>`
    select count(*)::int as cards from instances
    where workspace_id = ${workspaceId} and pass_id = ${passId} and installed and status = 'voided'
  `.execute(db);
  return rows[0]?.cards ?? 0;
}

/** Looks at the next cards of a pass, in wallets or not, and picks those whose text is that of a message. */
export async function scanNews(
  db: Db,
  { workspaceId, passId }: PassKey,
  { newsId, after, look, pick }: { newsId: string; after: string | null; look: number; pick: number },
): Promise<Scanned> {
  const { rows } = await sql<Scanned>`
    with looked as materialized (
      select i.instance_id, i.message_id is not distinct from ${newsId}::uuid as matches
      from (
        select instance_id, message_id from instances
        where workspace_id = ${workspaceId} and pass_id = ${passId} and instance_id > ${after ?? firstId}::uuid
        order by instance_id
        limit ${look}
      ) as i
    )
    select count(*)::int as looked, count(*) filter (where matches)::int as matching,
      (select instance_id from looked order by instance_id desc limit 1) as last,
      array(select instance_id from looked where matches order by instance_id limit ${pick}) as instance_ids
    from looked
  `.execute(db);
  return rows[0] ?? { looked: 0, last: null, matching: 0, instanceIds: [] };
}

/** Keeps those cards from changing until the transaction ends whose text is that of a message; their ids. */
export async function lockNews(
  tx: Tx,
  workspaceId: string,
  { newsId, instanceIds }: { readonly newsId: string; readonly instanceIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<CardKey>`
    select instance_id from instances
    where workspace_id = ${workspaceId} and instance_id = any(${instanceIds}::uuid[]) and message_id = ${newsId}
    order by instance_id
    for no key update
  `.execute(tx);
  return rows.map(({ instanceId }) => instanceId);
}

/** A card that gets a message, and since when it shows that. */
export interface EventCard extends CardKey {
  readonly passRevision: number;
  readonly shownAt: Date;
}

/** Puts a message on cards of one workspace, which the caller holds. */
export async function setMessageOnCards(
  tx: Tx,
  cards: readonly EventCard[],
  message: { readonly text: string | null; readonly id: string },
): Promise<void> {
  const [first] = cards;
  if (first === undefined) return;
  await sql`
    update instances i
    set message = ${message.text}, message_id = ${message.id}, revision = i.revision + 1, modified_at = audience.shown_at,
      pass_revision = audience.pass_revision
    from (
      select * from unnest(
        ${cards.map(({ instanceId }) => instanceId)}::uuid[], ${cards.map(({ shownAt }) => shownAt)}::timestamptz[],
        ${cards.map(({ passRevision }) => passRevision)}::bigint[]
      ) as t(instance_id, shown_at, pass_revision)
      limit ${cards.length}
    ) as audience
    where i.instance_id = audience.instance_id and i.workspace_id = ${first.workspaceId}
  `.execute(tx);
}

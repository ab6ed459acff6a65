import type { Db, Tx } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import { firstId } from '../kit/ids.ts';
import type { CardKey } from './instance-row.ts';

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
}

/** The next installed cards of a pass, of which some match. */
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
      ${match.balance === null && match.lifetime === null ? sql`` : withAccount(workspaceId)}
    )
    select count(*)::int as looked, count(*) filter (where matches)::int as matching,
      (select instance_id from looked order by instance_id desc limit 1) as last,
      array(select instance_id from looked where matches order by instance_id limit ${pick}) as instance_ids
    from looked
  `.execute(db);
  return rows[0] ?? { looked: 0, last: null, matching: 0, instanceIds: [] };
}

const withAccount = (workspaceId: string) => sql`
  left join lateral (
    select balance, lifetime_points from loyalty_accounts where instance_id = i.instance_id and workspace_id = ${workspaceId} limit 1
  ) as a on true`;

function matches({ workspaceId, ...match }: CardMatch): Sql {
  const { wallet, fields, balance, lifetime, seenSince, unseenSince, partnerId } = match;
  const all: readonly Sql[] = [
    sql`true`,
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

/** A card that gets a message, and since when it shows that. */
export interface EventCard extends CardKey {
  readonly passRevision: number;
  readonly shownAt: Date;
}

/** Puts a message on cards of one workspace, which the caller holds. */
export async function readEventCards(
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

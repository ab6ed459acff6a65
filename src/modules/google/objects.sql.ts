import { sql } from 'kysely';
import type { Db, Tx } from '../../kit/db/database.ts';

interface Card {
  readonly workspaceId: string;
  readonly instanceId: string;
}

/** What Google knows of a card. */
interface ObjectRow {
  /** SHA-256 of what Google was told last; null when it was told nothing yet. */
  readonly content: Buffer | null;
  /** Whether a holder keeps it. */
  readonly saved: boolean;
}

/** A card that somebody has taken to tell Google of. */
export interface DueObject extends Card, ObjectRow {
  /** The change that the telling stands for. */
  readonly tag: number;
  readonly attempts: number;
  /** Its notifying updates of the last 24 hours. */
  readonly notifiedAt: readonly Date[];
}

/** What Google was told of a card. */
export interface ToldObject {
  readonly object: DueObject;
  readonly content: Buffer | null;
  /** Whether phones were asked to announce it. */
  readonly notified: boolean;
}

/** Gives the cards' saved objects a new tag and makes a PATCH due. One that is due or under way already is enough. */
export async function wakeObjectsOf(tx: Tx, cards: readonly Card[], at: Date): Promise<void> {
  await sql`
    with held as materialized (
      select o.workspace_id, o.instance_id
      from google_objects o
      join unnest(
        ${cards.map((card) => card.workspaceId)}::uuid[], ${cards.map((card) => card.instanceId)}::uuid[]
      ) as c(workspace_id, instance_id) using (workspace_id, instance_id)
      where o.saved
      order by o.workspace_id, o.instance_id
      for no key update of o
    )
    update google_objects o
    set tag = o.tag + 1, due_at = coalesce(o.due_at, ${at}),
      attempts = case when o.due_at is null then 0 else o.attempts end
    from held
    where o.workspace_id = held.workspace_id and o.instance_id = held.instance_id
  `.execute(tx);
}

/** The same for one card, whether a holder keeps its object or not, and without a wait. */
export async function wakeObjectOf(tx: Tx, card: Card, at: Date): Promise<void> {
  await sql`
    update google_objects set tag = tag + 1, due_at = ${at}, attempts = 0
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
  `.execute(tx);
}

/** What Google knows of a card; undefined when nobody has asked for it there. */
export async function findObject(db: Db, card: Card): Promise<ObjectRow | undefined> {
  return db
    .selectFrom('googleObjects')
    .select(['content', 'saved'])
    .where('workspaceId', '=', card.workspaceId)
    .where('instanceId', '=', card.instanceId)
    .executeTakeFirst();
}

/** The columns of DueObject. */
const due = sql`o.workspace_id, o.instance_id, o.content, o.saved, o.tag, o.attempts, o.notified_at`;

/**
 * Takes the object of a card that no holder keeps yet, to make it what `content` stands for. Undefined while somebody
 * else does so, and when there is nothing to do. Free again at `leasedUntil`, should the caller never record anything.
 */
export async function claimUnsaved(
  tx: Tx,
  card: Card,
  claim: { readonly content: Buffer; readonly now: Date; readonly leasedUntil: Date },
): Promise<DueObject | undefined> {
  const { rows } = await sql<DueObject>`
    insert into google_objects as o (workspace_id, instance_id, due_at)
    values (${card.workspaceId}, ${card.instanceId}, ${claim.leasedUntil})
    on conflict (workspace_id, instance_id) do update set due_at = excluded.due_at
      where not o.saved and o.content is distinct from ${claim.content}
        and (o.due_at is null or o.due_at <= ${claim.now})
    returning ${due}
  `.execute(tx);
  return rows[0];
}

/**
 * Takes objects that are due, the longest due first. They are due again at `leasedUntil`, should the caller never
 * record what became of it.
 */
export async function claimDueObjects(
  tx: Tx,
  claim: { readonly now: Date; readonly leasedUntil: Date; readonly limit: number },
): Promise<DueObject[]> {
  const { rows } = await sql<DueObject>`
    with taken as materialized (
      select workspace_id, instance_id from google_objects
      where due_at <= ${claim.now}
      order by due_at
      limit ${claim.limit}
      for no key update skip locked
    )
    update google_objects o set due_at = ${claim.leasedUntil}
    from taken
    where o.workspace_id = taken.workspace_id and o.instance_id = taken.instance_id
    returning ${due}
  `.execute(tx);
  return rows;
}

/**
 * Notes what Google was told. An object that has got another change since stays due. Returns the cards whose newest
 * state was told.
 */
export async function recordTold(tx: Tx, told: readonly ToldObject[], now: Date): Promise<Card[]> {
  const { rows } = await sql<Card>`
    with told as (
      select * from unnest(
        ${told.map(({ object }) => object.workspaceId)}::uuid[],
        ${told.map(({ object }) => object.instanceId)}::uuid[],
        ${told.map(({ object }) => object.tag)}::bigint[],
        ${told.map(({ content }) => content)}::bytea[],
        ${told.map(({ notified }) => notified)}::boolean[]
      ) as t(workspace_id, instance_id, tag, content, notified)
    ), held as materialized (
      select o.workspace_id, o.instance_id, told.content, told.notified, o.tag = told.tag as is_newest
      from google_objects o join told using (workspace_id, instance_id)
      order by o.workspace_id, o.instance_id
      for no key update of o
    ), recorded as (
      update google_objects o
      set content = held.content, attempts = 0,
        due_at = case when held.is_newest then null else ${now}::timestamptz end,
        notified_at = array(
          select at from unnest(o.notified_at) as at where at > ${now}::timestamptz - interval '24 hours' order by at
        ) || case when held.notified then array[${now}::timestamptz] else '{}' end
      from held
      where o.workspace_id = held.workspace_id and o.instance_id = held.instance_id
    )
    select workspace_id, instance_id from held where is_newest
  `.execute(tx);
  return rows;
}

/**
 * Lets go of objects of which Google was told nothing. One that has got another change since stays due. Returns the
 * cards that have not.
 */
export async function releaseObjects(tx: Tx, objects: readonly DueObject[], now: Date): Promise<Card[]> {
  const { rows } = await sql<Card>`
    with released as (
      select * from unnest(
        ${objects.map((object) => object.workspaceId)}::uuid[], ${objects.map((object) => object.instanceId)}::uuid[],
        ${objects.map((object) => object.tag)}::bigint[]
      ) as r(workspace_id, instance_id, tag)
    ), held as materialized (
      select o.workspace_id, o.instance_id, o.tag = released.tag as is_newest
      from google_objects o join released using (workspace_id, instance_id)
      order by o.workspace_id, o.instance_id
      for no key update of o
    ), recorded as (
      update google_objects o
      set due_at = case when held.is_newest then null else ${now}::timestamptz end, attempts = 0
      from held
      where o.workspace_id = held.workspace_id and o.instance_id = held.instance_id
    )
    select workspace_id, instance_id from held where is_newest
  `.execute(tx);
  return rows;
}

/** Tries objects again later; the caller says when for each, and how many attempts it has cost. */
export async function postponeObjects(
  tx: Tx,
  objects: readonly (DueObject & { readonly dueAt: Date })[],
): Promise<void> {
  await sql`
    with later as materialized (
      select o.workspace_id, o.instance_id, l.due_at, l.attempts
      from unnest(
        ${objects.map((object) => object.workspaceId)}::uuid[], ${objects.map((object) => object.instanceId)}::uuid[],
        ${objects.map((object) => object.dueAt)}::timestamptz[],
        ${objects.map((object) => Math.min(object.attempts, 30_000))}::smallint[]
      ) as l(workspace_id, instance_id, due_at, attempts)
      join google_objects o using (workspace_id, instance_id)
      order by o.workspace_id, o.instance_id
      for no key update of o
    )
    update google_objects o set due_at = later.due_at, attempts = later.attempts
    from later
    where o.workspace_id = later.workspace_id and o.instance_id = later.instance_id
  `.execute(tx);
}

/** Google may or may not have carried out a request: whatever the object shall be next, it is told again. */
export async function doubtObjects(tx: Tx, cards: readonly Card[]): Promise<void> {
  await sql`
    with held as materialized (
      select o.workspace_id, o.instance_id
      from google_objects o
      join unnest(
        ${cards.map((card) => card.workspaceId)}::uuid[], ${cards.map((card) => card.instanceId)}::uuid[]
      ) as c(workspace_id, instance_id) using (workspace_id, instance_id)
      where o.content is not null
      order by o.workspace_id, o.instance_id
      for no key update of o
    )
    update google_objects o set content = ''
    from held
    where o.workspace_id = held.workspace_id and o.instance_id = held.instance_id
  `.execute(tx);
}

/**
 * Nobody knows what Google has been told of any card: nothing is due, and whatever comes next is told. What is left to be
 * erased there stays due.
 */
export async function doubtAllObjects(tx: Tx): Promise<void> {
  await sql`
    update google_objects o
    set content = case when o.content is not null then '\\x'::bytea end, attempts = 0,
      due_at = case
        when exists (
          select from instances i
          where i.workspace_id = o.workspace_id and i.instance_id = o.instance_id and i.erased_at is not null
        ) then o.due_at
      end
  `.execute(tx);
}

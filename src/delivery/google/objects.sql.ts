import type { CardKey } from '../../engine/card-key.ts';
import { leaseRows, type Queue } from '../../engine/queue.sql.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';

/** What Google knows of a card. */
export interface ObjectRow {
  /** SHA-256 of what Google was sent last; null when it was sent nothing yet. */
  readonly content: Buffer | null;
  /** Whether a holder keeps it. */
  readonly saved: boolean;
  /** The issuer that it is of where that is the workspace's own; null: that of the installation. */
  readonly ownIssuerId: string | null;
}

/** The jobs that send changes of cards to Google: in the name of the installation, and of workspaces. */
export type ObjectJob = 'patchObjects' | 'patchOwnObjects';

/** A card that a worker has taken to send to Google. */
export interface DueObject extends CardKey, ObjectRow {
  /** The end of the lease. */
  readonly dueAt: Date;
  /** The tag of the change that is sent. */
  readonly tag: number;
  readonly attempts: number;
  /** Its notifying updates of the last 24 hours. */
  readonly notifiedAt: readonly Date[];
  /** The message to an audience that it was sent last. */
  readonly messageId: string | null;
}

/** What Google was sent of a card. */
export interface PatchedObject {
  readonly object: DueObject;
  readonly content: Buffer | null;
  /** Whether phones were asked to announce it. */
  readonly notified: boolean;
}

const dayMs = 24 * 3_600_000;

/**
 * Gives the saved objects of cards, all of one workspace, a new tag and makes a PATCH due. One that is due or under way
 * already is enough. Returns the jobs that now have something to do.
 */
export async function wakeObjectsOf(
  tx: Tx,
  cards: readonly CardKey[],
  at: Date,
): Promise<readonly ObjectJob[]> {
  const workspaceId = cards[0]?.workspaceId;
  const { rows } = await sql<{ jobs: ObjectJob[] }>`
    with held as materialized (${held(workspaceId, cards, sql`o.saved`)}), woken as (
      update google_objects o
      set tag = o.tag + 1, due_at = coalesce(o.due_at, ${at}),
        attempts = case when o.due_at is null then 0 else o.attempts end
      from (select * from held limit ${cards.length}) as held
      where o.instance_id = held.instance_id and o.workspace_id = ${workspaceId}
      returning o.issuer_id, o.due_at <= ${at} as is_due
    )
    select coalesce(
      array_agg(distinct case when issuer_id is null then 'patchObjects' else 'patchOwnObjects' end)
        filter (where is_due), '{}'
    ) as jobs
    from woken
  `.execute(tx);
  return rows[0]?.jobs ?? [];
}

/** Locks objects, each looked up by its key, in the order of their ids; their ids. */
function held(workspaceId: string | undefined, cards: readonly CardKey[], where: Sql): Sql {
  return sql`
    select o.*
    from unnest(${sql.list(
      inOrder(cards).map((card) => card.instanceId),
      'uuid',
    )}) as c(instance_id)
    cross join lateral (
      select o.instance_id from google_objects o
      where o.workspace_id = ${workspaceId} and o.instance_id = c.instance_id and ${where}
      for no key update
    ) as o`;
}

/** In the order in which they are locked. */
export function inOrder<C extends CardKey>(cards: readonly C[]): C[] {
  return [...cards].sort((a, b) => (a.instanceId < b.instanceId ? -1 : 1));
}

/** The same for one card, whether a holder keeps its object or not, and without a wait. */
export async function wakeObjectOf(tx: Tx, card: CardKey, at: Date): Promise<readonly ObjectJob[]> {
  const { rows } = await sql<{ issuerId: string | null }>`
    update google_objects set tag = tag + 1, due_at = ${at}, attempts = 0
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
    returning issuer_id
  `.execute(tx);
  return rows.map(({ issuerId }) => jobOf(issuerId));
}

/** Returns the job that sends the objects of an issuer to Google. */
export function jobOf(ownIssuerId: string | null): ObjectJob {
  return ownIssuerId === null ? 'patchObjects' : 'patchOwnObjects';
}

/** What Google knows of a card; undefined when it was never sent there. */
export function findObject(db: Db, card: CardKey): Promise<ObjectRow | undefined> {
  return sql<ObjectRow>`
    select content, saved, issuer_id as own_issuer_id from google_objects
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
  `.first(db);
}

/** The columns of DueObject. */
const due = sql`workspace_id, instance_id, due_at, content, saved, issuer_id as own_issuer_id, tag, attempts,
  notified_at, message_id`;

const objects = {
  table: 'googleObjects',
  part: 'workspaceId',
  key: { instanceId: 'uuid' },
  due: 'dueAt',
  columns: due,
} as const;

/** Objects of the installation's issuer that are to be sent to Google. */
export const dueObjects: Queue<DueObject> = {
  ...objects,
  job: 'patchObjects',
  where: sql`not is_own`,
};

/** Objects of issuers that are workspaces' own. */
export const dueOwnObjects: Queue<DueObject> = {
  ...objects,
  job: 'patchOwnObjects',
  where: sql`is_own`,
};

interface UnsavedLease {
  readonly content: Buffer;
  readonly ownIssuerId: string | null;
  readonly now: Date;
  readonly until: Date;
}

/**
 * Leases the object of a card that no holder keeps yet, to bring it to `content`, at the issuer that is
 * asked. Undefined while another worker does so, and when there is nothing to do. Earlier messages are dropped. The lease ends at `until` if the caller records nothing.
 */
export async function takeUnsaved(
  tx: Tx,
  card: CardKey,
  { content, ownIssuerId, now, until }: UnsavedLease,
): Promise<DueObject | undefined> {
  await sql`
    insert into google_objects as o (workspace_id, instance_id, due_at, message_id, issuer_id, is_own)
    select workspace_id, instance_id, ${now}, message_id, ${ownIssuerId}::text, ${ownIssuerId !== null} from instances
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
    on conflict (workspace_id, instance_id) do update set due_at = excluded.due_at, message_id = excluded.message_id,
      issuer_id = excluded.issuer_id, is_own = excluded.is_own,
      content = case when o.issuer_id is not distinct from excluded.issuer_id then o.content end
      where o.due_at is null and not o.saved and o.content is distinct from ${content}
  `.execute(tx);
  const unsaved = { ...objects, where: sql`not saved and content is distinct from ${content}` };
  const [object] = await leaseRows<DueObject>(tx, unsaved, [card], { now, until, most: 1 });
  return object;
}

/** Puts one message to an audience in the place of another as the last that Google was sent. False when another worker has. */
export async function exchangeOwnMessage(
  tx: Tx,
  card: CardKey,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<boolean> {
  const { rowCount } = await sql`
    update google_objects set message_id = ${to}
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
      and message_id is not distinct from ${from}::uuid
  `.execute(tx);
  return rowCount === 1;
}

/**
 * Notes what Google was sent of cards of one workspace. An object that has got another change since stays due. Returns
 * the cards whose newest state was patched.
 */
export function recordPatched(
  tx: Tx,
  workspaceId: string,
  patched: readonly PatchedObject[],
  now: Date,
): Promise<CardKey[]> {
  const dayAgo = new Date(now.getTime() - dayMs);
  const sorted = [...patched].sort((a, b) => (a.object.instanceId < b.object.instanceId ? -1 : 1));
  return sql<CardKey>`
    with held as materialized (
      select o.instance_id, patched.content, patched.notified, o.tag = patched.tag as is_newest
      from unnest(
        ${sql.list(sorted, 'uuid', ({ object }) => object.instanceId)}, ${sql.list(sorted, 'bigint', ({ object }) => object.tag)},
        ${sql.list(sorted, 'bytea', ({ content }) => content)}, ${sql.list(sorted, 'boolean', ({ notified }) => notified)}
      ) as patched(instance_id, tag, content, notified)
      cross join lateral (
        select o.instance_id, o.tag from google_objects o
        where o.workspace_id = ${workspaceId} and o.instance_id = patched.instance_id
        for no key update
      ) as o
    ), recorded as (
      update google_objects o
      set content = held.content, attempts = 0,
        due_at = case when held.is_newest then null else ${now}::timestamptz end,
        notified_at = array(select at from unnest(o.notified_at) as at where at > ${dayAgo} order by at)
          || case when held.notified then array[${now}::timestamptz] else '{}' end
      from (select * from held limit ${sorted.length}) as held
      where o.instance_id = held.instance_id and o.workspace_id = ${workspaceId}
    )
    select ${workspaceId}::uuid as workspace_id, instance_id from held where is_newest
  `.rows(tx);
}

/**
 * Lets go of objects of one workspace of which Google was sent nothing. One that has got another change since stays due.
 * Returns the cards that have not.
 */
export function releaseObjects(
  tx: Tx,
  workspaceId: string,
  objects: readonly DueObject[],
  now: Date,
): Promise<CardKey[]> {
  const sorted = inOrder(objects);
  return sql<CardKey>`
    with held as materialized (
      select o.instance_id, o.tag = released.tag as is_newest
      from unnest(
        ${sql.list(sorted, 'uuid', (object) => object.instanceId)}, ${sql.list(sorted, 'bigint', (object) => object.tag)}
      ) as released(instance_id, tag)
      cross join lateral (
        select o.instance_id, o.tag from google_objects o
        where o.workspace_id = ${workspaceId} and o.instance_id = released.instance_id
        for no key update
      ) as o
    ), recorded as (
      update google_objects o
      set due_at = case when held.is_newest then null else ${now}::timestamptz end, attempts = 0
      from (select * from held limit ${sorted.length}) as held
      where o.instance_id = held.instance_id and o.workspace_id = ${workspaceId}
    )
    select ${workspaceId}::uuid as workspace_id, instance_id from held where is_newest
  `.rows(tx);
}

/** Google may or may not have carried out a request: whatever the objects shall be next, they are sent again. */
export async function doubtObjects(tx: Tx, workspaceId: string, cards: readonly CardKey[]): Promise<void> {
  await sql`
    with held as materialized (${held(workspaceId, cards, sql`o.content is not null`)})
    update google_objects o set content = ''
    from (select * from held limit ${cards.length}) as held
    where o.instance_id = held.instance_id and o.workspace_id = ${workspaceId}
  `.execute(tx);
}

/**
 * It is unknown what Google has of any card: nothing is due, and whatever comes next is sent, but for messages. What is
 * left to be erased there stays due.
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
      end,
      message_id = (
        select i.message_id from instances i
        where i.workspace_id = o.workspace_id and i.instance_id = o.instance_id
      )
  `.execute(tx);
}

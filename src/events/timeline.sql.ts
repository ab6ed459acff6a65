import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, type Sql, sql } from '../kit/db/sql.ts';
import { newUuidV7 } from '../kit/ids.ts';

/** Something that happened to a card. */
export interface InstanceEventRow {
  readonly eventId: string;
  readonly kind:
    | 'issued'
    | 'issue repeated'
    | 'link opened'
    | 'fetched'
    | 'installed'
    | 'removed'
    | 'updated'
    | 'voided'
    | 'reactivated'
    | 'pushed'
    | 'push skipped'
    | 'push repeated'
    | 'push failed'
    | 'device reported'
    | 'erased'
    // Of its pass, for all cards: not a row of its own.
    | 'design changed'
    | 'message sent';
  readonly detail: {
    /** `op` and `key` name the idempotency claim whose answer shows the card, so that erasing can reach it. */
    readonly op?: string;
    readonly key?: string;
    readonly changed?: readonly string[];
    readonly wallet?: 'apple' | 'google' | 'web';
    /** Why a push was skipped or failed: the platform's own word where it gave one. */
    readonly reason?: string | null;
    /** What a device has written to its log. */
    readonly message?: string;
  };
  readonly createdAt: Date;
}

export async function insertEvent(
  tx: Tx,
  card: { workspaceId: string; instanceId: string },
  event: Omit<InstanceEventRow, 'eventId'>,
): Promise<void> {
  const { workspaceId, instanceId } = card;
  await tx
    .insertInto('instanceEvents')
    .values({ workspaceId, instanceId, eventId: newUuidV7(), ...event, detail: JSON.stringify(event.detail) })
    .execute();
}

interface Noted {
  readonly instanceId: string;
  readonly detail: InstanceEventRow['detail'];
  readonly createdAt: Date;
}

/** The part of a statement that begins the timelines of new cards; its caller may add a condition. */
export function firstEvents(workspaceId: string, cards: readonly Noted[]): Sql {
  return insertNoted(workspaceId, 'issued', cards);
}

/** Notes on the timelines of cards that their holders were answered with them again. */
export async function insertRepeats(tx: Tx, workspaceId: string, repeats: readonly Noted[]): Promise<void> {
  if (repeats.length === 0) return;
  await prepared`${insertNoted(workspaceId, 'issue repeated', repeats)}`.execute(tx);
}

function insertNoted(workspaceId: string, kind: InstanceEventRow['kind'], noted: readonly Noted[]): Sql {
  return sql`
    insert into instance_events (workspace_id, instance_id, event_id, kind, detail, created_at)
    select ${workspaceId}, e.instance_id, e.event_id, ${kind}, e.detail, e.created_at
    from unnest(
      ${noted.map(({ instanceId }) => instanceId)}::uuid[], ${noted.map(() => newUuidV7())}::uuid[],
      ${noted.map(({ detail }) => JSON.stringify(detail))}::jsonb[],
      ${noted.map(({ createdAt }) => createdAt)}::timestamptz[]
    ) as e(instance_id, event_id, detail, created_at)`;
}

/** The same event on many cards of a workspace. */
export async function insertEvents(
  tx: Tx,
  workspaceId: string,
  instanceIds: readonly string[],
  event: Omit<InstanceEventRow, 'eventId'>,
): Promise<void> {
  await sql`
    insert into instance_events (workspace_id, instance_id, event_id, kind, detail, created_at)
    select ${workspaceId}, e.instance_id, e.event_id, ${event.kind}, ${JSON.stringify(event.detail)}::jsonb,
      ${event.createdAt}
    from unnest(${instanceIds}::uuid[], ${instanceIds.map(() => newUuidV7())}::uuid[]) as e(instance_id, event_id)
  `.execute(tx);
}

/** Newest first. */
export async function listEvents(
  db: Db,
  card: { workspaceId: string; instanceId: string },
  after: string | null,
  take: number,
): Promise<InstanceEventRow[]> {
  let query = db
    .selectFrom('instanceEvents')
    .select(['eventId', 'kind', 'detail', 'createdAt'])
    .where('workspaceId', '=', card.workspaceId)
    .where('instanceId', '=', card.instanceId);
  if (after !== null) query = query.where('eventId', '<', after);
  return (await query.orderBy('eventId', 'desc').limit(take).execute()) as InstanceEventRow[];
}

/** The claims whose kept answers show the card. */
export async function listClaimsOf(
  tx: Tx,
  card: { workspaceId: string; instanceId: string },
): Promise<{ operation: string; key: string }[]> {
  const rows = await tx
    .selectFrom('instanceEvents')
    .select('detail')
    .where('workspaceId', '=', card.workspaceId)
    .where('instanceId', '=', card.instanceId)
    .execute();
  return (rows as Pick<InstanceEventRow, 'detail'>[]).flatMap(({ detail: { op: operation, key } }) =>
    operation === undefined || key === undefined ? [] : [{ operation, key }],
  );
}

/** How many events of that kind have an id of `since` or later; counted no further than `most`. */
export async function countSince(
  tx: Tx,
  card: { workspaceId: string; instanceId: string },
  kind: InstanceEventRow['kind'],
  since: string,
  most: number,
): Promise<number> {
  const found = await tx
    .selectFrom('instanceEvents')
    .select('eventId')
    .where('workspaceId', '=', card.workspaceId)
    .where('instanceId', '=', card.instanceId)
    .where('eventId', '>=', since)
    .where('kind', '=', kind)
    .limit(most)
    .execute();
  return found.length;
}

import type { Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import { columns, type LoggedEvent } from './event-log.sql.ts';

/** Events are kept for so long. */
export const keptMs = 30 * 86_400_000;
/** Statistics are that far behind, so that many events are counted at once. Webhooks are not. */
export const countRestMs = 1_000;

const logColumns = sql`${columns}, counts`;

/**
 * Appends the events of a transaction to the log of a workspace: numbers without a gap, in the order of the commits, since the
 * counter stays locked until COMMIT, which follows at once. So a reader who goes on from the last number misses nothing.
 */
export async function appendEvents(
  tx: Tx,
  workspaceId: string,
  events: readonly LoggedEvent[],
  counts: object,
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const column = <K extends keyof LoggedEvent>(name: K) => events.map((event) => event[name]);
  const lines = (objects: readonly object[]) => objects.map((object) => JSON.stringify(object)).join('\n');
  const at = first.createdAt.getTime();
  const counter = sql`
    counter as (
      insert into event_counters as c (workspace_id, last_seq, trim_at, follow_at)
      values (${workspaceId}, ${events.length}, ${new Date(at + keptMs)}, ${new Date(at + countRestMs)})
      on conflict (workspace_id) do update
      set last_seq = c.last_seq + excluded.last_seq, trim_at = coalesce(c.trim_at, excluded.trim_at),
        follow_at = least(c.follow_at, case when c.has_webhooks then ${first.createdAt} else excluded.follow_at end)
      returning last_seq
    )
  `;
  const numbered =
    events.length === 1
      ? prepared`
    with ${counter}
    insert into event_log (${logColumns})
    select ${workspaceId}, last_seq, ${first.eventId}, ${first.type}, ${first.passId}, ${first.instanceId}, ${first.actor},
      ${first.requestId}, ${JSON.stringify(first.data)}, ${JSON.stringify(first.previous)}, ${first.createdAt},
      ${JSON.stringify(counts)}
    from counter
  `
      : prepared`
    with ${counter}
    insert into event_log (${logColumns})
    select ${workspaceId}, counter.last_seq - ${events.length}::int + e.place, e.event_id, e.type, e.pass_id, e.instance_id, e.actor,
      e.request_id, e.data::json, e.previous::json, e.created_at,
      case when e.place = 1 then ${JSON.stringify(counts)} else '' end
    from counter
    cross join rows from (
      unnest(${column('eventId')}::uuid[]), unnest(${column('type')}::text[]), unnest(${column('passId')}::uuid[]),
      unnest(${column('instanceId')}::uuid[]), unnest(${column('actor')}::text[]), unnest(${column('requestId')}::text[]),
      unnest(${column('createdAt').map((moment) => moment.toISOString())}::timestamptz[]),
      string_to_table(${lines(column('data'))}, E'\\n'), string_to_table(${lines(column('previous'))}, E'\\n')
    ) with ordinality
      as e(event_id, type, pass_id, instance_id, actor, request_id, created_at, data, previous, place)
  `;
  await numbered.execute(tx);
}

/** How far the log of a workspace was followed. */
export interface Followed {
  /** The last number that was known. */
  readonly seq: number;
  /** When to follow it again, where there was none since, and where there was; null: not before there is one. */
  readonly next: Date | null;
  readonly nextIfMore: Date;
  readonly hasWebhooks: boolean;
}

/** Says when the log of a workspace is to be followed next. Locks the counter. */
export async function scheduleFollowing(
  tx: Tx,
  workspaceId: string,
  { seq, next, nextIfMore, hasWebhooks }: Followed,
): Promise<void> {
  await prepared`
    update event_counters
    set follow_at = case when last_seq = ${seq} then ${next}::timestamptz else ${nextIfMore} end, has_webhooks = ${hasWebhooks}
    where workspace_id = ${workspaceId}
  `.execute(tx);
}

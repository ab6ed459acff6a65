import { sql } from '../kit/db/sql.ts';

/** The events of a row of `outbox`, in their order, with the columns that they get in the log. */
export const eventsOfOutbox = sql`
  select event_id, type, pass_id, instance_id, actor, request_id, created_at, data::json as data,
    previous::json as previous, place
  from (
    select * from rows from (
      unnest(event_ids), unnest(types), unnest(pass_ids), unnest(instance_ids), unnest(actors), unnest(request_ids),
      unnest(created_ats), string_to_table(outbox.data, E'\\n'), string_to_table(outbox.previous, E'\\n')
    ) with ordinality as by_column(
      event_id, type, pass_id, instance_id, actor, request_id, created_at, data, previous, place
    )
    union all
    select (event ->> 'eventId')::uuid, event ->> 'type', (event ->> 'passId')::uuid,
      (event ->> 'instanceId')::uuid, event ->> 'actor', event ->> 'requestId',
      (event ->> 'createdAt')::timestamptz, event ->> 'data', event ->> 'previous', place
    from json_array_elements(outbox.events) with ordinality as of_former_version(event, place)
  ) as events
`;

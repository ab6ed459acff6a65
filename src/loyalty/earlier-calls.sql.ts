import type { Db } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';

/** The public ids of the cards that earlier calls of an operation were about, by the keys of these. */
export async function findCardsOfCalls(
  db: Db,
  workspaceId: string,
  operation: string,
  keys: readonly string[],
): Promise<{ key: string; card: string }[]> {
  const { rows } = await prepared<{ key: string; card: string }>`
    select asked.key, kept.body::json ->> 'instanceId' as card
    from unnest(${sql.list(keys, 'text')}) as asked(key)
    cross join lateral (
      select body from operation_claims
      where key = asked.key and operation = ${operation} and workspace_id = ${workspaceId} and status is not null
      limit 1
    ) as kept
  `.execute(db);
  return rows;
}

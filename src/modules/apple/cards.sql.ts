import type { Db } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/** The little that decides what a device gets: whether it may have the card, and whether its copy is old. */
export interface CardState {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly authenticationToken: string;
  readonly modifiedAt: Date;
  readonly seenPassRevision: number;
  readonly passRevision: number;
  readonly passModifiedAt: Date;
  /** The Last-Modified of the file that was handed out last. */
  readonly servedModifiedAt: Date | null;
  /** What that file was of, as `changedAt` has it. */
  readonly servedChangeAt: Date | null;
}

/** Cards of a workspace, in the order asked for; undefined where there is none. */
export async function findCardStates(
  db: Db,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<(CardState | undefined)[]> {
  const { rows } = await sql<CardState>`
    select i.workspace_id, i.instance_id, i.authentication_token, i.served_modified_at, i.served_change_at,
      greatest(i.modified_at, a.shown_at) as modified_at,
      greatest(i.pass_revision, a.shown_pass_revision) as seen_pass_revision,
      p.revision as pass_revision, p.modified_at as pass_modified_at
    from unnest(${instanceIds}::uuid[]) as asked(instance_id)
    cross join lateral (
      select * from instances where instance_id = asked.instance_id and workspace_id = ${workspaceId} limit 1
    ) as i
    cross join lateral (
      select * from passes where pass_id = i.pass_id and workspace_id = i.workspace_id limit 1
    ) as p
    left join lateral (
      select shown_at, shown_pass_revision from loyalty_accounts
      where instance_id = i.instance_id and workspace_id = i.workspace_id
      limit 1
    ) as a on true
  `.execute(db);
  const found = new Map(rows.map((row) => [row.instanceId, row]));
  return instanceIds.map((instanceId) => found.get(instanceId));
}

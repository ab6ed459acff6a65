import { sql } from 'kysely';
import type { Db } from '../../kit/db/database.ts';

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
}

/** Cards of a workspace, in the order asked for; undefined where there is none. */
export async function findCardStates(
  db: Db,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<(CardState | undefined)[]> {
  const { rows } = await sql<CardState>`
    select i.workspace_id, i.instance_id, i.authentication_token, i.modified_at, i.served_modified_at,
      i.pass_revision as seen_pass_revision, p.revision as pass_revision, p.modified_at as pass_modified_at
    from instances i join passes p on p.workspace_id = i.workspace_id and p.pass_id = i.pass_id
    where i.workspace_id = ${workspaceId} and i.instance_id = any(${instanceIds}::uuid[])
  `.execute(db);
  const found = new Map(rows.map((row) => [row.instanceId, row]));
  return instanceIds.map((instanceId) => found.get(instanceId));
}

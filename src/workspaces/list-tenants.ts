import type { Db } from '../kit/db/database.ts';
import { listKeys } from './keys.sql.ts';
import { presentKey, presentWorkspace } from './workspace.schema.ts';
import { listWorkspaces } from './workspaces.sql.ts';

const perStep = 1_000;

/** All workspaces, newest first, as the API shows them. */
export async function everyWorkspace(db: Db) {
  const rows = await inSteps(
    (after) => listWorkspaces(db, after, perStep),
    ({ workspaceId }) => workspaceId,
  );
  return rows.map(presentWorkspace);
}

/** All keys of a workspace, newest first, as the API shows them. */
export async function everyKey(db: Db, workspaceId: string) {
  const rows = await inSteps(
    (after) => listKeys(db, workspaceId, after, perStep),
    ({ keyId }) => keyId,
  );
  return rows.map(presentKey);
}

async function inSteps<Row>(
  read: (after: string | null) => Promise<Row[]>,
  idOf: (row: Row) => string,
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const last = all.at(-1);
    const rows = await read(last === undefined ? null : idOf(last));
    all.push(...rows);
    if (rows.length < perStep) return all;
  }
}

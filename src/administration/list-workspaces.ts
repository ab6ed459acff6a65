import { presentKey } from '../access/key.schema.ts';
import { listKeys } from '../access/keys.sql.ts';
import type { KeyCtx } from '../context.ts';
import type { Page } from '../engine/page.ts';
import type { Db } from '../kit/db/database.ts';
import { presentWorkspace } from '../workspaces/workspace.schema.ts';
import { findWithFiguresForAll, listWithFigures, type WorkspaceWithFigures } from './workspace-lists.sql.ts';

const perStep = 1_000;

/** All workspaces, newest first, as the API shows them. */
export async function everyWorkspace(db: Db) {
  const rows = await inSteps(
    (page) => listWithFigures(db, page),
    ({ workspaceId }) => workspaceId,
  );
  return rows.map(presentWorkspace);
}

/** All keys of a workspace, newest first, as the API shows them. */
export async function everyKey(db: Db, workspaceId: string) {
  const rows = await inSteps(
    (page) => listKeys(db, workspaceId, page),
    ({ keyId }) => keyId,
  );
  return rows.map(presentKey);
}

async function inSteps<Row>(
  read: (page: Page) => Promise<Row[]>,
  idOf: (row: Row) => string,
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const last = all.at(-1);
    const rows = await read({ after: last === undefined ? null : idOf(last), take: perStep });
    all.push(...rows);
    if (rows.length < perStep) return all;
  }
}

/** The caller's workspace, in a query that callers who come together share. */
export async function readOwnWorkspace({ app, workspaceId }: KeyCtx): Promise<WorkspaceWithFigures> {
  const row = await app.groupCommit.read(findWithFiguresForAll, workspaceId, null);
  if (row === undefined) throw new Error('the workspace of a live key is gone');
  return row;
}

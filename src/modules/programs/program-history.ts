import type { ActorCtx } from '../../context.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { newUuidV7 } from '../../kit/ids.ts';
import { presentWithHistory } from './program.schema.ts';
import type { ProgramRow } from './program-row.ts';
import { insertState, newestStates } from './programs.sql.ts';

/** Records the state that a program has come into. */
export async function recordState(tx: Tx, ctx: ActorCtx, row: ProgramRow): Promise<void> {
  await insertState(tx, {
    workspaceId: row.workspaceId,
    programId: row.programId,
    stateId: newUuidV7(),
    status: row.status,
    actor: ctx.actor,
    changedAt: row.updatedAt,
  });
}

/** States that an answer shows. */
const shownStates = 20;

/** A program with the newest of its states. */
export async function showProgram(db: Db, row: ProgramRow) {
  return presentWithHistory(row, await newestStates(db, row, shownStates));
}

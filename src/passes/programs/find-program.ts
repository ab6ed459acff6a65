import type { ActorCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { decodeId, newUuidV7 } from '../../kit/ids.ts';
import { refuseOtherPass } from '../find-pass.ts';
import { presentWithHistory } from './program.schema.ts';
import type { ProgramRow } from './program-row.ts';
import {
  findProgramAnywhere,
  findProgramOf,
  findProgramOfPass,
  insertState,
  newestStates,
} from './programs.sql.ts';

/**
 * A program of the caller by its public id. Raises `program_not_found`; `forbidden` when another account owns it;
 * `insufficient_scope` when the key is restricted to other passes than its own.
 */
export async function findProgram(db: Db, ctx: ActorCtx, publicId: string): Promise<ProgramRow> {
  const programId = decodeId('prog', publicId);
  const row =
    programId === null
      ? undefined
      : ((await findProgramOf(db, ctx.workspaceId, programId)) ?? (await findProgramAnywhere(db, programId)));
  if (row === undefined) throw programNotFound(publicId);
  if (row.workspaceId !== ctx.workspaceId)
    throw refusal('forbidden', 'This program belongs to another account.');
  refuseOtherPass(ctx, row.passId);
  return row;
}

/** The program of a pass; undefined where it has none. */
export async function programOfPass(
  db: Db,
  workspaceId: string,
  passId: string,
): Promise<ProgramRow | undefined> {
  return findProgramOfPass(db, workspaceId, passId);
}

export function programNotFound(publicId: string) {
  return refusal(
    'program_not_found',
    `No program has the id "${publicId.slice(0, 40)}". GET /loyalty/programs lists yours.`,
  );
}

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

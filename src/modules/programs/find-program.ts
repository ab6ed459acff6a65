import type { ActorCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import type { Db } from '../../kit/db/database.ts';
import { decodeId } from '../../kit/ids.ts';
import { refuseOtherPass } from '../passes/find-pass.ts';
import type { ProgramRow } from './program-row.ts';
import { findProgramAnywhere, findProgramOfPass, type ProgramTotals, totalsOf } from './programs.sql.ts';

/**
 * A program of the caller by its public id. Raises `program_not_found`; `forbidden` when another account owns it;
 * `insufficient_scope` when the key is restricted to other passes than its own.
 */
export async function findProgram(db: Db, ctx: ActorCtx, publicId: string): Promise<ProgramRow> {
  const programId = decodeId('prog', publicId);
  const row = programId === null ? undefined : await findProgramAnywhere(db, programId);
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

/** The totals of a program as they are kept. */
export async function keptTotals(
  db: Db,
  program: Pick<ProgramRow, 'workspaceId' | 'programId'>,
): Promise<ProgramTotals> {
  return totalsOf(db, program);
}

export function programNotFound(publicId: string) {
  return refusal(
    'program_not_found',
    `No program has the id "${publicId.slice(0, 40)}". GET /loyalty/programs lists yours.`,
  );
}

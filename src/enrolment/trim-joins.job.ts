import type { PublicCtx } from '../context.ts';
import { byWorkspace } from '../engine/by-workspace.ts';
import { deleteDays, findPastDays } from './days.sql.ts';
import { deleteProofs, findExpiredProofs } from './proofs.sql.ts';

const rowsPerTurn = 500;
/** No time zone is further behind UTC than a day. */
const keptDaysMs = 3 * 86_400_000;

/** Removes enrolments that were not proven in time, and the counts of past days. False when there is nothing more. */
export async function trimJoins(ctx: PublicCtx): Promise<boolean> {
  const [proofs, days] = [await trimProofs(ctx), await trimDays(ctx)];
  return proofs || days;
}

async function trimProofs({ app: { database, now } }: PublicCtx): Promise<boolean> {
  const expired = await findExpiredProofs(database.db, now(), rowsPerTurn);
  for (const [workspaceId, proofs] of byWorkspace(expired)) {
    const ids = proofs.map(({ proofId }) => proofId);
    await database.transaction((tx) => deleteProofs(tx, workspaceId, ids));
  }
  return expired.length === rowsPerTurn;
}

async function trimDays({ app: { database, now } }: PublicCtx): Promise<boolean> {
  const before = new Date(now().getTime() - keptDaysMs).toISOString().slice(0, 10);
  const past = await findPastDays(database.db, before, rowsPerTurn);
  for (const [workspaceId, days] of byWorkspace(past))
    await database.transaction((tx) => deleteDays(tx, workspaceId, days));
  return past.length === rowsPerTurn;
}

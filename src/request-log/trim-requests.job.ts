import type { PublicCtx } from '../context.ts';
import { firstIdSince } from '../kit/ids.ts';
import { deleteRequests } from './request-log.sql.ts';

const keptMs = 30 * 86_400_000;
const rowsPerStep = 5_000;

/** Deletes requests that were kept for long enough, the oldest first. False when none are left. */
export async function trimRequests({ app }: PublicCtx): Promise<boolean> {
  const before = firstIdSince(new Date(app.now().getTime() - keptMs));
  return app.database.transaction((tx) => deleteRequests(tx, before, rowsPerStep));
}

import type { Db, Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/** Why nobody may write to an address any more. */
export type SuppressionReason = 'unsubscribed' | 'bounced' | 'redacted';

/** Which of the addresses must not be written to, as hex of their hashes. */
export async function findSuppressed(
  db: Db,
  workspaceId: string,
  hashes: readonly Buffer[],
): Promise<Set<string>> {
  if (hashes.length === 0) return new Set();
  const { rows } = await sql<{ emailHash: Buffer }>`
    select email_hash from suppressions
    where workspace_id = ${workspaceId} and email_hash = any(${hashes}::bytea[])
  `.execute(db);
  return new Set(rows.map(({ emailHash }) => emailHash.toString('hex')));
}

/** From now on nobody writes to the address; the first reason stands. */
export async function insertSuppression(
  tx: Tx,
  suppression: {
    readonly workspaceId: string;
    readonly emailHash: Buffer;
    readonly reason: SuppressionReason;
    readonly createdAt: Date;
  },
): Promise<void> {
  await tx
    .insertInto('suppressions')
    .values(suppression)
    .onConflict((conflict) => conflict.columns(['workspaceId', 'emailHash']).doNothing())
    .execute();
}

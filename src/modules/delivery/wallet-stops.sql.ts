import type { Db, Tx } from '../../kit/db/database.ts';

/** A wallet that refuses what we are. */
export interface WalletStop {
  readonly wallet: 'apple' | 'google';
  readonly scope: string;
  /** The platform's own word. */
  readonly reason: string;
  readonly since: Date;
  readonly retryAt: Date;
}

export async function findStop(
  db: Db,
  wallet: WalletStop['wallet'],
  scope: string,
): Promise<WalletStop | undefined> {
  return (await db
    .selectFrom('walletStops')
    .selectAll()
    .where('wallet', '=', wallet)
    .where('scope', '=', scope)
    .executeTakeFirst()) as WalletStop | undefined;
}

/** A repeated stop keeps its beginning. */
export async function upsertStop(tx: Tx, stop: WalletStop): Promise<void> {
  const { reason, retryAt } = stop;
  await tx
    .insertInto('walletStops')
    .values(stop)
    .onConflict((conflict) => conflict.columns(['wallet', 'scope']).doUpdateSet({ reason, retryAt }))
    .execute();
}

export async function deleteStop(tx: Tx, wallet: WalletStop['wallet'], scope: string): Promise<void> {
  await tx.deleteFrom('walletStops').where('wallet', '=', wallet).where('scope', '=', scope).execute();
}

export async function listStops(db: Db): Promise<WalletStop[]> {
  return (await db.selectFrom('walletStops').selectAll().orderBy('since').execute()) as WalletStop[];
}

import { sql } from 'kysely';
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

/** What the wallets know us by: the pass type identifier and the issuer id, null where there is none. */
export interface WalletScopes {
  readonly apple: string | null;
  readonly google: string | null;
}

/** The stop of a wallet for what we are; undefined while it does not refuse us. */
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

/**
 * A repeated stop keeps its beginning, and its next try while that lies ahead. True when it is new, or when the try has
 * failed.
 */
export async function upsertStop(tx: Tx, stop: WalletStop): Promise<boolean> {
  const { reason, retryAt, since } = stop;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('walletStops')
    .values(stop)
    .onConflict((conflict) =>
      conflict
        .columns(['wallet', 'scope'])
        .doUpdateSet({ reason, retryAt })
        .where('walletStops.retryAt', '<=', since),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Takes a stop back. */
export async function deleteStop(tx: Tx, wallet: WalletStop['wallet'], scope: string): Promise<void> {
  await tx.deleteFrom('walletStops').where('wallet', '=', wallet).where('scope', '=', scope).execute();
}

/** The stops for what we are, the oldest first. One for what was set before ends with nothing, and says nothing. */
export async function listStops(db: Db, scopes: WalletScopes): Promise<WalletStop[]> {
  return (await db
    .selectFrom('walletStops')
    .selectAll()
    .where(sql<boolean>`(wallet, scope) in (('apple', ${scopes.apple}), ('google', ${scopes.google}))`)
    .orderBy('since')
    .execute()) as WalletStop[];
}

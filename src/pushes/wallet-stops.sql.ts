import type { Condition } from '../engine/due.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';

/** A wallet that refuses what we are. */
export interface WalletStop {
  readonly wallet: 'apple' | 'google';
  readonly scope: string;
  /** The platform's own word. */
  readonly reason: string;
  readonly since: Date;
  readonly retryAt: Date;
}

/** What the wallets know us by: pass type identifiers and issuer ids; of a workspace's own behind the workspace's id. */
export interface WalletScopes {
  readonly apple: readonly string[];
  readonly google: readonly string[];
}

/** The stop of a wallet for what we are; undefined while it does not refuse us. */
export function findStop(
  db: Db,
  wallet: WalletStop['wallet'],
  scope: string,
): Promise<WalletStop | undefined> {
  return sql<WalletStop>`
    select * from wallet_stops where wallet = ${wallet} and scope = ${scope}
  `.first(db);
}

/** Whether a wallet does not refuse us, or may be tried again. */
export function isNotStopped(wallet: WalletStop['wallet'], scope: string, now: Date): Condition {
  return sql`not exists (
    select 1 from wallet_stops where wallet = ${wallet} and scope = ${scope} and retry_at > ${now}
  )`;
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
export function listStops(db: Db, scopes: WalletScopes): Promise<WalletStop[]> {
  return sql<WalletStop>`
    select wallet, scope, reason, since, retry_at from wallet_stops
    where (wallet = 'apple' and scope = any(${scopes.apple}::text[]))
      or (wallet = 'google' and scope = any(${scopes.google}::text[]))
    order by since
  `.rows(db);
}

/** The stops for what workspaces are by themselves, the oldest first. */
export function listOwnStops(db: Db, most: number): Promise<WalletStop[]> {
  return sql<WalletStop>`
    select wallet, scope, reason, since, retry_at from wallet_stops
    where scope like 'ws\\_%' order by since limit ${most}
  `.rows(db);
}

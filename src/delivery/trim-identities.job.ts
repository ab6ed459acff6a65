import type { PublicCtx } from '../context.ts';
import { forgetStop } from '../pushes/wallet-stops.ts';
import { deleteAppleIdentity } from '../wallet-credentials/apple-identities.sql.ts';
import { appleScope } from '../wallet-credentials/apple-issuers.ts';
import { deleteGoogleIdentity } from '../wallet-credentials/google-identities.sql.ts';
import { googleScope } from '../wallet-credentials/google-scope.ts';
import { listIdle } from './apple/own-devices.sql.ts';
import { listIdleAccounts } from './google/own-objects.sql.ts';

/** A file that was handed out before may still come into a wallet. */
const keptMs = 86_400_000;
const mostPerTurn = 100;

/**
 * Forgets certificates that sign no new passes and no pass in a wallet, and accounts that have made no card. False when no
 * more are left.
 */
export async function trimIdentities({ app }: PublicCtx): Promise<boolean> {
  const { database, now } = app;
  const before = new Date(now().getTime() - keptMs);
  const certificates = await listIdle(database.db, before, mostPerTurn);
  for (const identity of certificates)
    await database.transaction(async (tx) => {
      await deleteAppleIdentity(tx, identity);
      await forgetStop(tx, 'apple', appleScope(identity));
    });
  const accounts = await listIdleAccounts(database.db, before, mostPerTurn);
  for (const identity of accounts)
    await database.transaction(async (tx) => {
      await deleteGoogleIdentity(tx, identity);
      await forgetStop(tx, 'google', googleScope(identity));
    });
  return Math.max(certificates.length, accounts.length) === mostPerTurn;
}

import type { PublicCtx } from '../../context.ts';
import { deleteAppleIdentity } from '../../identities/apple-identities.sql.ts';
import { appleScope } from '../../identities/apple-issuers.ts';
import { forgetStop } from '../../pushes/wallet-stops.ts';
import { listIdle } from './own-devices.sql.ts';

/** A file that was handed out before may still come into a wallet. */
const keptMs = 86_400_000;
const mostPerTurn = 100;

/** Forgets certificates that sign no new passes and no pass in a wallet. False when no more are left. */
export async function trimIdentities({ app }: PublicCtx): Promise<boolean> {
  const { database, now } = app;
  const idle = await listIdle(database.db, new Date(now().getTime() - keptMs), mostPerTurn);
  for (const identity of idle)
    await database.transaction(async (tx) => {
      await deleteAppleIdentity(tx, identity);
      await forgetStop(tx, 'apple', appleScope(identity));
    });
  return idle.length === mostPerTurn;
}

import { migrationsFolder } from '../app.ts';
import { ConfigError } from '../config.ts';
import type { ClockCtx } from '../context.ts';
import { analyzeTables } from '../kit/db/backup/table-catalog.ts';
import type { Tx } from '../kit/db/database.ts';
import { countOtherSessions } from '../kit/db/inspect-sessions.ts';
import { inLongTransaction } from '../kit/db/long-transaction.ts';
import { catchUp, holdSchema } from '../kit/db/migrate.ts';
import { renewDevices } from '../modules/apple/wake-devices.ts';
import { dropPushes, endRollouts } from '../modules/delivery/drop-pushes.ts';
import { doubtGoogle } from '../modules/google/doubt-google.ts';
import { dropInvites } from '../modules/invites/drop-invites.ts';
import { outdateCopies } from '../modules/passes/restamp-passes.ts';
import { readStoresAgain } from '../modules/stores/read-stores-again.ts';
import { endSweeps } from '../modules/sweeps/end-sweep.ts';
import { restWebCards } from '../modules/webcard/wake-web-cards.ts';
import { useServer } from './use-database.ts';

/**
 * Settles what a database that was restored by other means still holds as to be sent, in one transaction. To be run once,
 * before a service starts on it. Raises `ConfigError` while anybody else uses the database.
 */
export async function settleRestored(): Promise<void> {
  const settled = await useServer((url) =>
    inLongTransaction(
      url,
      { name: 'punchcard settle-restored', isolation: 'read committed', access: 'read write' },
      async ({ tx, client }) => {
        await holdSchema(client);
        const others = await countOtherSessions(client);
        if (others > 0)
          throw new ConfigError(
            `${others} other ${others === 1 ? 'session uses' : 'sessions use'} the database. Stop the service and whatever else is connected: of a database in use, this would drop what is waiting to be sent`,
          );
        await catchUp(client, migrationsFolder);
        const counts = await settleWhatMayBeSent(tx);
        await analyzeTables(client);
        return counts;
      },
    ),
  );
  printSettled(settled);
}

/** How much of what waited will not be sent; and stores to be read. */
export type Settled = Awaited<ReturnType<typeof settleWhatMayBeSent>>;

/**
 * Whatever was waiting to be sent when a backup was made may have been sent since, and phones may have seen what the
 * database does not know any more. Nothing of that is sent again, and every copy of a card counts as old. What stores have
 * sent is worked off, and what they have not is read there.
 */
export async function settleWhatMayBeSent(tx: Tx) {
  const at = new Date();
  const ctx: ClockCtx = { app: { now: () => at } };
  const rollouts = await endRollouts(tx, ctx);
  const pushes = await dropPushes(tx, ctx);
  await outdateCopies(tx, ctx);
  await renewDevices(tx, ctx);
  await doubtGoogle(tx);
  await restWebCards(tx);
  const sweeps = await endSweeps(tx, ctx);
  const invites = await dropInvites(tx);
  const stores = await readStoresAgain(tx, ctx);
  return { pushes, rollouts, invites, sweeps, stores };
}

/** Says what became of it, and what is left to do. */
export function printSettled({ pushes, rollouts, invites, sweeps, stores }: Settled): void {
  console.log(
    [
      'Nothing is sent that may have been sent before:',
      `  pushes given up       ${pushes} (their credits are back; the next change of a card brings its newest state)`,
      `  rollouts ended        ${rollouts}`,
      `  invitations unknown   ${invites}`,
      `  sweeps ended          ${sweeps}`,
      `  stores to be read     ${stores} (when the service has started)`,
    ].join('\n'),
  );
}

import { migrationsFolder } from '../app.ts';
import { ConfigError } from '../config.ts';
import { restampDevices } from '../delivery/apple/devices.sql.ts';
import { doubtAllClasses } from '../delivery/google/classes.sql.ts';
import { doubtAllObjects } from '../delivery/google/objects.sql.ts';
import { forgetAllDue } from '../delivery/web/due-web-cards.sql.ts';
import { giveUpUnsent } from '../invitations/sending.sql.ts';
import { endSweeps } from '../invitations/sweeps/end-sweep.ts';
import { distributeTables } from '../kit/citus/citus.ts';
import { analyzeTables } from '../kit/db/backup/table-catalog.ts';
import type { Tx } from '../kit/db/database.ts';
import { countOtherSessions } from '../kit/db/inspect-sessions.ts';
import { inLongTransaction } from '../kit/db/long-transaction.ts';
import { catchUp, lockSchema } from '../kit/db/migrate.ts';
import { outdateCopies } from '../passes/change-shown.ts';
import { dropPushes, endRollouts } from '../pushes/record-push-outcomes.ts';
import { placement } from '../start/placement.ts';
import { makeStoresDue } from '../stores/stores.sql.ts';
import { makeAllMissing } from '../webhooks/claims.sql.ts';
import { giveUpWaiting } from '../webhooks/deliveries.sql.ts';
import { useServer } from './use-database.ts';

/**
 * Settles what a database that was restored by other means still holds as to be sent, in one transaction. To be run once,
 * before a service starts on it. Raises `ConfigError` while another client uses the database.
 */
export async function settleRestored(): Promise<void> {
  const mode = {
    name: 'punchcard settle-restored',
    isolation: 'read committed',
    access: 'read write',
  } as const;
  const settled = await useServer(async (url) => {
    const counts = await inLongTransaction(url, mode, async ({ tx, client }) => {
      await lockSchema(client);
      const others = await countOtherSessions(client);
      if (others > 0)
        throw new ConfigError(
          `${others} other ${others === 1 ? 'session uses' : 'sessions use'} the database. Stop the service and whatever else is connected: of a database in use, this would drop what is waiting to be sent`,
        );
      await catchUp(client, migrationsFolder, placement);
      await distributeTables(client, placement);
      return settleWhatMayBeSent(tx);
    });
    await inLongTransaction(url, mode, ({ client }) => analyzeTables(client));
    return counts;
  });
  printSettled(settled);
}

/** How much of what waited will not be sent; and stores to be read. */
export type Settled = Awaited<ReturnType<typeof settleWhatMayBeSent>>;

/**
 * Messages that waited when a backup was made may have been sent since, and phones may have seen states that the
 * database no longer knows. Nothing of that is sent again, and every copy of a card counts as old. What stores have
 * sent is processed, and what they have not is read there.
 */
export async function settleWhatMayBeSent(tx: Tx) {
  const at = new Date();
  const ctx = { app: { now: () => at }, requestId: 'settle_restored' };
  const rollouts = await endRollouts(tx, ctx);
  const pushes = await dropPushes(tx, ctx);
  await outdateCopies(tx, ctx);
  await restampDevices(tx, at);
  await doubtAllClasses(tx);
  await doubtAllObjects(tx);
  await forgetAllDue(tx);
  const sweeps = await endSweeps(tx, ctx);
  const invites = await giveUpUnsent(tx);
  await makeAllMissing(tx, at);
  const webhooks = await giveUpWaiting(tx, {
    at: at.toISOString(),
    status: null,
    milliseconds: 0,
    answer: null,
    problem: 'It was given up when the database was restored: it may have been sent since.',
  });
  const stores = await makeStoresDue(tx, at);
  return { pushes, rollouts, invites, sweeps, webhooks, stores };
}

/** Prints the outcome, and what is left to do. */
export function printSettled({ pushes, rollouts, invites, sweeps, webhooks, stores }: Settled): void {
  console.log(
    [
      'Nothing is sent that may have been sent before:',
      `  pushes given up       ${pushes} (their credits are back; the next change of a card brings its newest state)`,
      `  rollouts ended        ${rollouts}`,
      `  invitations unknown   ${invites}`,
      `  sweeps ended          ${sweeps}`,
      `  events given up       ${webhooks} (of webhooks: POST /webhooks/{webhookId}/recover sends what was not delivered)`,
      `  stores to be read     ${stores} (when the service has started)`,
    ].join('\n'),
  );
}

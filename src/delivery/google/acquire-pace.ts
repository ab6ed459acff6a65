import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../kit/db/database.ts';
import type { GoogleResult } from '../../wallet/google/google-wallet.ts';
import { takePlace } from './pace.sql.ts';

/** More requests to Google wait than can leave in a few seconds. */
export class GoogleBusy extends Error {
  override readonly name = 'GoogleBusy';
}

/**
 * Google takes 20 requests a second of an issuer. Ours leave at an even pace and
 * arrive at an uneven one: a sixth is left for that.
 */
const intervalMs = 60;
/** Who comes later than this would leave together with those behind; but not even a busy process waits for ever. */
const mostLateMs = 100;
const mostTurns = 3;
/** A person waits at the other end of some of them. */
const mostWaitMs = 5_000;

/**
 * Waits for the turn of one request to Google, over all processes. A process that is too busy to take its turn in time
 * waits for another. Raises `GoogleBusy`, soon, when too many wait before it.
 */
export async function acquirePace(database: Database, issuerId: string): Promise<void> {
  for (let turns = 1; turns <= mostTurns; turns++) {
    let asked = 0;
    const inMs = await database.transaction((tx) => {
      asked = performance.now();
      return takePlace(tx, issuerId, { intervalMs, mostWaitMs });
    });
    if (inMs === undefined) throw new GoogleBusy('too many requests to Google wait for their turn');
    const turn = asked + inMs;
    await sleep(Math.max(0, turn - performance.now()));
    if (performance.now() - turn <= mostLateMs) return;
  }
}

/** What Google answered; `busy` when the service could not ask it soon enough, which is no error. */
export type Asked = GoogleResult | { readonly kind: 'busy' };

/** Sends a request to Google, or several, each in its turn. */
export async function askGoogle(requests: () => Promise<GoogleResult>): Promise<Asked> {
  try {
    return await requests();
  } catch (error) {
    if (error instanceof GoogleBusy) return { kind: 'busy' };
    throw error;
  }
}

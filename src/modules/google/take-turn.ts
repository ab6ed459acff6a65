import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../kit/db/database.ts';
import { takePlace } from './pace.sql.ts';

/** More requests to Google wait than can leave in a few seconds. */
export class GoogleBusy extends Error {
  override readonly name = 'GoogleBusy';
}

/**
 * Google takes 20 requests a second of an issuer (reference: wallet protocols B2). Ours leave at an even pace and
 * arrive at an uneven one: a tenth is left for that.
 */
const intervalMs = 55;
/** A person waits at the other end of some of them. */
const mostWaitMs = 5_000;

/** Waits for the turn of one request to Google, over all processes. Raises `GoogleBusy` when it would take too long. */
export async function takeTurn(database: Database, issuerId: string): Promise<void> {
  const waitMs = await database.transaction((tx) => takePlace(tx, issuerId, { intervalMs, mostWaitMs }));
  if (waitMs === undefined) throw new GoogleBusy('too many requests to Google wait for their turn');
  if (waitMs > 0) await sleep(waitMs);
}

import { randomBytes } from 'node:crypto';
import type { App } from '../context.ts';
import { hashSecret } from '../kit/crypto/tokens.ts';
import type { Tx } from '../kit/db/database.ts';
import { useChallenge } from '../people/passkeys.sql.ts';

type Ground = Pick<App, 'box' | 'now'>;

/** What the service asks of a browser. Only the service can make one; it is good for one purpose, for a while. */
interface Challenge {
  readonly until: number;
  readonly content: string;
}

/** A new challenge, sealed. Nothing is stored of it, so that asking for many fills no table. */
export function newChallenge(
  { box, now }: Ground,
  purpose: string,
  lastsMs: number,
  content = randomBytes(16).toString('base64url'),
): string {
  const challenge: Challenge = { until: now().getTime() + lastsMs, content };
  return box.seal(JSON.stringify(challenge), `challenge ${purpose}`);
}

/** What was sealed for this purpose and still counts; null for anything else. */
export function readChallenge({ box, now }: Ground, purpose: string, sealed: string): Challenge | null {
  let challenge: Challenge;
  try {
    challenge = JSON.parse(box.open(sealed, `challenge ${purpose}`));
  } catch {
    return null;
  }
  return challenge.until > now().getTime() ? challenge : null;
}

/** Takes a challenge that was read; false where one of several who answer it came first. */
export function takeChallenge(
  tx: Tx,
  { now }: Ground,
  sealed: string,
  { until }: Challenge,
): Promise<boolean> {
  return useChallenge(tx, hashSecret(sealed), new Date(until), now());
}

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyedHash } from './at-rest.ts';

/** The number of leading bits of the hash that have to be zero: some 65,000 tries, a fraction of a second for a phone. */
export const workBits = 16;

const lastsMs = 3_600_000;

/**
 * A new task of a topic, to be done within the hour: work that costs a browser a moment and asks no other service, without an
 * account, a cookie or a picture to look at. Nothing is kept of it: `sign` proves by a keyed hash whose it is.
 */
export function newChallenge(sign: KeyedHash, topic: string, now: Date): string {
  const ends = (now.getTime() + lastsMs).toString(36);
  const nonce = randomBytes(12).toString('base64url');
  return `${ends}.${nonce}.${proofOf(sign, topic, ends, nonce)}`;
}

/** Whether a challenge is one of ours, of this topic, and not over at `now` (null: however old). No work may have been done for it. */
export function isOurChallenge(sign: KeyedHash, topic: string, challenge: string, now: Date | null): boolean {
  const [ends = '', nonce = '', proof = '', ...more] = challenge.split('.');
  if (more.length > 0 || !(Number.parseInt(ends, 36) > (now?.getTime() ?? 0))) return false;
  const [sent, right] = [Buffer.from(proof), Buffer.from(proofOf(sign, topic, ends, nonce))];
  return sent.length === right.length && timingSafeEqual(sent, right);
}

function proofOf(sign: KeyedHash, topic: string, ends: string, nonce: string): string {
  return sign(`work ${topic} ${ends} ${nonce}`).subarray(0, 16).toString('base64url');
}

/** Whether the answer is one that took the work: SHA-256 of both begins with as many zeros as are asked for. */
export function isWorkDone(challenge: string, answer: string): boolean {
  const digest = hash('sha256', `${challenge}:${answer}`, 'buffer');
  return digest.readUInt32BE(0) >>> (32 - workBits) === 0;
}

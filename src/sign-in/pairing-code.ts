import { randomBytes } from 'node:crypto';
import type { PublicCtx } from '../context.ts';
import { encodeBase32 } from '../kit/ids.ts';
import { foldCode } from '../kit/text/fold.ts';
import type { Limits } from './limit-tries.ts';

/** The wrong codes at once, and then the seconds for each further one: at the whole service, and from an address. With them 40 bits are enough for 15 minutes. */
export const pairingLimits: Limits = { to: { atOnce: 300, everyS: 1 }, from: { atOnce: 10, everyS: 60 } };

/** A code of 40 random bits that people type: eight of Crockford's signs, in two groups. */
export function newPairingCode(): string {
  const code = encodeBase32(randomBytes(5)).toUpperCase();
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** By which a code is found, in any case and spacing, with O for 0 and I or L for 1. It takes the key of the installation, or all codes could be tried against it. */
export function hashPairingCode({ app }: Pick<PublicCtx, 'app'>, code: string): Buffer {
  const typed = foldCode(code).replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return app.addressHash(`pairing ${typed}`);
}

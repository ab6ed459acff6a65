import type { CardKey } from '../engine/card-key.ts';
import { decodeScopedId, encodeScopedId } from '../kit/crypto/tokens.ts';
import { encodeBase32 } from '../kit/ids.ts';

/** The serial number carries the workspace, so that a device's request finds its card with one look-up. */
export function serialNumberOf({ workspaceId, instanceId }: CardKey): string {
  return encodeScopedId({ scope: workspaceId, id: instanceId });
}

/** The serial numbers of cards that lie one behind the other, in 32 bytes each. */
export function serialNumbersIn(cards: Buffer): string[] {
  return Array.from({ length: cards.length / 32 }, (_, at) =>
    encodeBase32(cards.subarray(at * 32, at * 32 + 32)),
  );
}

/** The card that a serial number names; null when it is no serial number of this service. */
export function readSerialNumber(text: string): CardKey | null {
  const named = decodeScopedId(text);
  return named && { workspaceId: named.scope, instanceId: named.id };
}

/** What may be a serial number in a text: 52 characters of its alphabet. */
export const serialNumberPattern = /[0-9a-hjkmnp-tv-z]{52}/g;

import { decodeBase32, encodeBase32, uuidBytes, uuidFromBytes } from '../../kit/ids.ts';

interface Card {
  readonly workspaceId: string;
  readonly instanceId: string;
}

/** The serial number carries the workspace, so that a device's request finds its card with one look-up. */
export function serialNumberOf(card: Card): string {
  return encodeBase32(Buffer.concat([uuidBytes(card.workspaceId), uuidBytes(card.instanceId)]));
}

/** The serial numbers of cards that lie one behind the other, in 32 bytes each. */
export function serialNumbersIn(cards: Buffer): string[] {
  return Array.from({ length: cards.length / 32 }, (_, at) =>
    encodeBase32(cards.subarray(at * 32, at * 32 + 32)),
  );
}

/** The card that a serial number names; null when it is none of ours. */
export function readSerialNumber(text: string): Card | null {
  const bytes = decodeBase32(text);
  if (bytes?.length !== 32) return null;
  return {
    workspaceId: uuidFromBytes(bytes.subarray(0, 16)),
    instanceId: uuidFromBytes(bytes.subarray(16)),
  };
}

/** What may be a serial number in a text: 52 characters of its alphabet. */
export const serialNumberPattern = /[0-9a-hjkmnp-tv-z]{52}/g;

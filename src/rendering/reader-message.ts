import { barcodeOf } from '../cards/instance.schema.ts';
import { longestNfcMessage } from '../wallet/apple/card.ts';
import type { CardRow } from './card.sql.ts';

/** What a reader gets of a card by NFC; null: nothing, also where it is too long and the reader would take a part for the whole. */
export function readerMessage(card: CardRow): string | null {
  const { nfc } = card.walletOptions;
  if (nfc === undefined || card.erasedAt !== null) return null;
  const code = barcodeOf(card);
  const message = nfc === 'identifier' ? (card.holder?.identifier ?? code) : code;
  return message !== null && Buffer.byteLength(message) <= longestNfcMessage ? message : null;
}

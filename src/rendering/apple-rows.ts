import type { PassType } from '../passes/pass-row.ts';
import type { BarcodeFormat } from '../wallet/barcode-format.ts';

/** Whether secondary and auxiliary fields share a row: where Apple has no room for two. */
export function hasOneRow(type: PassType, format: BarcodeFormat | null): boolean {
  const isSquare = format === 'qr' || format === 'aztec';
  return type !== 'eventTicket' && (type !== 'generic' || isSquare);
}

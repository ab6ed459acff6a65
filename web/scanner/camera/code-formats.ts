/** The formats that barcodes of cards have, as the API calls them, and as the browser's own detector does. */
export const formats = {
  qr: 'qr_code',
  pdf417: 'pdf417',
  aztec: 'aztec',
  code128: 'code_128',
  ean13: 'ean_13',
  code39: 'code_39',
  codabar: 'codabar',
  itf: 'itf',
} as const;

export type CodeFormat = keyof typeof formats;

/** Whether a format is of bars, whose checksum is weak, if they have one. */
export function isBars(format: CodeFormat): boolean {
  return format !== 'qr' && format !== 'pdf417' && format !== 'aztec';
}

/** Whether the browser's own detector reads all that cards show. Some have one that reads nothing. */
export async function readsAllFormats(detector: {
  getSupportedFormats(): Promise<readonly string[]>;
}): Promise<boolean> {
  try {
    const known = await detector.getSupportedFormats();
    return Object.values(formats).every((format) => known.includes(format));
  } catch {
    return false;
  }
}

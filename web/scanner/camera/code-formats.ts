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

/** What some detectors take an EAN-13 for that begins with a 0, which they leave out. */
const upcA = 'upc_a';

/** What a detector is to look for. */
export const detected: readonly string[] = [...Object.values(formats), upcA];

/** The code of a card in what a detector has read; null where that is no such code. */
export function codeIn(text: string, format: string): { text: string; format: CodeFormat } | null {
  if (text === '') return null;
  if (format === upcA) return { text: `0${text}`, format: 'ean13' };
  const ours = (Object.keys(formats) as CodeFormat[]).find((one) => formats[one] === format);
  return ours === undefined ? null : { text: saidIn(ours, text), format: ours };
}

/** What bars say without the letters that open and close a Codabar, which some detectors give out. */
export function saidIn(format: CodeFormat, text: string): string {
  return format === 'codabar' ? text.replace(/^[A-D]|[A-D]$/gi, '') : text;
}

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

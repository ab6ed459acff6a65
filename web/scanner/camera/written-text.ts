import type { ReaderOptions, ReadResult } from 'zxing-wasm/reader';

/**
 * The text as it was written: not as people like to read it. Where a symbol names no character set, each byte becomes a
 * letter, and nothing is guessed by content: a guess takes `20°C` for half-width katakana.
 */
export const readerOptions: ReaderOptions = {
  // Code 39 of pairs of signs, which others take for small letters, is none of ours.
  formats: ['QRCode', 'PDF417', 'Aztec', 'Code128', 'EAN13', 'Code39Std', 'Codabar', 'ITF'],
  textMode: 'Plain',
  characterSet: 'ISO8859_1',
};

/** As many lines across a picture must agree on an ITF. */
const fewestLines = 12;

/**
 * Whether all of a code was read. A line that leaves a tilted ITF at its edge may read it as a shorter one, since its end is one
 * wide bar and a narrow one: of a whole one many lines say the same.
 */
export function isWhole({ symbology, lineCount }: Pick<ReadResult, 'symbology' | 'lineCount'>): boolean {
  return symbology !== 'ITF' || lineCount >= fewestLines;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Latin-1, with letters in place of its second set of control characters, which no code has. */
const latin1 = new TextDecoder('windows-1252');

/**
 * What a symbol says that was read with these options. A character set that it names is kept to; other bytes are UTF-8 where
 * they are valid as such, and Latin-1 where they are not. Kanji between them are letters already.
 */
export function writtenText({ text, hasECI }: Pick<ReadResult, 'text' | 'hasECI'>): string {
  return hasECI ? text : text.replace(/[\0-\xff]+/g, ofBytes);
}

function ofBytes(letters: string): string {
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  try {
    return utf8.decode(bytes);
  } catch {
    return latin1.decode(bytes);
  }
}

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type FontWeight = 400 | 600;

/** The families in the order in which they are asked for a character: Latin, Greek and Cyrillic; Arabic; Hebrew. */
export const bundledFamilies = ['Inter', 'Noto Sans Arabic', 'Noto Sans Hebrew'] as const;

/**
 * Makes what draws text in pictures (librsvg, by way of fontconfig) find the bundled fonts before those of the
 * machine, so that pictures look the same on a machine without fonts. Call it before the first text is drawn;
 * fontconfig looks once.
 */
export function useBundledFonts(): void {
  // Not a setting: the library reads the environment of the process itself to find the file.
  process.env.FONTCONFIG_FILE = fileURLToPath(new URL('fonts.conf', import.meta.url));
}

/** The font files of a weight, TrueType, in the order of the families. */
export function readBundledFonts(weight: FontWeight): Buffer[] {
  return files[weight].map((url) => readFileSync(new URL(url)));
}

const files: Readonly<Record<FontWeight, readonly string[]>> = {
  400: [
    import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    import.meta.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
    import.meta.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
  ],
  600: [
    import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
    import.meta.resolve('@expo-google-fonts/noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf'),
    import.meta.resolve('@expo-google-fonts/noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold.ttf'),
  ],
};

/**
 * How far each character of a TrueType font moves the pen, in units of the font's size; undefined for a character
 * that the font does not have. Kerning and the shapes of joined letters are not counted. Tables: OpenType 1.9, `cmap`
 * in its formats 4 and 12, `head`, `hhea` and `hmtx`. Throws an Error when the file is no such font.
 */
export function fontAdvances(file: Buffer): (codePoint: number) => number | undefined {
  const tables = tablesOf(file);
  const unitsPerEm = table(tables, 'head').readUInt16BE(18);
  const measured = table(tables, 'hhea').readUInt16BE(34);
  const hmtx = table(tables, 'hmtx');
  const glyphOf = glyphFinder(table(tables, 'cmap'));
  return (codePoint) => {
    const glyph = glyphOf(codePoint);
    if (glyph === 0) return undefined;
    // The last advance is that of all glyphs after it.
    return hmtx.readUInt16BE(Math.min(glyph, measured - 1) * 4) / unitsPerEm;
  };
}

function tablesOf(file: Buffer): Map<string, Buffer> {
  const count = file.readUInt16BE(4);
  return new Map(
    Array.from({ length: count }, (_, at) => {
      const record = file.subarray(12 + at * 16, 28 + at * 16);
      const [offset, length] = [record.readUInt32BE(8), record.readUInt32BE(12)];
      return [record.toString('latin1', 0, 4), file.subarray(offset, offset + length)];
    }),
  );
}

function table(tables: ReadonlyMap<string, Buffer>, name: string): Buffer {
  const found = tables.get(name);
  if (found === undefined) throw new Error(`the font has no table "${name}"`);
  return found;
}

/** Returns the number of the glyph for a character; 0 means none. */
type GlyphFinder = (codePoint: number) => number;

function glyphFinder(cmap: Buffer): GlyphFinder {
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, at) =>
    cmap.subarray(cmap.readUInt32BE(8 + at * 8)),
  );
  const whole = subtables.find((subtable) => subtable.readUInt16BE(0) === 12);
  if (whole !== undefined) return inGroups(whole);
  const basic = subtables.find((subtable) => subtable.readUInt16BE(0) === 4);
  if (basic === undefined) throw new Error('the font has no character map of format 4 or 12');
  return inSegments(basic);
}

/** Format 12: groups of characters in order. */
function inGroups(map: Buffer): GlyphFinder {
  const count = map.readUInt32BE(12);
  return (codePoint) => {
    const at = firstFrom(count, (index) => map.readUInt32BE(20 + index * 12) >= codePoint);
    if (at === count) return 0;
    const first = map.readUInt32BE(16 + at * 12);
    return codePoint < first ? 0 : map.readUInt32BE(24 + at * 12) + codePoint - first;
  };
}

/** Format 4: segments of the basic plane in order, of which some name their glyphs one by one. */
function inSegments(map: Buffer): GlyphFinder {
  const twice = map.readUInt16BE(6);
  const [ends, starts, deltas, offsets] = [14, 16 + twice, 16 + 2 * twice, 16 + 3 * twice];
  return (codePoint) => {
    const at = firstFrom(twice / 2, (index) => map.readUInt16BE(ends + index * 2) >= codePoint);
    if (at === twice / 2) return 0;
    const start = map.readUInt16BE(starts + at * 2);
    if (codePoint < start) return 0;
    const delta = map.readUInt16BE(deltas + at * 2);
    const place = offsets + at * 2;
    const offset = map.readUInt16BE(place);
    if (offset === 0) return (codePoint + delta) & 0xffff;
    const glyph = map.readUInt16BE(place + offset + (codePoint - start) * 2);
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  };
}

/** The first index that fits, by halving: those that fit come last. */
function firstFrom(count: number, fits: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

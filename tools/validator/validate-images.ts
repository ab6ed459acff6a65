import { isJsonObject, type JsonObject } from './json-reader.ts';
import type { PassFiles, Report } from './validate-rules.ts';

/** The parts of an image's name: `fr.lproj/logo@2x.png` → language fr, base logo, scale 2. */
export interface ImageName {
  readonly language: string | null;
  readonly base: string;
  readonly scale: number;
}

/** Splits the name of an image in the place where Wallet looks for one; null for other files. */
export function imageName(name: string): ImageName | null {
  const match = /^(?:([^/]+)\.lproj\/)?([^/@]+)(?:@([23])x)?\.(?:png|pdf)$/.exec(name);
  if (!match) return null;
  return {
    language: match[1] ?? null,
    base: match[2] ?? '',
    scale: Number(match[3] ?? 1),
  };
}

/** Every PNG and PDF of the pass: well-formed, of a size and name that its style shows, and consistently localised. */
export function validateImages(files: PassFiles, pass: JsonObject | null, report: Report): void {
  const scales = new Map<string, Map<string, string>>();
  for (const [file, bytes] of files) {
    const pdf = file.endsWith('.pdf');
    if (!pdf && !file.endsWith('.png')) continue;
    const size = pdf ? null : pngSize(bytes);
    if (pdf ? !isPdf(bytes) : size === null) {
      const message = `The file is not a complete ${pdf ? 'PDF' : 'PNG'}; other image formats must be converted.`;
      report('image-invalid', message, file);
    }
    const name = imageName(file);
    if (!name) continue;
    if (pdf) validateFallback(file, name, files, report);
    if (pass) validateUse(file, name, files, pass, report);
    if (size) validateSize(file, name, size, pass, report);
    if (name.language === null || pdf) continue;
    if (files.has(file.slice(file.indexOf('/') + 1))) {
      report('image-shadowed', 'The image of this name at the root hides the localised one.', file);
    }
    const languages = scales.get(name.base) ?? new Map<string, string>();
    languages.set(name.language, `${languages.get(name.language) ?? ''}@${name.scale}x`);
    scales.set(name.base, languages);
  }
  for (const [base, languages] of scales) compareResolutions(base, languages, report);
  const hasArtwork = [...files.keys()].some((file) => imageName(file)?.base === 'artwork');
  if (isJsonObject(pass?.posterGeneric) && !hasArtwork) {
    report('image-poster', 'The poster is empty; add artwork.png, artwork@2x.png and artwork@3x.png.');
  }
}

function validateFallback(
  file: string,
  { language, base }: ImageName,
  files: PassFiles,
  report: Report,
): void {
  const folder = language === null ? '' : `${language}.lproj/`;
  const png = ['', '@2x', '@3x'].some((scale) => files.has(`${folder}${base}${scale}.png`));
  if (!png) report('image-fallback', 'Systems before iOS 27 show no PDF; add a PNG of this name.', file);
}

type Size = readonly [width: number, height: number];

/** Largest size in points by image; `default` where the style makes no difference. */
const places: Readonly<Record<string, Readonly<Record<string, Size>>>> = {
  icon: { default: [38, 38] },
  logo: { default: [160, 50] },
  strip: { eventTicket: [375, 98], coupon: [375, 144], storeCard: [375, 144] },
  thumbnail: { generic: [90, 90], eventTicket: [90, 90] },
  background: { eventTicket: [180, 220], posterGeneric: [345, 505] },
  artwork: { posterGeneric: [358, 448] },
  primaryLogo: { posterGeneric: [126, 30] },
  secondaryLogo: { posterGeneric: [135, 12] },
  footer: { boardingPass: [286, 15] },
  personalizationLogo: { default: [150, 40] },
};

const posterImages: ReadonlySet<string> = new Set(['artwork', 'primaryLogo', 'secondaryLogo', 'venueMap']);

const styles = ['boardingPass', 'coupon', 'eventTicket', 'generic', 'storeCard', 'posterGeneric'] as const;

function stylesOf(pass: JsonObject | null): string[] {
  return styles.filter((style) => isJsonObject(pass?.[style]));
}

function validateUse(
  file: string,
  name: ImageName,
  files: PassFiles,
  pass: JsonObject,
  report: Report,
): void {
  if (posterImages.has(name.base)) {
    if (pass.preferredStyleSchemes === undefined && pass.posterGeneric === undefined) {
      report('image-unused', 'Only poster and semantic styles show this image.', file);
    }
    return;
  }
  const place = Object.hasOwn(places, name.base) ? places[name.base] : undefined;
  if (!place) {
    report('image-unused', 'Wallet knows no image of this name.', file);
    return;
  }
  const used = stylesOf(pass);
  if (used.length > 0 && !place.default && !used.some((style) => place[style])) {
    report('image-unused', `A pass of style ${used.join(' + ')} does not show this image.`, file);
  } else if (hiddenByStrip(name.base, used) && [...files.keys()].some(isStrip)) {
    report('image-unused', 'An event ticket with a strip shows neither background nor thumbnail.', file);
  }
}

function hiddenByStrip(base: string, used: readonly string[]): boolean {
  return used.includes('eventTicket') && (base === 'background' || base === 'thumbnail');
}

function isStrip(file: string): boolean {
  return imageName(file)?.base === 'strip';
}

function validateSize(
  file: string,
  { base, scale }: ImageName,
  [width, height]: Size,
  pass: JsonObject | null,
  report: Report,
): void {
  const place = Object.hasOwn(places, base) ? places[base] : undefined;
  if (!place) return;
  const fitting = stylesOf(pass).flatMap((style) => (place[style] ? [place[style]] : []));
  const limits = place.default ? [place.default] : fitting;
  if (limits.length === 0) return;
  const maxWidth = Math.max(...limits.map((limit) => limit[0])) * scale;
  const maxHeight = Math.max(...limits.map((limit) => limit[1])) * scale;
  if (width > maxWidth || height > maxHeight) {
    report(
      'image-size',
      `${width}×${height} pixels are more than the ${maxWidth}×${maxHeight} of its place.`,
      file,
    );
  }
  if (base === 'artwork' && (width < maxWidth || height < maxHeight)) {
    report(
      'image-poster',
      `${width}×${height} pixels do not fill the ${maxWidth}×${maxHeight} of a poster.`,
      file,
    );
  }
  const ratio = width / height;
  if (base === 'thumbnail' && (ratio < 2 / 3 - 0.01 || ratio > 3 / 2 + 0.01)) {
    report('image-size', 'A thumbnail is cropped unless its sides are between 2:3 and 3:2.', file);
  }
}

function compareResolutions(base: string, languages: ReadonlyMap<string, string>, report: Report): void {
  const sets = [...languages].map(
    ([language, list]) => [language, list.split('@').sort().join(' ')] as const,
  );
  const [first, ...others] = sets;
  const different = others.find(([, list]) => list !== first?.[1]);
  if (first && different) {
    const message = `${base} has resolutions${first[1]} in ${first[0]}.lproj and${different[1]} in ${different[0]}.lproj.`;
    report('image-resolutions-differ', message, `${different[0]}.lproj/${base}.png`);
  }
}

function isPdf(bytes: Buffer): boolean {
  const end = bytes.subarray(-1024);
  return bytes.toString('latin1', 0, 5) === '%PDF-' && end.includes('%%EOF');
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Width and height when the chunks run from IHDR to IEND (PNG specification §5). */
function pngSize(bytes: Buffer): Size | null {
  if (bytes.length < 45 || !bytes.subarray(0, 8).equals(pngSignature)) return null;
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  const size: Size = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (size[0] === 0 || size[1] === 0) return null;
  let at = 8;
  while (at + 12 <= bytes.length) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return size;
    at += 12 + bytes.readUInt32BE(at);
  }
  return null;
}

import { LRUCache } from 'lru-cache';
import type { CardColors } from '../cards/card-colors.ts';
import { drawPicture } from '../kit/pictures/draw-picture.ts';
import { keptWork } from '../kit/promises.ts';
import { directionOf, languageTag } from '../kit/text/language.ts';
import type { PassType } from '../passes/pass-row.ts';
import { type PassImage, prepareImage } from '../wallet/apple/pkpass.ts';
import type { CardProgram } from './program-fields.ts';

/** How many stamps a card has, of how many that unlock a reward. */
export interface Stamps {
  readonly filled: number;
  readonly threshold: number;
  /** The first is at the right, as languages that begin there read. */
  readonly fromRight?: true;
}

interface StampColors {
  /** Of the stamps. */
  readonly ink: string;
  /** Of the mark on a stamp. */
  readonly mark: string;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A larger number is drawn as its share of the whole: people do not count so many stamps. */
export const mostStamps = 100;
/** More would be dots: from here on they are a bar. */
const mostPlaces = 30;
const margin = 12;

/** The stamps that a card draws; null where it draws none. */
export function stampsOf(program: CardProgram | null, locale: string | null = null): Stamps | null {
  if (program?.mode !== 'STAMPS' || program.launchedAt === null || !program.drawsStamps) return null;
  const threshold = Math.max(1, program.threshold ?? 1);
  // Below zero while an earn was undone whose reward is gone; above the threshold where that was lowered since.
  const filled = Math.min(Math.max(0, program.balance), threshold);
  const side = directionOf(languageTag(locale) ?? 'en') === 'rtl' ? ({ fromRight: true } as const) : {};
  if (threshold <= mostStamps) return { filled, threshold, ...side };
  return { filled: Math.floor((filled / threshold) * mostStamps), threshold: mostStamps, ...side };
}

/** The stamps as shapes of an SVG of that size: the last place has a star. Equal arguments give equal text. */
export function stampsDrawing(stamps: Stamps, size: Size, colors: StampColors): string {
  const { filled, threshold, fromRight } = stamps;
  if (threshold > mostPlaces) return bar(stamps, size, colors);
  const { places, radius } = placesFor(threshold, size);
  return places
    .map(({ x, y }, at) => {
      const isLast = at === threshold - 1;
      const place = `translate(${round(fromRight ? size.width - x : x)} ${round(y)}) scale(${round(radius)})`;
      return `<g transform="${place}">${at < filled ? stamp(colors, isLast) : emptyPlace(colors, isLast)}</g>`;
    })
    .join('');
}

/** Places them in as many rows as make them largest, the last one in the middle. */
function placesFor(count: number, { width, height }: Size) {
  const room = { width: width - 2 * margin, height: height - 2 * margin };
  const cellIn = (rows: number) => Math.min(room.width / Math.ceil(count / rows), room.height / rows);
  const choices = Array.from({ length: count }, (_, at) => at + 1);
  const rows = choices.reduce((best, next) => (cellIn(next) > cellIn(best) ? next : best));
  const columns = Math.ceil(count / rows);
  const cell = cellIn(rows);
  const step = { x: Math.min(room.width / columns, cell * 1.3), y: Math.min(room.height / rows, cell * 1.3) };
  const places = Array.from({ length: count }, (_, at) => {
    const row = Math.floor(at / columns);
    const inThisRow = Math.min(columns, count - row * columns);
    return {
      x: width / 2 + ((at % columns) - (inThisRow - 1) / 2) * step.x,
      y: height / 2 + (row - (rows - 1) / 2) * step.y,
    };
  });
  return { places, radius: cell * 0.42 };
}

/** Shapes of radius 1 around the origin. */
function stamp({ ink, mark }: StampColors, isLast: boolean): string {
  const sign = isLast
    ? `<path d="${star}" fill="${mark}"/>`
    : `<path d="M-.42 .02L-.12 .32L.44 -.3" fill="none" stroke="${mark}" stroke-width=".2" stroke-linecap="round" stroke-linejoin="round"/>`;
  return `<circle r="1" fill="${ink}"/>${sign}`;
}

function emptyPlace({ ink }: StampColors, isLast: boolean): string {
  const ring = `<circle r=".94" fill="none" stroke="${ink}" stroke-width=".12" stroke-opacity=".65"/>`;
  return isLast ? `${ring}<path d="${star}" fill="${ink}" fill-opacity=".65"/>` : ring;
}

const star = `M${Array.from({ length: 10 }, (_, at) => {
  const radius = at % 2 === 0 ? 0.6 : 0.26;
  const angle = (at * Math.PI) / 5;
  return `${round(radius * Math.sin(angle))} ${round(-radius * Math.cos(angle))}`;
}).join('L')}Z`;

function bar(
  { filled, threshold, fromRight }: Stamps,
  { width, height }: Size,
  { ink }: StampColors,
): string {
  const share = filled / threshold;
  const thick = Math.min(26, height / 4);
  const long = width - 4 * margin;
  const [x, y] = [2 * margin, (height - thick) / 2];
  const rounded = (length: number, look: string) =>
    `<rect x="${round(fromRight ? width - x - length : x)}" y="${round(y)}" width="${round(length)}" height="${round(thick)}" rx="${round(thick / 2)}" ${look}/>`;
  const whole = rounded(long, `fill="none" stroke="${ink}" stroke-width="2" stroke-opacity=".65"`);
  // Never shorter than it is thick: it would not be round.
  return share === 0 ? whole : whole + rounded(Math.max(thick, long * share), `fill="${ink}"`);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** The size in points, and the pixels of a point. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/** What Google Wallet shows above a card: 1032 by 336 pixels. */
const HERO: PictureSize = { width: 344, height: 112, scale: 3 };

/** The size of the strip in points, by type; a generic pass has no strip. */
export const STRIP: Readonly<Record<PassType, Pick<PictureSize, 'width' | 'height'> | null>> = {
  loyalty: { width: 375, height: 123 },
  giftCard: { width: 375, height: 144 },
  coupon: { width: 375, height: 144 },
  eventTicket: { width: 375, height: 98 },
  generic: null,
};

/** Drawing takes tens of milliseconds; cards of a pass have few different ones. */
const heroes = new LRUCache<string, Promise<Buffer>>({ max: 300 });
const strips = new LRUCache<string, Promise<PassImage[]>>({ max: 300 });

/** Whether a pass file of the type has a place for the stamps. */
export function hasStrip(type: PassType): boolean {
  return STRIP[type] !== null;
}

/** The stamps for Google Wallet, as PNG. Equal arguments give equal bytes. */
export function stampsHero(stamps: Stamps, colors: CardColors): Promise<Buffer> {
  return keptWork(heroes, nameOf(stamps, colors), () => picture(stamps, colors, HERO));
}

/** The stamps as the strip of a pass file; nothing for a type without one. Equal arguments give equal bytes. */
export async function stampsStrip(stamps: Stamps, colors: CardColors, type: PassType): Promise<PassImage[]> {
  const size = STRIP[type];
  if (size === null) return [];
  return keptWork(strips, `${size.height} ${nameOf(stamps, colors)}`, () =>
    Promise.all(
      [1, 2, 3].map(async (scale) => {
        const name = scale === 1 ? 'strip.png' : `strip@${scale}x.png`;
        return prepareImage(name, await picture(stamps, colors, { ...size, scale }));
      }),
    ),
  );
}

function nameOf({ filled, threshold, fromRight }: Stamps, { shade, foreground }: CardColors): string {
  return `${filled} ${threshold} ${fromRight ?? ''} ${shade} ${foreground}`;
}

/** It has a ground of its own, since a wallet may choose the card's colour. */
async function picture(stamps: Stamps, colors: CardColors, size: PictureSize): Promise<Buffer> {
  const { width, height, scale } = size;
  const shapes = stampsDrawing(stamps, size, { ink: colors.foreground, mark: colors.shade });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${height * scale}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${colors.shade}"/>${shapes}</svg>`;
  const as = { format: 'png', compressionLevel: 9, palette: true } as const;
  return (await drawPicture({ source: drawing, as })).bytes;
}

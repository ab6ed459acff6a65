import { type CardColors, edgeOn } from '../cards/card-colors.ts';
import { type StampIcon, stampIcon } from '../kit/anywhere/stamp-icons.ts';
import { directionOf, languageTag } from '../kit/text/language.ts';
import type { PassType } from '../passes/pass-row.ts';
import type { StampLook } from '../passes/wallet-options.ts';
import type { CardProgram } from './program-fields.ts';

/** How many stamps a card has, of how many that unlock a reward. */
export interface Stamps {
  readonly filled: number;
  readonly threshold: number;
  /** The first is at the right, as languages that begin there read. */
  readonly fromRight?: true;
  /** Where its pass chooses one. */
  readonly look?: StampLook;
}

interface StampColors {
  /** Of the stamps. */
  readonly ink: string;
  /** Of the mark on a stamp. */
  readonly mark: string;
  /** Of the places without one; absent: that of the stamps. */
  readonly ring?: string;
  /** Between a picture and the stamps on it. */
  readonly veil?: string;
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
export function stampsOf(
  { program, stampLook: look }: { readonly program: CardProgram | null; readonly stampLook: StampLook },
  locale: string | null = null,
): Stamps | null {
  if (program?.mode !== 'STAMPS' || program.launchedAt === null || !program.drawsStamps) return null;
  const threshold = wanted(program);
  // Below zero while an earn was undone whose reward is gone; above the threshold where that was lowered since.
  const filled = Math.min(Math.max(0, program.balance), threshold);
  const others = {
    ...(directionOf(languageTag(locale) ?? 'en') === 'rtl' && ({ fromRight: true } as const)),
    ...(Object.keys(look).length > 0 && { look }),
  };
  const drawn = drawnThreshold(program);
  const share = drawn === threshold ? filled : Math.floor((filled / threshold) * drawn);
  return { filled: share, threshold: drawn, ...others };
}

/** Of how many stamps the cards of a program draw theirs. */
export function drawnThreshold(program: Pick<CardProgram, 'threshold'>): number {
  return Math.min(wanted(program), mostStamps);
}

function wanted({ threshold }: Pick<CardProgram, 'threshold'>): number {
  return Math.max(1, threshold ?? 1);
}

/** The colours of stamps on a card of those colours; on a picture they have a veil below them. */
export function stampColors(
  { look = {} }: Pick<Stamps, 'look'>,
  { foreground, shade }: Pick<CardColors, 'foreground' | 'shade'>,
  isOnPicture: boolean,
): StampColors {
  const { color, markColor } = look;
  return {
    ink: color ?? foreground,
    mark: markColor ?? (color === undefined ? shade : edgeOn(shade, [color])),
    ring: foreground,
    ...(isOnPicture && { veil: shade }),
  };
}

/** The stamps as shapes of an SVG of that size: the last place has a star. Equal arguments give equal text. */
export function stampsDrawing(stamps: Stamps, size: Size, colors: StampColors): string {
  const { filled, threshold, fromRight, look } = stamps;
  const veil =
    colors.veil === undefined
      ? ''
      : `<rect width="${size.width}" height="${size.height}" fill="${colors.veil}" fill-opacity=".3"/>`;
  if (threshold > mostPlaces) return veil + bar(stamps, size, colors);
  const { places, radius } = placesFor(threshold, size);
  const shapes = places.map(({ x, y }, at) => {
    const place = `translate(${round(fromRight ? size.width - x : x)} ${round(y)}) scale(${round(radius)})`;
    return `<g transform="${place}">${placeOf(at === threshold - 1, at < filled, look?.icon, colors)}</g>`;
  });
  return veil + shapes.join('');
}

/** The last one has a star, or where all have, a gift. Empty ones show faintly what a stamp there will show, where the pass chooses it. */
function placeOf(isLast: boolean, isFilled: boolean, chosen: StampIcon | undefined, colors: StampColors) {
  const icon = isLast ? (chosen === 'star' ? 'gift' : 'star') : chosen;
  if (isFilled) return stamp(colors, icon ?? 'check');
  const faint = colors.veil === undefined ? '.35' : '.5';
  return emptyPlace(colors, icon ?? null, isLast ? '.65' : faint);
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
function stamp({ ink, mark, veil }: StampColors, icon: StampIcon): string {
  return `${darker(veil)}<circle r="1" fill="${ink}"/>${stampIcon(icon, mark)}`;
}

function emptyPlace({ ink, ring = ink, veil }: StampColors, icon: StampIcon | null, opacity: string): string {
  const look = `stroke="${ring}" stroke-width=".12" stroke-opacity="${veil === undefined ? '.65' : '.9'}"`;
  const shown = icon === null ? '' : stampIcon(icon, ring, opacity);
  return `${darker(veil)}<circle r=".94" fill="none" ${look}/>${shown}`;
}

/** Around and below a place on a picture, so that it can be seen on any. */
function darker(veil: string | undefined): string {
  return veil === undefined ? '' : `<circle r="1.12" fill="${veil}" fill-opacity=".68"/>`;
}

function bar(
  { filled, threshold, fromRight }: Stamps,
  { width, height }: Size,
  { ink, ring = ink, veil }: StampColors,
): string {
  const share = filled / threshold;
  const thick = Math.min(26, height / 4);
  const long = width - 4 * margin;
  const [x, y] = [2 * margin, (height - thick) / 2];
  const rounded = (length: number, look: string) =>
    `<rect x="${round(fromRight ? width - x - length : x)}" y="${round(y)}" width="${round(length)}" height="${round(thick)}" rx="${round(thick / 2)}" ${look}/>`;
  const ground = veil === undefined ? 'fill="none"' : `fill="${veil}" fill-opacity=".68"`;
  const whole = rounded(long, `${ground} stroke="${ring}" stroke-width="2" stroke-opacity=".65"`);
  // Never shorter than it is thick: it would not be round.
  return share === 0 ? whole : whole + rounded(Math.max(thick, long * share), `fill="${ink}"`);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** The size of the strip in points, by type; a generic pass has no strip. */
export const STRIP: Readonly<Record<PassType, Size | null>> = {
  loyalty: { width: 375, height: 123 },
  giftCard: { width: 375, height: 144 },
  coupon: { width: 375, height: 144 },
  eventTicket: { width: 375, height: 98 },
  generic: null,
};

/** Whether a pass file of the type has a place for the stamps. */
export function hasStrip(type: PassType): boolean {
  return STRIP[type] !== null;
}

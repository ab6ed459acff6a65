import { contrast, inkOn, readable } from '../designer/contrast.ts';

/** The colours of a card, each `#rrggbb`. */
export interface CardColors {
  readonly background: string;
  readonly foreground: string;
  readonly label: string;
}

const paper = '#ffffff';
const ink = '#15171b';
/** Below this a colour is hardly seen on another one. */
const visible = 1.8;
/** Colours that are closer, by the sum of their channels' differences, are one to the eye. */
const alike = 96;
/** How much of the text's colour labels have. */
const labelShare = 0.72;

/** A card in that background: text that is read on it, and labels a little softer. */
export function colorsOn(background: string, label: string | null = null): CardColors {
  const best = inkOn(background);
  const foreground = best !== '#ffffff' && contrast(ink, background) >= readable ? ink : best;
  const soft = mixed(foreground, background, labelShare);
  const wished = [label, soft].find((color) => color !== null && contrast(color, background) >= readable);
  return { background, foreground, label: wished ?? foreground };
}

/**
 * What suits a logo, best first, of its pixels as RGBA. One on a ground of its own goes on that ground; one that is cut out goes
 * where it is seen: on white, on a dark card, and labels have its colour.
 */
export function colorsOfLogo(pixels: Uint8ClampedArray): CardColors[] {
  const { main, isCutOut, corner } = lookAt(pixels);
  const [first, ...others] = main;
  if (first === undefined) return [];
  if (!isCutOut) {
    const grounds = [corner, ...main.filter((color) => distance(color, corner) >= alike)];
    return grounds.slice(0, 3).map((ground) => colorsOn(ground, others[0] ?? null));
  }
  const isSeenOn = (ground: string) => main.every((color) => contrast(color, ground) >= visible);
  return [paper, ink, ...others].filter(isSeenOn).map((ground) => colorsOn(ground, first));
}

interface Look {
  /** Its colours, those with most pixels first; not all that are alike. */
  readonly main: readonly string[];
  readonly isCutOut: boolean;
  readonly corner: string;
}

function lookAt(pixels: Uint8ClampedArray): Look {
  const groups = new Map<number, { count: number; sums: [number, number, number] }>();
  let clear = 0;
  const count = pixels.length / 4;
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4);
    if (alpha < 128) {
      clear += 1;
      continue;
    }
    const key = ((red >> 5) << 6) | ((green >> 5) << 3) | (blue >> 5);
    const group = groups.get(key) ?? { count: 0, sums: [0, 0, 0] };
    group.count += 1;
    group.sums = [group.sums[0] + red, group.sums[1] + green, group.sums[2] + blue];
    groups.set(key, group);
  }
  const main: string[] = [];
  for (const group of [...groups.values()].sort((one, other) => other.count - one.count)) {
    const [red, green, blue] = group.sums.map((sum) => sum / group.count) as [number, number, number];
    const color = hex(red, green, blue);
    const isSpeck = group.count < (count - clear) / 20;
    if (!isSpeck && main.every((known) => distance(known, color) >= alike)) main.push(color);
  }
  const [red = 255, green = 255, blue = 255] = pixels;
  return { main: main.slice(0, 3), isCutOut: clear > count / 20, corner: hex(red, green, blue) };
}

function mixed(one: string, other: string, share: number): string {
  const [a, b] = [channels(one), channels(other)];
  const mix = (at: number) => (a[at] ?? 0) * share + (b[at] ?? 0) * (1 - share);
  return hex(mix(0), mix(1), mix(2));
}

function distance(one: string, other: string): number {
  const others = channels(other);
  return channels(one).reduce((sum, channel, at) => sum + Math.abs(channel - (others[at] ?? 0)), 0);
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function hex(...channels: readonly number[]): string {
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

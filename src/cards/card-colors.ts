/** What a pass asks for: `#rrggbb`, or null for our choice. */
export interface WantedColors {
  readonly background: string | null;
  readonly foreground: string | null;
  readonly label: string | null;
}

/** Colours to draw with, each `#rrggbb`. Both texts are readable on the background and on its shade. */
export interface CardColors {
  readonly background: string;
  /** The background again, a little further from the text. */
  readonly shade: string;
  readonly foreground: string;
  readonly label: string;
}

/** WCAG 2.2, success criterion 1.4.3: text of normal size. */
const READABLE = 4.5;
const DEFAULT_BACKGROUND = '#1f2937';

/**
 * A card's colours. A wanted text colour gives way to black or white where it could not be read; whatever is
 * not `#rrggbb` counts as not given, so that the result is safe inside a style sheet.
 */
export function cardColors(wanted: WantedColors): CardColors {
  const background = hex(wanted.background) ?? DEFAULT_BACKGROUND;
  const foreground = [hex(wanted.foreground)].find((color) => isReadable(color, [background]));
  const text = foreground ?? blackOrWhite(background);
  const shade = mix(background, luminance(text) > luminance(background) ? '#000000' : '#ffffff', 0.16);
  const labels = [hex(wanted.label), mix(text, background, 0.2)];
  return {
    background,
    shade,
    foreground: text,
    label: labels.find((color) => isReadable(color, [background, shade])) ?? text,
  };
}

/** The contrast of two `#rrggbb`, from 1 (none) to 21 (black on white). Formula: WCAG 2.2, "contrast ratio". */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, success criterion 1.4.11: the edge of what can be pressed. */
const SEEN = 3;

/** A colour as near to `color` as can be seen on all grounds: an edge of a shape of that colour. Grounds are all light, or all dark. */
export function edgeOn(color: string, grounds: readonly string[]): string {
  const away = blackOrWhite(grounds[0] ?? '#ffffff');
  const steps = Array.from({ length: 21 }, (_, at) => mix(color, away, at / 20));
  return steps.find((edge) => grounds.every((ground) => contrast(edge, ground) >= SEEN)) ?? away;
}

/** `share` of a colour over a ground, as `color-mix` does it. */
export function tinted(ground: string, color: string, share: number): string {
  return mix(ground, color, share);
}

function isReadable(color: string | null, grounds: readonly string[]): color is string {
  return color !== null && grounds.every((ground) => contrast(color, ground) >= READABLE);
}

function hex(color: string | null): string | null {
  return color !== null && /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : null;
}

/** The better of the two has a contrast of at least 4.58 on any colour. */
function blackOrWhite(background: string): string {
  return contrast('#ffffff', background) >= contrast('#000000', background) ? '#ffffff' : '#000000';
}

/** Formula: WCAG 2.2, "relative luminance". */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** `share` of the second colour in the first, 0 to 1. */
function mix(one: string, other: string, share: number): string {
  const second = channels(other);
  const mixed = channels(one).map((channel, index) =>
    Math.round(channel + ((second[index] ?? 0) - channel) * share),
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function channels(color: string): number[] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

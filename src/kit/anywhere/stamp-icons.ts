/** What a stamp may show, by the trades that look for it. */
export const stampIcons = [
  'check',
  'star',
  'heart',
  'gift',
  'cup',
  'sandwich',
  'burger',
  'pizza',
  'iceCream',
  'scissors',
  'flower',
  'paw',
  'dumbbell',
  'car',
] as const;
export type StampIcon = (typeof stampIcons)[number];

/** Shapes within a radius of 100: what is filled, by the rule `evenodd`, and lines with round ends, so many wide. */
interface Shapes {
  readonly fill?: string;
  readonly line?: string;
  readonly wide?: number;
}

const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const plate = (x: number, width: number, height: number) =>
  `M${x} ${5 - height / 2}a5 5 0 0 1 5 -5h${width - 10}a5 5 0 0 1 5 5v${height - 10}a5 5 0 0 1 -5 5h${10 - width}a5 5 0 0 1 -5 -5Z`;

const shapes: Readonly<Record<Exclude<StampIcon, 'check' | 'star'>, Shapes>> = {
  heart: {
    fill: 'M0 54C-16 41 -60 14 -60 -16C-60 -36 -46 -48 -29 -48C-17 -48 -6 -42 0 -31C6 -42 17 -48 29 -48C46 -48 60 -36 60 -16C60 14 16 41 0 54Z',
  },
  gift: {
    fill: 'M-44 2H-5V52H-38a6 6 0 0 1 -6 -6ZM5 2H44V46a6 6 0 0 1 -6 6H5ZM-52 -22a5 5 0 0 1 5 -5H-5V-7H-52ZM5 -27H47a5 5 0 0 1 5 5V-7H5Z',
    line: 'M0 -30C-10 -54 -34 -58 -35 -44C-35 -33 -14 -30 0 -30C14 -30 35 -33 35 -44C34 -58 10 -54 0 -30',
    wide: 9,
  },
  cup: {
    fill: 'M-50 -20H30V-12H38a21 21 0 0 1 0 42H26A28 28 0 0 1 4 40H-22A28 28 0 0 1 -50 12ZM30 0V18H38a9 9 0 0 0 0 -18ZM-50 48H32a6 6 0 0 1 0 12H-50a6 6 0 0 1 0 -12Z',
    line: 'M-28 -56q-8 9 0 22M-8 -56q-8 9 0 22M12 -56q-8 9 0 22',
    wide: 8,
  },
  sandwich: {
    fill: 'M-60 -8C-60 -32 -46 -40 -28 -40H28C46 -40 60 -32 60 -8ZM-34 -17L-24 -31H-15L-25 -17ZM-8 -17L2 -31H11L1 -17ZM18 -17L28 -31H37L27 -17ZM-58 22H58C58 36 50 42 40 42H-40C-50 42 -58 36 -58 22Z',
    line: 'M-54 6q9 10 18 0t18 0t18 0t18 0t18 0t18 0',
    wide: 10,
  },
  burger: {
    fill: `M-54 -10C-54 -40 -30 -54 0 -54S54 -40 54 -10Z${circle(-22, -29, 5)}${circle(0, -38, 5)}${circle(22, -29, 5)}M-52 30H52V34a18 18 0 0 1 -18 18H-34a18 18 0 0 1 -18 -18Z`,
    line: 'M-48 9q12 12 24 0t24 0t24 0t24 0',
    wide: 13,
  },
  pizza: {
    fill: `M-43 -19Q0 -45 43 -19L5 55a6 6 0 0 1 -10 0Z${circle(-15, -13, 9)}${circle(14, -4, 8)}${circle(-2, 19, 7)}`,
    line: 'M-50 -35Q0 -66 50 -35',
    wide: 15,
  },
  iceCream: {
    fill: 'M-37 0C-37 -38 -22 -60 0 -60S37 -38 37 0q-9 11 -18.5 0q-9 11 -18.5 0q-9 11 -18.5 0q-9 11 -18.5 0ZM-27 14q12 6 27 -1q15 7 27 1L5 59a6 6 0 0 1 -10 0Z',
  },
  scissors: {
    fill: `${circle(-29, 36, 21)}${circle(-29, 36, 10)}${circle(29, 36, 21)}${circle(29, 36, 10)}`,
    line: 'M-20 22L23 -55M20 22L-23 -55',
    wide: 12,
  },
  flower: {
    fill: `M33 0A19 19 0 1 1 16.5 28.6A19 19 0 1 1 -16.5 28.6A19 19 0 1 1 -33 0A19 19 0 1 1 -16.5 -28.6A19 19 0 1 1 16.5 -28.6A19 19 0 1 1 33 0Z${circle(0, 0, 13)}`,
  },
  paw: {
    fill: 'M0 2C20 2 42 26 36 43C31 56 14 49 0 49S-31 56 -36 43C-42 26 -20 2 0 2ZM-56 -8C-58 -22 -46 -28 -38 -18C-31 -9 -31 6 -40 8C-48 9 -55 2 -56 -8ZM-30 -37C-30 -52 -14 -57 -8 -40C-4 -27 -6 -13 -15 -12C-24 -12 -30 -25 -30 -37ZM56 -8C58 -22 46 -28 38 -18C31 -9 31 6 40 8C48 9 55 2 56 -8ZM30 -37C30 -52 14 -57 8 -40C4 -27 6 -13 15 -12C24 -12 30 -25 30 -37Z',
  },
  dumbbell: {
    fill: `${plate(-62, 14, 38)}${plate(-44, 18, 70)}${plate(26, 18, 70)}${plate(48, 14, 38)}M-26 -8H26V8H-26Z`,
  },
  car: {
    fill: `M-60 14C-60 0 -52 -5 -41 -7L-27 -29C-23 -35 -19 -38 -12 -38H12C19 -38 24 -36 28 -31L44 -9C55 -7 60 0 60 14V21a6 6 0 0 1 -6 6H50a18 18 0 0 0 -36 0H-14a18 18 0 0 0 -36 0H-54a6 6 0 0 1 -6 -6ZM-28 -8H-4V-27H-12Q-15 -27 -17 -24ZM5 -27V-8H30L20 -23Q17 -27 12 -27Z${circle(-32, 28, 13)}${circle(32, 28, 13)}`,
  },
};

const star =
  'M0 -0.6L0.153 -0.21L0.571 -0.185L0.247 0.08L0.353 0.485L0 0.26L-0.353 0.485L-0.247 0.08L-0.571 -0.185L-0.153 -0.21Z';

/** An icon in a colour, as shapes of an SVG within a radius of 1. */
export function stampIcon(icon: StampIcon, color: string, opacity?: string): string {
  if (icon === 'check')
    return `<path d="M-.42 .02L-.12 .32L.44 -.3" fill="none" stroke="${color}" stroke-width=".2" stroke-linecap="round" stroke-linejoin="round"${seen('opacity', opacity)}/>`;
  if (icon === 'star') return `<path d="${star}" fill="${color}"${seen('fill-opacity', opacity)}/>`;
  const { fill, line, wide } = shapes[icon];
  const filled = fill === undefined ? '' : `<path fill="${color}" fill-rule="evenodd" d="${fill}"/>`;
  const drawn =
    line === undefined
      ? ''
      : `<path fill="none" stroke="${color}" stroke-width="${wide}" stroke-linecap="round" stroke-linejoin="round" d="${line}"/>`;
  return `<g transform="scale(.01)"${seen('opacity', opacity)}>${filled}${drawn}</g>`;
}

function seen(name: string, opacity: string | undefined): string {
  return opacity === undefined ? '' : ` ${name}="${opacity}"`;
}

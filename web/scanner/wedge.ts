/** A key that was pressed, as far as it distinguishes a barcode reader from fingers. */
export interface Stroke {
  readonly key: string;
  /** Which key of the keyboard it was, whatever the layout makes of it. */
  readonly code: string;
  readonly shift: boolean;
  /** When, in milliseconds of any clock. */
  readonly at: number;
}

/** Readers leave 7 to 20 ms between keys; people do not type so fast for so long. */
const mostGapMs = 50;
const fewestStrokes = 4;

/** Distinguishes the codes that a reader types, which plays a keyboard and ends with Enter, from what people type. */
export class Wedge {
  #strokes: Stroke[] = [];

  /** Takes a key; answers what was read, once it is whole: the ways to understand it, the likeliest first. */
  press(stroke: Stroke): readonly string[] | null {
    const last = this.#strokes.at(-1);
    if (last !== undefined && stroke.at - last.at > mostGapMs) this.#strokes = [];
    if (stroke.key === 'Enter' || stroke.key === 'Tab') {
      const read = this.#strokes;
      this.#strokes = [];
      return read.length < fewestStrokes ? null : readingsOf(read);
    }
    // Shift and other keys that write nothing.
    if ([...stroke.key].length === 1 || isDead(stroke)) this.#strokes.push(stroke);
    return null;
  }

  /** How many keys of a code may have been written where the cursor stands. */
  get length(): number {
    return this.#strokes.length;
  }
}

/**
 * What strokes may mean. A reader that is set to another layout than the machine has writes other letters than it means, as
 * does one while Caps Lock is on: then the keys, as an American keyboard has them, say what was meant.
 */
export function readingsOf(strokes: readonly Stroke[]): readonly string[] {
  const written = strokes.map(({ key }) => (key === 'Dead' ? '' : key)).join('');
  const meant = strokes.map(american).join('');
  const turned = turnCase(written);
  const isPlain = isCode(written) && !strokes.some(isDead);
  const all = isPlain || !isCode(meant) ? [written, meant, turned] : [meant, written, turned];
  return [...new Set(all)].filter((one) => one !== '');
}

function isCode(text: string): boolean {
  return /^[\w.:/+\]-]+$/.test(text);
}

function isDead({ key }: Stroke): boolean {
  return key === 'Dead';
}

/** A text as it is while Caps Lock is on. */
export function turnCase(text: string): string {
  return text.replace(/./gu, (letter) => {
    const small = letter.toLowerCase();
    return small === letter ? letter.toUpperCase() : small;
  });
}

/** What an American keyboard writes with this key. */
function american({ key, code, shift }: Stroke): string {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  if (letter !== undefined) return shift ? letter : letter.toLowerCase();
  const [, digit] = /^(?:Digit|Numpad)(\d)$/.exec(code) ?? [];
  if (digit !== undefined)
    return shift && code.startsWith('Digit') ? (')!@#$%^&*('[Number(digit)] ?? '') : digit;
  const pair = signs[code];
  return pair === undefined ? key : (pair[shift ? 1 : 0] ?? key);
}

const signs: Readonly<Record<string, string>> = {
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  Semicolon: ';:',
  Quote: '\'"',
  Backquote: '`~',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
  Space: '  ',
};

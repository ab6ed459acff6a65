/** What makes bytes unfit as the JSON of a pass. */
export interface JsonProblem {
  readonly kind: 'encoding' | 'byte-order-mark' | 'syntax' | 'duplicate-key';
  readonly message: string;
}

/** A JSON object as parsed; nothing is known about its members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Parses UTF-8 JSON more strictly than JSON.parse: no invalid bytes, no duplicate keys and no nesting beyond 64 levels. A byte
 * order mark, and UTF-16 behind one, are problems too, but do not hide what is behind them. `value` is undefined when it
 * cannot be parsed. Never throws.
 */
export function readJson(bytes: Buffer): { value: unknown; problems: JsonProblem[] } {
  const text = decodeUtf8(bytes);
  const wide = text === null ? decodeUtf16(bytes) : null;
  const problems: JsonProblem[] = [];
  if (text === null) {
    const message = wide === null ? 'The file is not valid UTF-8.' : 'The file is UTF-16; write UTF-8.';
    problems.push({ kind: 'encoding', message });
  } else if (text.startsWith('\uFEFF')) {
    const message = 'The file begins with a byte order mark; write it without.';
    problems.push({ kind: 'byte-order-mark', message });
  }
  const plain = wide ?? text?.replace(/^\uFEFF/, '');
  if (plain === undefined) return { value: undefined, problems };
  try {
    const value: unknown = JSON.parse(plain);
    const found = scanKeys(plain);
    const tooDeep = found.some(({ kind }) => kind === 'syntax');
    return { value: tooDeep ? undefined : value, problems: [...problems, ...found] };
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is nested too deeply';
    return { value: undefined, problems: [...problems, { kind: 'syntax', message: `No JSON: ${reason}.` }] };
  }
}

/** True for JSON objects, not for arrays and null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text of valid UTF-8, a byte order mark included; null otherwise. */
export function decodeUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Text of UTF-16 that begins with a byte order mark, without the mark; null for other bytes. */
export function decodeUtf16(bytes: Buffer): string | null {
  const mark = bytes.toString('hex', 0, 2);
  if (mark !== 'feff' && mark !== 'fffe') return null;
  try {
    return new TextDecoder(mark === 'feff' ? 'utf-16be' : 'utf-16le', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const maxDepth = 64;

/** Walks text that is known to be JSON, because JSON.parse keeps the last of two equal keys without a word. */
function scanKeys(text: string): JsonProblem[] {
  const problems: JsonProblem[] = [];
  // One entry per open bracket: the keys so far of an object, null for an array.
  const open: (Set<string> | null)[] = [];
  let keyExpected = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const end = stringEnd(text, at);
      if (keyExpected) {
        const key = String(JSON.parse(text.slice(at, end + 1)));
        const keys = open.at(-1);
        if (keys?.has(key)) {
          problems.push({ kind: 'duplicate-key', message: `The key "${key}" occurs twice in an object.` });
        }
        keys?.add(key);
        keyExpected = false;
      }
      at = end;
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null);
      keyExpected = character === '{';
      if (open.length > maxDepth) {
        return [{ kind: 'syntax', message: `The JSON is nested deeper than ${maxDepth} levels.` }];
      }
    } else if (character === '}' || character === ']') {
      open.pop();
      keyExpected = false;
    } else if (character === ',') {
      keyExpected = open.at(-1) instanceof Set;
    }
  }
  return problems;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

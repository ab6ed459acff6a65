import { type ApiError, invalidAs, invalidAt } from '../api-error.ts';
import { refusedNames } from './documented.ts';
import type { ProblemRule } from './problems.ts';
import { propertyPath } from './schema-words.ts';

/** The deepest nesting of arrays and objects that is taken. */
const MAX_JSON_DEPTH = 32;

/**
 * Checks the whole text before JSON.parse sees it, in one pass and without recursion, so that neither depth nor
 * size can hurt. It accepts no text that JSON.parse would refuse.
 */
export class JsonInspector {
  readonly text: string;
  at = 0;
  nameCount = 0;
  /** For each open container an index (≥ 0), or where the name of the current property starts (complemented, < 0). */
  readonly steps: number[] = [];
  /** When duplicates are looked for: for each depth the names of the object that is open there. */
  readonly seen: Set<string>[] | null;
  /** Length in UTF-16 units of the string read last, as it is after unescaping. */
  units = 0;

  constructor(text: string, seen: Set<string>[] | null = null) {
    this.text = text;
    this.seen = seen;
  }

  inspect(): void {
    this.skipSpace();
    // An opened container goes on inside; anything else is complete, and so may be what is around it.
    while (this.openOrRead() || this.nextSibling());
    if (this.at < this.text.length) throw this.malformed('unexpected text after the end');
  }

  /** Call at the start of a value. True when it is a container with a first child; then moves to that child. */
  openOrRead(): boolean {
    const code = this.text.charCodeAt(this.at);
    if (code === BRACE_OPEN) return this.openObject();
    if (code === BRACKET_OPEN) return this.openArray();
    if (code === QUOTE) this.readString('value');
    else if (code === MINUS || isDigit(code)) this.readNumber(code);
    else this.readWord(code);
    this.skipSpace();
    return false;
  }

  /** Call behind a complete value. True when another value follows in an open container; then moves to that value. */
  nextSibling(): boolean {
    const { steps, text } = this;
    while (steps.length > 0) {
      const last = steps.length - 1;
      const step = steps[last] ?? 0;
      const code = text.charCodeAt(this.at);
      if (code === COMMA) {
        this.at += 1;
        this.skipSpace();
        if (step >= 0) steps[last] = step + 1;
        else this.readName(last);
        return true;
      }
      if (code !== (step >= 0 ? BRACKET_CLOSE : BRACE_CLOSE)) {
        throw this.malformed(step >= 0 ? 'expected "," or "]"' : 'expected "," or "}"');
      }
      this.leave();
    }
    return false;
  }

  openArray(): boolean {
    this.descend();
    if (this.text.charCodeAt(this.at) !== BRACKET_CLOSE) return true;
    return this.leave();
  }

  openObject(): boolean {
    this.descend();
    if (this.text.charCodeAt(this.at) === BRACE_CLOSE) return this.leave();
    if (this.seen !== null) this.seen[this.steps.length - 1] = new Set();
    this.readName(this.steps.length - 1);
    return true;
  }

  descend(): void {
    if (this.steps.length === MAX_JSON_DEPTH) {
      throw invalidAs('syntax', `The body is nested more than ${MAX_JSON_DEPTH} levels deep; flatten it.`);
    }
    this.steps.push(0);
    this.at += 1;
    this.skipSpace();
  }

  leave(): false {
    this.steps.pop();
    this.at += 1;
    this.skipSpace();
    return false;
  }

  /** Reads `"name" :` and moves to the value. */
  readName(depth: number): void {
    const start = this.at;
    if (this.text.charCodeAt(start) !== QUOTE)
      throw this.malformed('expected a property name in double quotes');
    this.steps[depth] = ~start;
    this.nameCount += 1;
    this.readString('name');
    if (this.units === 9 || this.units === 11) this.refusePrototypeName(start);
    if (this.seen !== null) {
      const name = this.stringAt(start);
      const names = this.seen[depth];
      if (names?.has(name)) throw this.refusal('is given twice; send each property once.', 'unique');
      names?.add(name);
    }
    this.skipSpace();
    if (this.text.charCodeAt(this.at) !== COLON) throw this.malformed('expected ":"');
    this.at += 1;
    this.skipSpace();
  }

  refusePrototypeName(start: number): void {
    if (refusedNames.includes(this.stringAt(start)))
      throw this.refusal('is not allowed as a property name; rename it.', 'reserved');
  }

  readString(role: 'name' | 'value'): void {
    const { text } = this;
    const start = this.at + 1;
    let at = start;
    let saved = 0;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        const length = this.escapeLength(at, role);
        at += length;
        saved += length === 12 ? 10 : length - 1;
      } else if (code >= 0x20) {
        at += 1;
      } else {
        throw this.badCharacter(at, code, role);
      }
    }
    this.units = at - start - saved;
    this.at = at + 1;
  }

  /** The length of the escape that starts here: 2, 6, or 12 for a surrogate pair. */
  escapeLength(at: number, role: 'name' | 'value'): number {
    const letter = this.text.charCodeAt(at + 1);
    if (letter !== LETTER_U) {
      if (ESCAPES.includes(letter)) return 2;
      this.at = at;
      throw this.malformed('unknown escape in a string');
    }
    const unit = this.hexUnit(at + 2);
    if (unit === 0) throw this.inString(role, 'holds a NUL character (\\u0000); remove it.');
    if (unit < 0xd800 || unit > 0xdfff) return 6;
    if (unit < 0xdc00 && this.text.startsWith('\\u', at + 6)) {
      const low = this.hexUnit(at + 8);
      if (low >= 0xdc00 && low <= 0xdfff) return 12;
    }
    throw this.inString(role, 'holds half of a surrogate pair; send the whole character.');
  }

  hexUnit(from: number): number {
    let unit = 0;
    for (let at = from; at < from + 4; at += 1) {
      const digit = hexDigit(this.text.charCodeAt(at));
      if (digit < 0) {
        this.at = from - 2;
        throw this.malformed('"\\u" must be followed by four hexadecimal digits');
      }
      unit = unit * 16 + digit;
    }
    return unit;
  }

  readNumber(first: number): void {
    const { text, at: start } = this;
    const integer = first === MINUS ? start + 1 : start;
    let at = this.skipDigits(integer);
    if (at - integer > 1 && text.charCodeAt(integer) === ZERO) {
      this.at = integer;
      throw this.malformed('a number must not start with 0');
    }
    let code = text.charCodeAt(at);
    if (code === POINT) {
      at = this.skipDigits(at + 1);
      code = text.charCodeAt(at);
    }
    const exponent = code === LETTER_E || code === LETTER_CAPITAL_E;
    if (exponent) {
      const sign = text[at + 1];
      at = this.skipDigits(at + (sign === '+' || sign === '-' ? 2 : 1));
    }
    this.at = at;
    // 15 digits are always kept.
    if (!exponent && at - start <= 15) return;
    const value = Number(text.slice(start, at));
    if (!Number.isFinite(value))
      throw this.refusal('is a number too large to be kept; send a smaller one.', 'max_value');
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      const problem = `is beyond ±${Number.MAX_SAFE_INTEGER} and would be rounded; send a smaller number.`;
      throw this.refusal(problem, 'max_value');
    }
  }

  skipDigits(from: number): number {
    let at = from;
    while (isDigit(this.text.charCodeAt(at))) at += 1;
    if (at > from) return at;
    this.at = from;
    throw this.malformed('expected a digit');
  }

  readWord(first: number): void {
    const word = first === LETTER_T ? 'true' : first === LETTER_F ? 'false' : 'null';
    if (!this.text.startsWith(word, this.at)) throw this.malformed('expected a value');
    this.at += word.length;
  }

  skipSpace(): void {
    const { text } = this;
    let { at } = this;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      at += 1;
      code = text.charCodeAt(at);
    }
    this.at = at;
  }

  badCharacter(at: number, code: number, role: 'name' | 'value'): ApiError {
    this.at = at;
    if (code === 0) return this.inString(role, 'holds a NUL character; remove it.');
    const problem = Number.isNaN(code) ? 'a string is not closed' : 'a control character is not escaped';
    return this.malformed(problem);
  }

  inString(role: 'name' | 'value', problem: string): ApiError {
    if (role === 'value') return this.refusal(problem);
    const owner = this.path(this.steps.slice(0, -1));
    return invalidAs('syntax', `A property name${owner && ` in ${owner}`} ${problem}`);
  }

  refusal(problem: string, rule: ProblemRule = 'syntax'): ApiError {
    return invalidAt(this.path(this.steps), rule, problem);
  }

  malformed(problem: string): ApiError {
    const before = this.text.slice(0, this.at);
    const line = before.split('\n').length;
    const column = this.at - before.lastIndexOf('\n');
    return invalidAs('syntax', `The body is not valid JSON: ${problem} at line ${line}, column ${column}.`);
  }

  path(steps: readonly number[]): string {
    return propertyPath(steps.map((step) => (step >= 0 ? step : this.stringAt(~step))));
  }

  /** The string whose opening quote stands here; it has been read before. */
  stringAt(start: number): string {
    const { text } = this;
    let end = start + 1;
    while (text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
    const literal = text.slice(start + 1, end);
    return literal.includes('\\') ? (JSON.parse(`"${literal}"`) as string) : literal;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const LETTER_CAPITAL_E = 0x45;
const BRACKET_OPEN = 0x5b;
const BACKSLASH = 0x5c;
const BRACKET_CLOSE = 0x5d;
const LETTER_E = 0x65;
const LETTER_F = 0x66;
const LETTER_T = 0x74;
const LETTER_U = 0x75;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const ESCAPES: readonly number[] = [...'"\\/bfnrt'].map((letter) => letter.charCodeAt(0));

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** 0–15, or -1. */
function hexDigit(code: number): number {
  if (isDigit(code)) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}

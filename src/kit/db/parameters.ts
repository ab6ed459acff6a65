/** What PostgreSQL takes for a parameter: text, bytes, or null. */
export type Parameter = string | Buffer | null;

/**
 * A value as the parameter of a statement: a list as an array, an object as JSON, a moment with its milliseconds.
 * Raises a RangeError for a Date that is no moment.
 */
export function parameterOf(value: unknown): Parameter {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return arrayLiteral(value);
  if (value instanceof Date) return moment(value);
  if (ArrayBuffer.isView(value)) return bytesOf(value);
  return JSON.stringify(value);
}

/** A list as PostgreSQL writes arrays: `{1,"two",NULL}`. It is read by the type that the statement names. */
export function arrayLiteral(list: readonly unknown[]): string {
  let text = '{';
  for (let place = 0; place < list.length; place++) {
    if (place > 0) text += ',';
    text += element(list[place]);
  }
  return `${text}}`;
}

function element(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return arrayLiteral(value);
  if (value instanceof Date) return `"${moment(value)}"`;
  if (ArrayBuffer.isView(value)) return `"\\\\x${bytesOf(value).toString('hex')}"`;
  return quoted(JSON.stringify(value));
}

/**
 * Searches are a fraction of what replacing costs, and nearly all texts are plain. JSON escapes quotes and backslashes as
 * arrays do, and is faster than replacing them; what else it escapes must not be in the text.
 */
function quoted(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`;
  if (!escapedByJsonAlone.test(text)) return JSON.stringify(text);
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

const escapedByJsonAlone = /[\p{Cc}\p{Cs}]/v;

/** Writes ISO 8601, which PostgreSQL reads up to the year 9999; later years in PostgreSQL's own form. */
function moment(date: Date): string {
  const text = date.toISOString();
  if (text.length === plainLength) return text;
  const year = date.getUTCFullYear();
  const rest = text.slice(text.indexOf('-', 1));
  return year > 0 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`;
}

const plainLength = '2026-01-01T00:00:00.000Z'.length;

function bytesOf(view: ArrayBufferView): Buffer {
  return view instanceof Buffer ? view : Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

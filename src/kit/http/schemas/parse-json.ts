import { isUtf8 } from 'node:buffer';
import { invalidAs } from '../api-error.ts';
import { JsonInspector } from './json-inspector.ts';

/**
 * Reads a JSON text (RFC 8259) without losing or guessing anything. Throws `invalid_request` naming the property
 * and what to fix for: bytes that are not UTF-8, a byte order mark, malformed JSON, NUL, half a surrogate pair,
 * a property given twice, names that reach an object's prototype, numbers that cannot be kept exactly, and
 * nesting deeper than 32.
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw invalidAs('required', 'The body is empty; a JSON value is expected.');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw invalidAs('syntax', 'The body starts with a byte order mark; send UTF-8 without it.');
  }
  if (!isUtf8(bytes)) throw invalidAs('syntax', 'The body is not valid UTF-8; encode it as UTF-8.');
  const text = bytes.toString('utf8');
  const inspector = new JsonInspector(text);
  inspector.inspect();
  const value: unknown = JSON.parse(text);
  // JSON.parse keeps the last of two equal names. Comparing two counts is cheap; only a difference is looked for.
  if (inspector.nameCount > 1 && inspector.nameCount !== countNames(value)) {
    new JsonInspector(text, []).inspect();
  }
  return value;
}

/** The number of properties in all objects of a JSON value. */
function countNames(value: unknown): number {
  let count = 0;
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) {
      for (const child of next) if (typeof child === 'object' && child !== null) open.push(child);
      continue;
    }
    const object = next as Record<string, unknown>;
    for (const name in object) {
      count += 1;
      const child = object[name];
      if (typeof child === 'object' && child !== null) open.push(child);
    }
  }
  return count;
}

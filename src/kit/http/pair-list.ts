import { invalidRequest } from './api-error.ts';
import { clipped } from './property-path.ts';

/**
 * Reads `a=1&b=2`, percent-encoded UTF-8 with `+` for a space, as query strings and forms have it. `noun` is what
 * one pair is called in messages. Throws `invalid_request` for a name given twice, bad encoding and NUL.
 */
export function parsePairs(text: string, noun: 'query parameter' | 'form field'): Record<string, string> {
  const pairs: Record<string, string> = Object.create(null);
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const rawName = equals === -1 ? pair : pair.slice(0, equals);
    const name = decode(rawName);
    if (name === null) {
      throw invalidRequest(`The name of the ${noun} ${shown(rawName)} is not valid percent-encoded UTF-8.`);
    }
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (value === null)
      throw invalidRequest(`The ${noun} ${shown(name)} is not valid percent-encoded UTF-8.`);
    if (name.includes('\0') || value.includes('\0')) {
      throw invalidRequest(`The ${noun} ${shown(name)} holds a NUL character; remove it.`);
    }
    if (name in pairs) throw invalidRequest(`The ${noun} ${shown(name)} is given twice; send it once.`);
    pairs[name] = value;
  }
  return pairs;
}

function decode(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}

function shown(name: string): string {
  return /^[\w.[\]-]+$/.test(name) ? clipped(name) : JSON.stringify(clipped(name));
}

import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';

/** Raised when a variable cannot be used; the message names it and says what it must be. */
export class ConfigError extends Error {}

/** A whole number between the bounds. Like all of these it raises ConfigError for anything else. */
export function wholeNumber(text: string, name: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
  }
  return value;
}

const mostProcesses = 32;

/** How many processes share the work of one: a number, or `auto` for one a core that this process may use. */
export function processCount(text: string, name: string): number {
  const canShare = process.platform === 'linux';
  if (text === 'auto') return canShare ? Math.min(availableParallelism(), mostProcesses) : 1;
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > mostProcesses)
    throw new ConfigError(
      `${name} must be a whole number from 1 to ${mostProcesses}, or auto, not "${text}".`,
    );
  if (count > 1 && !canShare)
    throw new ConfigError(`${name} must be 1 here: only on Linux can processes share a port.`);
  return count;
}

/** A URL with one of the protocols, `https:` for one. */
export function url(text: string, name: string, protocols: readonly string[]): string {
  // The value may hold a password, so it is not repeated in the message.
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new ConfigError(`${name} must be a URL that begins with ${protocols.join('// or ')}//.`);
  }
  return text;
}

/** A URL of a mail server. */
export function mailServer(text: string, name: string): string {
  const { hostname, pathname, search } = new URL(url(text, name, ['smtp:', 'smtps:']));
  if (hostname === '' || !['', '/'].includes(pathname) || search !== '')
    throw new ConfigError(`${name} must be like smtp://user:password@host:587, without a path.`);
  return text;
}

/** An e-mail address without a name. */
export function mailAddress(text: string, name: string): string {
  if (/^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text)) return text;
  throw new ConfigError(`${name} must be a plain address such as cards@example.com.`);
}

/** A web address without query, login or a slash at its end. */
export function webAddress(text: string, name: string): string {
  const { href, search, hash, username, password } = new URL(url(text, name, ['http:', 'https:']));
  if ([search, hash, username, password].some((part) => part !== '')) {
    throw new ConfigError(`${name} must be a plain address such as https://cards.example.com.`);
  }
  return href.replace(/\/+$/, '');
}

/** The https address of the issuer of tokens, letter by letter: a slash at its end is part of its name. */
export function issuerAddress(text: string, name: string): string {
  const { search, hash, username, password } = new URL(url(text, name, ['https:']));
  if ([search, hash, username, password].some((part) => part !== ''))
    throw new ConfigError(`${name} must be a plain address such as https://login.example.com.`);
  return text;
}

/** Up to twenty digits. */
export function digits(text: string, name: string): string {
  if (!/^\d{1,20}$/.test(text)) throw new ConfigError(`${name} must be digits, not "${text}".`);
  return text;
}

/** The characters of a Bearer token, RFC 6750 §2.1: another one could never be sent. */
export function tokenSetting(text: string, name: string): string {
  if (!/^[A-Za-z0-9\-._~+/]{24,512}=*$/.test(text)) {
    throw new ConfigError(
      `${name} must have 24 to 512 letters, digits or - . _ ~ + /, e.g. from \`openssl rand -hex 32\`.`,
    );
  }
  return text;
}

/** 32 bytes. */
export function key256(text: string, name: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length !== 32) {
    throw new ConfigError(`${name} must be 32 bytes as hex or base64, e.g. from \`openssl rand -hex 32\`.`);
  }
  return key;
}

/** One of the words. */
export function oneOf<const T extends string>(text: string, name: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text);
  if (found === undefined) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}.`);
  return found;
}

/** Addresses and networks; none for an unset variable. */
export function networks(text: string | undefined, name: string): readonly string[] {
  const items = (text ?? '').split(',').map((item) => item.trim());
  return items.filter((item) => {
    if (item === '') return false;
    const [address = '', prefix, ...more] = item.split('/');
    const bits = isIP(address) === 6 ? 128 : 32;
    const fits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
    if (isIP(address) !== 0 && fits && more.length === 0) return true;
    throw new ConfigError(
      `${name} must be addresses or networks such as 10.0.0.0/8, separated by commas, not "${item}".`,
    );
  });
}

/** Shorter names are too much like those of other programs. */
const shortest = 8;

/**
 * Raises ConfigError for a variable that is one slip of the keyboard from the name of a setting that is not set: a
 * letter too many, missing, wrong, in the other case, or two that changed places. An empty one counts as set here, so that
 * an operator who needs the other name for another program can say so. Any other variable is left alone.
 */
export function refuseMisspelt(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): void {
  const isThere = (name: string) => env[name] !== undefined;
  const unset = known.filter((name) => name.length >= shortest && !isThere(name));
  for (const found of Object.keys(env).filter(isThere)) {
    const meant = known.includes(found)
      ? undefined
      : unset.find((name) => isOneSlip(found.toUpperCase(), name));
    if (meant === undefined) continue;
    throw new ConfigError(
      `${found} is no setting: ${meant} was probably meant. Where another program needs ${found}, set ${meant} too; empty means its default.`,
    );
  }
}

/** Whether two names are the same but for one letter, or for two neighbours that changed places. */
function isOneSlip(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [rest, otherRest] = [one.slice(same), other.slice(same)];
  const swapped = `${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`;
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    swapped === otherRest
  );
}

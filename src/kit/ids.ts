import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE32 = Buffer.from(ALPHABET);
const BASE16 = Buffer.from('0123456789abcdef');
const BASE32_VALUES = valuesOf(ALPHABET);
const BASE16_VALUES = valuesOf('0123456789abcdef');
for (const [index, digit] of [...'ABCDEF'].entries()) BASE16_VALUES[digit.charCodeAt(0)] = 10 + index;

const UUID_LENGTH = 36;
/** 128 bits in characters of 5 bits each: 26, the first one holding 3 bits only. */
const SUFFIX_LENGTH = 26;
const HYPHEN = 45;
const LATEST_TIME = 2 ** 48 - 1;

/** Text is put together here, byte by byte, and copied out: three times as fast as adding up strings. */
const scratch = Buffer.alloc(64);
const idBytes = new Uint8Array(16);
/** Asking the system for 8 bytes at a time would cost more than everything else together. */
const random = Buffer.alloc(4096);
let randomUsed = random.length;
/** Ids run ahead of a clock that steps back, but by no more: less than readers of time ranges allow for. */
const mostAheadMs = 60_000;
let lastTime = -1;
let counter = 0;

/**
 * A version 7 UUID (RFC 9562 §5.7) in lower-case text: 48 bits of Unix time in ms, a 12-bit counter, 62
 * random bits. Within a process each is greater than the one before, also within one ms and when the clock
 * steps back by up to a minute (§6.2, method 1: the counter starts at a random value below 2048; when it is
 * used up, the time runs ahead). A clock that is set back further is followed: rows are looked for by the
 * time in their ids. Unique, but not a secret.
 */
export function newUuidV7(now: number = Date.now()): string {
  if (!(now >= 0 && now <= LATEST_TIME)) throw new RangeError(`not a time in ms since 1970: ${now}`);
  const time = Math.floor(now);
  if (time > lastTime || time < lastTime - mostAheadMs) startMillisecond(time);
  else if (counter === 0xfff) startMillisecond(lastTime + 1);
  else counter++;

  const start = takeRandom(8);
  for (let index = 8; index < 16; index++) idBytes[index] = random[start + index - 8] ?? 0;
  const high = Math.floor(lastTime / 2 ** 16);
  idBytes[0] = high >>> 24;
  idBytes[1] = high >>> 16;
  idBytes[2] = high >>> 8;
  idBytes[3] = high;
  idBytes[4] = (lastTime % 2 ** 16) >>> 8;
  idBytes[5] = lastTime;
  idBytes[6] = 0x70 | (counter >>> 8);
  idBytes[7] = counter;
  idBytes[8] = 0x80 | ((idBytes[8] ?? 0) & 0x3f);
  return uuidText(idBytes);
}

/**
 * `encodeId('order', uuid)` → `order_01h455vb4pex5vsknk084sn02q`: the prefix and the UUID in 26 characters of
 * lower-case Crockford base32, as the TypeID specification 0.3 has it. Sorts like the UUID. The prefix is a
 * constant of the program and not checked. A TypeError when the text is not a UUID.
 */
export function encodeId(prefix: string, uuid: string): string {
  readUuid(uuid);
  return `${prefix}_${encodeBase32(idBytes)}`;
}

/**
 * The UUID of an id with this prefix, in lower case; null for anything that `encodeId` would not have
 * written: another prefix, upper case, look-alike letters, a wrong length, or more than 128 bits.
 */
export function decodeId(prefix: string, text: string): string | null {
  const start = prefix.length + 1;
  if (text.length !== start + SUFFIX_LENGTH || !text.startsWith(prefix) || text[start - 1] !== '_')
    return null;
  if (text.charCodeAt(start) > 55) return null;
  let bits = 0;
  let held = -2;
  let filled = 0;
  for (let index = start; index < text.length; index++) {
    const value = BASE32_VALUES[text.charCodeAt(index)] ?? 255;
    if (value === 255) return null;
    bits = ((bits << 5) | value) & 0xfff;
    held += 5;
    if (held >= 8) {
      held -= 8;
      idBytes[filled++] = bits >>> held;
    }
  }
  return uuidText(idBytes);
}

/** The 16 bytes of a UUID's text, in either case. A TypeError when it is not a UUID. */
export function uuidBytes(uuid: string): Uint8Array {
  readUuid(uuid);
  return idBytes.slice();
}

/** The lower-case text of a UUID's 16 bytes. */
export function uuidFromBytes(bytes: Uint8Array): string {
  if (bytes.length !== 16) throw new TypeError(`a UUID has 16 bytes, not ${bytes.length}`);
  return uuidText(bytes);
}

/**
 * Bytes as lower-case Crockford base32, read as one big number and padded with zero bits on the left: 16
 * bytes give the 26 characters of a TypeID, 20 bytes give 32.
 */
export function encodeBase32(bytes: Uint8Array): string {
  const length = Math.ceil((bytes.length * 8) / 5);
  const target = length <= scratch.length ? scratch : Buffer.alloc(length);
  let bits = 0;
  let held = length * 5 - bytes.length * 8;
  let filled = 0;
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    held += 8;
    while (held >= 5) {
      held -= 5;
      target[filled++] = BASE32[(bits >>> held) & 31] ?? 0;
    }
  }
  return target.toString('latin1', 0, length);
}

/** The bytes that `encodeBase32` wrote as this text; null for anything that it would not have written. */
export function decodeBase32(text: string): Uint8Array | null {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  const padding = text.length * 5 - bytes.length * 8;
  if (Math.ceil((bytes.length * 8) / 5) !== text.length) return null;
  let bits = 0;
  let held = -padding;
  let filled = 0;
  for (let index = 0; index < text.length; index++) {
    const value = BASE32_VALUES[text.charCodeAt(index)] ?? 255;
    if (value === 255 || (index === 0 && value >>> (5 - padding) !== 0)) return null;
    bits = ((bits << 5) | value) & 0xfff;
    held += 5;
    if (held >= 8) {
      held -= 8;
      bytes[filled++] = bits >>> held;
    }
  }
  return bytes;
}

function startMillisecond(time: number): void {
  lastTime = time;
  counter = random.readUInt16LE(takeRandom(2)) & 0x7ff;
}

function takeRandom(bytes: number): number {
  if (randomUsed + bytes > random.length) {
    randomFillSync(random);
    randomUsed = 0;
  }
  randomUsed += bytes;
  return randomUsed - bytes;
}

function uuidText(bytes: Uint8Array): string {
  let filled = 0;
  for (let index = 0; index < 16; index++) {
    if (index === 4 || index === 6 || index === 8 || index === 10) scratch[filled++] = HYPHEN;
    const byte = bytes[index] ?? 0;
    scratch[filled++] = BASE16[byte >>> 4] ?? 0;
    scratch[filled++] = BASE16[byte & 15] ?? 0;
  }
  return scratch.toString('latin1', 0, UUID_LENGTH);
}

/** Reads a UUID's text into `idBytes`. */
function readUuid(uuid: string): void {
  let position = 0;
  let wrong = uuid.length === UUID_LENGTH ? 0 : 255;
  for (let index = 0; index < 16; index++) {
    if (index === 4 || index === 6 || index === 8 || index === 10) {
      if (uuid.charCodeAt(position++) !== HYPHEN) wrong = 255;
    }
    const high = BASE16_VALUES[uuid.charCodeAt(position++)] ?? 255;
    const low = BASE16_VALUES[uuid.charCodeAt(position++)] ?? 255;
    wrong |= (high | low) & 0xf0;
    idBytes[index] = (high << 4) | low;
  }
  if (wrong !== 0) throw new TypeError(`not a UUID: ${JSON.stringify(uuid.slice(0, 80))}`);
}

/** Character code → value; 255 where the alphabet has no such character. */
function valuesOf(alphabet: string): Uint8Array {
  const values = new Uint8Array(128).fill(255);
  for (let index = 0; index < alphabet.length; index++) values[alphabet.charCodeAt(index)] = index;
  return values;
}

/** No id is smaller, and none is greater. */
export const firstId = '00000000-0000-0000-0000-000000000000';
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The smallest id that something made at `moment` or later can have: ids begin with their milliseconds. */
export function firstIdSince(moment: Date): string {
  const time = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** When an id was made. */
export function momentOfId(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

/**
 * Bounds of the ids of rows that were made from `from` until before `to`. An id is made before its row gets its moment,
 * by another clock and perhaps ahead of it, so there is an hour to spare at both ends.
 */
export function idsBetween(from: Date, to: Date): { firstId: string; lastId: string } {
  return {
    firstId: firstIdSince(new Date(from.getTime() - spareMs)),
    lastId: firstIdSince(new Date(to.getTime() + spareMs)),
  };
}

const spareMs = 3_600_000;

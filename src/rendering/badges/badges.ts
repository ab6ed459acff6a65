import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '../../kit/http/endpoints/endpoint.ts';
import { checkSvg, isSize } from './check-svg.ts';

/** The official artwork of a wallet in a language, which the operator has put in. */
export interface Badge {
  /** Its file, `apple-de.svg`. */
  readonly name: string;
  /** Changes when its bytes do. */
  readonly version: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The key is wallet and language, `apple-de`. */
export type Badges = ReadonlyMap<string, Badge>;

type WalletName = 'apple' | 'google';

/** Official badges have a tenth of it. */
const mostBytes = 131_072;
const fileName = /^((?:apple|google)-[a-z]{2,3}(?:-[a-z0-9]{2,8})*)\.(svg|png)$/i;

/** Reads the folder of the operator's badges. What cannot be served is left out, and the log says why. */
export function readBadges(folder: string, log: { warn(fields: object, message: string): void }): Badges {
  const badges = new Map<string, Badge>();
  for (const file of filesIn(folder)) {
    const found = readBadge(join(folder, file), file);
    if (typeof found === 'string') log.warn({ file, reason: found }, 'a badge is not used');
    else badges.set(file.replace(/\.\w+$/, '').toLowerCase(), found);
  }
  return badges;
}

/** The badge in a language, `pt-BR` or else `pt`; undefined where our own drawing replaces it. */
export function badgeFor(badges: Badges, wallet: WalletName, language: string): Badge | undefined {
  const key = `${wallet}-${language.toLowerCase()}`;
  return badges.get(key) ?? badges.get(key.split('-', 2).join('-'));
}

/** A badge as a file: nothing in it runs, also where it is opened by itself. Null for other paths. */
export function badgeAnswer(badges: Badges, path: string): Answer | null {
  if (!path.startsWith('/badges/')) return null;
  const name = path.slice('/badges/'.length);
  const badge = badges.get(name.replace(/\.\w+$/, '').toLowerCase());
  if (badge?.name !== name) return null;
  return {
    status: 200,
    body: badge.bytes,
    headers: {
      'content-type': badge.mediaType,
      'cache-control': 'public, max-age=86400',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    },
  };
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The badge in a file, or why there is none. */
function readBadge(path: string, name: string): Badge | string {
  const kind = fileName.exec(name)?.[2]?.toLowerCase();
  if (kind === undefined) return 'its name is not like apple-de.svg or google-pt-BR.png';
  const { size } = statSync(path);
  if (size > mostBytes) return `it has more than ${mostBytes} bytes`;
  const bytes = readFileSync(path);
  const checked = kind === 'svg' ? checkSvg(bytes.toString('utf8')) : checkPng(bytes);
  if ('refused' in checked) return checked.refused;
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { name, version, mediaType: kind === 'svg' ? 'image/svg+xml' : 'image/png', bytes, ...checked };
}

/** PNG (third edition) §5.2, §11.2.1. */
function checkPng(bytes: Buffer): ReturnType<typeof checkSvg> {
  const isPng =
    bytes.length > 24 &&
    bytes.subarray(0, 8).equals(signature) &&
    bytes.toString('latin1', 12, 16) === 'IHDR';
  if (!isPng) return { refused: 'it is no PNG' };
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  return isSize(size) ? size : { refused: 'it has an odd size' };
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

import { randomBytes } from 'node:crypto';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SealedLetter } from './compose-letter.ts';

/**
 * Writes a letter as `<key>.eml`, whole or not at all, for the owner's eyes only; answers its path. A file that is there
 * already stays as it is.
 */
export async function fileLetter(folder: string, { key, bytes }: SealedLetter): Promise<string> {
  const path = join(folder, `${key}.eml`);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(draft, bytes, { mode: 0o600, flush: true });
    await link(draft, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return path;
}

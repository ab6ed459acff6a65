import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Bundle } from './bundled.ts';

/** The bundle that was kept under a key; null where there is none, or none that can be read. */
export async function readKept(folder: string, key: string): Promise<Bundle | null> {
  try {
    return deserialize(await readFile(join(folder, `${key}.bundle`))) as Bundle;
  } catch {
    return null;
  }
}

/** Who may read what is kept. */
export interface Modes {
  readonly folder: number;
  readonly file: number;
}

export const forOneself: Modes = { folder: 0o700, file: 0o600 };
export const forAll: Modes = { folder: 0o755, file: 0o644 };

/**
 * Keeps a bundle in the place of those before it. Several processes may do so at once: each file is there as a whole or
 * not at all. Where the folder cannot be written to, the next start makes the bundle again.
 */
export async function keepBundle(folder: string, key: string, bundle: Bundle, modes: Modes): Promise<void> {
  const name = `${key}.bundle`;
  const draft = join(folder, `${key}.${randomUUID()}.draft`);
  try {
    await mkdir(folder, { recursive: true, mode: modes.folder });
    await writeFile(draft, serialize(bundle), { mode: modes.file });
    await rename(draft, join(folder, name));
    const old = (await readdir(folder)).filter((file) => file.endsWith('.bundle') && file !== name);
    await Promise.all(old.map((file) => rm(join(folder, file), { force: true })));
  } catch {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientModel } from '../model.ts';
import { typescriptClient } from './write-client.ts';
import { typescriptReference } from './write-reference.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The printed files of the TypeScript client as the formatter wants them, by their path from the root. */
export function printedTypescript(model: ClientModel): [path: string, text: string][] {
  const files = typescriptClient(model);
  const folder = mkdtempSync(join(tmpdir(), 'punchcard-client-'));
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const biome = join(root, 'node_modules/.bin/biome');
    const options = ['check', '--write', '--vcs-enabled=false', `--config-path=${root}`, folder];
    const { status, stderr } = spawnSync(biome, options, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the formatter refuses the printed client: ${stderr}`);
    const sources = [...files.keys()].map((path): [string, string] => [
      `sdk/typescript/src/${path}`,
      readFileSync(join(folder, path), 'utf8'),
    ]);
    return [...sources, ['sdk/typescript/REFERENCE.md', typescriptReference(model)]];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

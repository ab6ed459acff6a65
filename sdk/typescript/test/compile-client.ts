import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Compiles the client to JavaScript with its types, as it would be published, into a folder. */
export async function compileClient(folder: string): Promise<void> {
  const compiler = join(root, 'node_modules/.bin/tsc');
  await promisify(execFile)(compiler, ['-p', join(root, 'sdk/typescript'), '--outDir', folder]);
}

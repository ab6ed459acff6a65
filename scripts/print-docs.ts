import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generatedDocs } from './generated-docs.ts';

/**
 * Writes the documents that are printed from the code. With `--pictures` takes those of the console, too, which needs Chromium
 * and some minutes.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => (existsSync(root + path) ? readFileSync(root + path, 'utf8') : '');
for (const [path, text] of generatedDocs(read)) {
  if (read(path) === text) continue;
  writeFileSync(root + path, text);
  console.log(`wrote ${path}`);
}
if (process.argv.includes('--pictures')) await import('./console-pictures.ts');

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { generatedDocs } from '../scripts/generated-docs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => (existsSync(root + path) ? readFileSync(root + path, 'utf8') : '');

test('documents that are printed from the code are current: else run `npm run docs`', () => {
  const stale = [...generatedDocs(read)].filter(([path, text]) => read(path) !== text).map(([path]) => path);
  assert.deepEqual(stale, []);
});

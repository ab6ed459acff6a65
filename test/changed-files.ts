import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { reachedFrom } from './import-graph.ts';
import { literalsOf } from './source-text.ts';

/** What puts the whole service together: a test that starts it does not ask for everything in it. */
const wiring = /^src\/(?:[\w-]+|start\/[\w-]+|api\/[\w-]+|commands\/[\w-]+)\.ts$/;

/** Asked of every change: they go through all operations, or through all that the ledger does. */
const always: readonly string[] = [
  'test/access-matrix.test.ts',
  'test/attack/cross-tenant.test.ts',
  'test/every-error.test.ts',
  'test/ledger/ledger.property.test.ts',
];

/**
 * Those of the test files that concern what was changed. A test concerns what it imports, the file that it is named after,
 * the room that it is in, and what it names as a text; a test of an app in the browser concerns that app.
 */
export function testsOfChange(tests: readonly string[], changed: readonly string[]): string[] {
  const isProgram = changed.some((path) => /^(?:src|db)\//.test(path) && !path.endsWith('.test.ts'));
  return tests.filter((test) => (isProgram && always.includes(test)) || concerns(test, changed));
}

function concerns(test: string, changed: readonly string[]): boolean {
  const own = test.replace(/(?:\.\w+)?(?:\.deep)?\.test\.ts$/, '.ts');
  const starts = [test, ...(test.startsWith('src/') && existsSync(own) ? [own] : [])];
  const reached = reachedFrom(starts, (path) => wiring.test(path));
  const app = /^test\/([a-z]+)[\w-]*\.browser\./.exec(test)?.[1];
  const folder = posix.dirname(test);
  return changed.some(
    (path) =>
      reached.has(path) ||
      (path.startsWith('src/') && posix.dirname(path) === folder) ||
      (app !== undefined && path.startsWith(`web/${app}/`)) ||
      (!/\.tsx?$/.test(path) && names(test, path)),
  );
}

/** Whether a test names the file in its text. */
function names(test: string, path: string): boolean {
  return literalsOf(readFileSync(test, 'utf8')).some(
    ({ value }) => value === path || (value.includes('.') && posix.basename(path) === posix.basename(value)),
  );
}

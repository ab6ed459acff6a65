import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { importsOf } from './source-text.ts';

/** What starts a database or a service, or uses those that a run of all tests starts. */
const needsDatabase =
  /^(?:test\/(?:harness|server|service-process|run-command)|src\/kit\/embedded-postgres\/start|src\/main)\.ts$/;

/** Those of these test files that need no database: none of what they import, or name as a test of theirs, does. */
export function unitFiles(files: readonly string[]): string[] {
  const reached = new Map<string, readonly string[]>();
  const reach = (path: string) => {
    const known = reached.get(path) ?? reachedBy(path);
    reached.set(path, known);
    return known;
  };
  return files.filter((file) => {
    const seen = new Set([file]);
    for (const path of seen) {
      if (needsDatabase.test(path)) return false;
      for (const next of reach(path)) seen.add(next);
    }
    return true;
  });
}

function reachedBy(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  const imported = importsOf(text).filter(({ typeOnly, from }) => !typeOnly && from.startsWith('.'));
  const named = [...text.matchAll(/'((?:src|test)\/[\w/.-]+\.test\.ts)'/g)].map(([, test = '']) => test);
  const started = [...text.matchAll(/new URL\('([\w/.-]+\.test\.ts)'/g)].map(([, test = '']) => test);
  const relative = [...imported.map(({ from }) => from), ...started];
  // A path that is no file is in a text that is an example.
  return [...relative.map((from) => posix.join(posix.dirname(path), from)), ...named].filter(
    (target) => /\.tsx?$/.test(target) && existsSync(target),
  );
}

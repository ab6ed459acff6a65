import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { importsOf } from './source-text.ts';

/** The files of the project that these import, directly or through others, and these themselves. `stops` names files whose imports do not count. */
export function reachedFrom(
  files: readonly string[],
  stops: (path: string) => boolean = () => false,
): Set<string> {
  const seen = new Set(files);
  // A set that grows while it is read is read to its end.
  for (const path of seen) if (!stops(path)) for (const next of usedBy(path)) seen.add(next);
  return seen;
}

const known = new Map<string, readonly string[]>();

/** What a file imports while it runs, and the tests that it starts or names as its own. */
function usedBy(path: string): readonly string[] {
  const before = known.get(path);
  if (before !== undefined) return before;
  const text = readFileSync(path, 'utf8');
  const imported = importsOf(text).filter(({ typeOnly, from }) => !typeOnly && from.startsWith('.'));
  const named = [...text.matchAll(/'((?:src|test)\/[\w/.-]+\.test\.ts)'/g)].map(([, test = '']) => test);
  const started = [...text.matchAll(/new URL\('([\w/.-]+\.test\.ts)'/g)].map(([, test = '']) => test);
  const nearby = [...imported.map(({ from }) => from), ...started];
  // What is no file is in a text that is an example.
  const used = [...nearby.map((from) => posix.join(posix.dirname(path), from)), ...named].filter(
    (target) => /\.tsx?$/.test(target) && existsSync(target),
  );
  known.set(path, used);
  return used;
}

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { routes } from '../routes.ts';

/** One line per endpoint: method, path, access, operation, and the file that holds it. */
export function printRoutes(): void {
  const files = filesOfOperations();
  const rows = routes.map(({ method, path, access, endpoint: { op } }) => [
    method,
    path,
    access,
    op,
    files.get(op) ?? '',
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

/** The source is the program, so it knows where each operation stands. */
function filesOfOperations(): Map<string, string> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const found = new Map<string, string>();
  for (const file of globSync('src/api/*.ts', { cwd: root })) {
    for (const [, op] of readFileSync(`${root}${file}`, 'utf8').matchAll(/^export const (\w+) =/gm)) {
      if (op !== undefined) found.set(op, file);
    }
  }
  return found;
}

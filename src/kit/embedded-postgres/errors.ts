/** The embedded database could not be started; the message says what is wrong and what to change. */
export class EmbeddedPostgresError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A living process already runs its database in this data directory. `pid` is 0 when it left no name. */
export class DataDirectoryInUse extends EmbeddedPostgresError {
  readonly pid: number;

  constructor(dataDir: string, owner: { pid: number; host?: string }) {
    const who = owner.pid ? ` (pid ${owner.pid}${owner.host ? ` on ${owner.host}` : ''})` : '';
    super(
      `Another process is already running on ${dataDir}${who}. Stop it, or set DATA_DIR to another ` +
        'directory.',
    );
    this.pid = owner.pid;
  }
}

/** The data directory was written by a PostgreSQL whose files this one cannot read. */
export class WrongMajorVersion extends EmbeddedPostgresError {
  readonly found: number;
  readonly expected: number;

  constructor(cluster: string, found: number, expected: number) {
    super(
      `${cluster} holds the data of PostgreSQL ${found}, but PostgreSQL ${expected} was asked to open it. ` +
        `Nothing was changed. Dump it with PostgreSQL ${found} (pg_dumpall) and load the dump into a new ` +
        'DATA_DIR, or go back to the version of this program that wrote it.',
    );
    this.found = found;
    this.expected = expected;
  }
}

/** Runs `work` and turns the errors of a full, read-only or forbidden disk into ones that say what to do. */
export async function explainFileErrors<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const advice = fileErrorAdvice(error, dataDir);
    throw advice ? new EmbeddedPostgresError(advice, { cause: error }) : error;
  }
}

/** What to say when a new cluster finds no room. */
export function noSpaceFor(dataDir: string): string {
  return (
    `There is no space left on the disk that holds ${dataDir}. A new database needs about 60 MB: free some ` +
    'space, or set DATA_DIR to a directory on another disk.'
  );
}

function fileErrorAdvice(error: unknown, dataDir: string): string | undefined {
  if (!(error instanceof Error) || error instanceof EmbeddedPostgresError) return undefined;
  const { code, path = dataDir } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return noSpaceFor(dataDir);
    case 'EACCES':
    case 'EPERM':
      return (
        `This account may not write to ${path}. Give it the directory (chown -R), run as the account that ` +
        'owns it, or set DATA_DIR to another directory.'
      );
    case 'EROFS':
      return `${path} is on a read-only disk. Set DATA_DIR to a directory that can be written.`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path} is not a directory. Remove it, or set DATA_DIR to another directory.`;
    default:
      return undefined;
  }
}

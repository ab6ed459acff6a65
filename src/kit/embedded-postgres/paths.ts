import { join, resolve } from 'node:path';

/** Where everything of one embedded database lies; all absolute. */
export type DataPaths = {
  dataDir: string;
  /** the PostgreSQL data directory */
  cluster: string;
  /** superuser password, mode 0600 */
  password: string;
  log: string;
  /** held by the operating system for the living owner */
  lock: string;
  /** names the owner, for messages only */
  owner: string;
};

/** Everything that must not outlive a start that was cut short begins with this name. */
export const unfinishedPrefix = 'postgres.new-';

/** The layout inside a data directory that may hold other files, too. */
export function dataPaths(dataDir: string): DataPaths {
  const root = resolve(dataDir);
  return {
    dataDir: root,
    cluster: join(root, 'postgres'),
    password: join(root, 'postgres.password'),
    log: join(root, 'postgres.log'),
    lock: join(root, 'postgres.lock'),
    owner: join(root, 'postgres.owner'),
  };
}

/** A socket file has a port only as a part of its name. */
export const socketPort = 5432;

/** Where the server of a cluster has its socket file, when it listens on one. */
export function socketFile(cluster: string): string {
  return join(cluster, `.s.PGSQL.${socketPort}`);
}

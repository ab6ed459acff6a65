import { readPassword } from './cluster.ts';
import { connectionUrl } from './endpoint.ts';
import { dataPaths } from './paths.ts';
import { isPostmasterOf, readPostmasterFile } from './postmaster.ts';

/**
 * A connection string for the server that another process runs on a data directory; null when none runs that is
 * ready. It may be used for as long as that process lives.
 */
export async function findRunningServer(dataDir: string): Promise<string | null> {
  const paths = dataPaths(dataDir);
  const secret = await readPassword(paths);
  const named = await readPostmasterFile(paths.cluster);
  // While it starts it has not yet told where it listens.
  if (secret === null || named?.status !== 'ready') return null;
  if (!(await isPostmasterOf(named.pid, paths.cluster))) return null;
  return connectionUrl(
    named.sockets === ''
      ? { kind: 'loopback', port: named.port }
      : { kind: 'socket', directory: paths.cluster },
    secret,
  );
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectionUrl } from './endpoint.ts';
import { dataPaths } from './paths.ts';
import { isPostmasterOf } from './postmaster.ts';

/**
 * A connection string for the server that another process runs on a data directory; null when none runs. It may be used
 * for as long as that process lives.
 */
export async function findRunningServer(dataDir: string): Promise<string | null> {
  const { cluster, password } = dataPaths(dataDir);
  const [pid = '', , , port = '', sockets = ''] = (await textOf(join(cluster, 'postmaster.pid'))).split('\n');
  const secret = (await textOf(password)).trim();
  if (secret === '' || !(await isPostmasterOf(Number.parseInt(pid, 10), cluster))) return null;
  return connectionUrl(
    sockets.trim() === ''
      ? { kind: 'loopback', port: Number.parseInt(port, 10) }
      : { kind: 'socket', directory: cluster },
    secret,
  );
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

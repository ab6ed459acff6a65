import { createServer } from 'node:net';
import { superuser } from './cluster.ts';
import { socketFile, socketPort } from './paths.ts';

/** Where the server listens: a socket file in its data directory, or a port on 127.0.0.1. */
export type Endpoint = { kind: 'socket'; directory: string } | { kind: 'loopback'; port: number };

/** macOS's sockaddr_un is the shortest: 104 bytes with the final zero. Linux has 108. */
const longestSocketPath = 103;
const loopbackTries = 5;

/**
 * Places to listen, best first. A socket file, unless a port is asked for or the path is too long for one;
 * then the port that was asked for, and free ones, since any may be taken before the server binds it.
 */
export async function* endpoints(cluster: string, port?: number): AsyncGenerator<Endpoint> {
  if (port) yield { kind: 'loopback', port };
  else if (Buffer.byteLength(socketFile(cluster)) <= longestSocketPath) {
    yield { kind: 'socket', directory: cluster };
  }
  for (let attempt = 0; attempt < loopbackTries; attempt++) {
    yield { kind: 'loopback', port: await freePort() };
  }
}

/**
 * The server's settings for an endpoint. The socket lies in the data directory, which is closed to other
 * accounts.
 */
export function endpointSettings(endpoint: Endpoint): string[] {
  return endpoint.kind === 'socket'
    ? [`port=${socketPort}`, 'listen_addresses=', 'unix_socket_directories=.', 'unix_socket_permissions=0700']
    : [`port=${endpoint.port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
}

/**
 * A connection string for pg and libpq. The socket's directory is in the query (`localhost` is not used
 * then), so that the whole stays a URL whose path, the database name, can be replaced.
 */
export function connectionUrl(endpoint: Endpoint, password: string): string {
  const [port, query] =
    endpoint.kind === 'socket'
      ? [socketPort, `?host=${encodeURIComponent(endpoint.directory)}`]
      : [endpoint.port, ''];
  const host = endpoint.kind === 'socket' ? 'localhost' : '127.0.0.1';
  return `postgresql://${superuser}:${encodeURIComponent(password)}@${host}:${port}/postgres${query}`;
}

async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer().once('error', reject);
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise;
}

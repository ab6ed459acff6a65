import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { allEnded } from '../../promises.ts';

/**
 * In each turn of its loop libuv accepts one connection from each listening socket (libuv#3696). Under load turns take
 * milliseconds, and with a single socket hundreds of simultaneous callers would wait seconds for their refusals.
 * On other systems a port cannot be shared, or its connections are not (Node.js, `net.Server.listen`, `reusePort`).
 */
const socketCount = process.platform === 'linux' ? 16 : 1;

/**
 * The connections that may wait at each socket, as far as the system allows (`net.core.somaxconn`). With Node's 511 a client in
 * a crowd is not refused but unheard: it asks again after a second, and after three.
 */
const shared = { backlog: 4_096, reusePort: socketCount > 1 };

/** The sockets at which a server listens besides its own. */
export interface Listeners {
  readonly port: number;
  /** Accepts no further connections, and resolves when the accepted ones are closed. */
  close(): Promise<void>;
}

/**
 * Lets the server of `app` listen, at several sockets of one port; port 0 takes a free one. `onError` is called when a
 * connection cannot be accepted. Raises the system's error when it cannot listen; then only `app` is left to be closed.
 */
export async function openListeners(
  app: FastifyInstance,
  at: At,
  onError: (error: Error) => void,
): Promise<Listeners> {
  // This comes before the check of the port, because it takes a while.
  await app.ready();
  const turn = at.joins ? null : await acquirePace(at);
  try {
    return await listenAt(app, at, onError);
  } finally {
    if (turn !== null) await closeServer(turn);
  }
}

/** Raises the system's error when no process could listen there now. */
export async function requireFreePort({ host, port }: At): Promise<void> {
  if (port !== 0) await usableAddresses(host, port);
}

interface At {
  readonly host: string;
  readonly port: number;
  /** Another process of the same service listens there and shares its port with this one; on Linux. */
  readonly joins?: boolean | undefined;
}

const timeoutMs = 5_000;
const restMs = 10;

/**
 * Two processes that begin at once would both find a port free, and then share it: so they take turns. The turn is a
 * socket of Linux's abstract namespace, which one process holds, and which goes with it; null where ports are not shared.
 */
async function acquirePace({ host, port }: At): Promise<Server | null> {
  if (!shared.reusePort || port === 0) return null;
  for (const start = performance.now(); ; await sleep(restMs)) {
    const turn = createServer();
    try {
      await listen(turn, { path: `\0listen-on-port-${port}` });
      return turn;
    } catch (error) {
      // A sandbox may allow no such sockets: without turns it was seldom that two shared a port.
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return null;
      if (performance.now() - start > timeoutMs) throw Object.assign(error as Error, { address: host, port });
    }
  }
}

async function listenAt(
  app: FastifyInstance,
  { host, port, joins }: At,
  onError: (error: Error) => void,
): Promise<Listeners> {
  const [first = host, ...further] = await usableAddresses(host, joins ? 0 : port);
  await app.listen({ ...shared, host: first, port });
  app.server.on('error', onError);
  const bound = app.server.address() as AddressInfo;
  // The first of them is the server's own.
  const others = [first, ...further]
    .flatMap((address) => Array<string>(socketCount).fill(address))
    .slice(1)
    .map((address) => ({ address, server: secondListener(app) }));
  const close = async () => {
    const open = others.filter(({ server }) => server.listening);
    await Promise.all(open.map(({ server }) => closeServer(server)));
  };
  try {
    await allEnded(
      others.map(({ address, server }) => listen(server, { ...shared, host: address, port: bound.port })),
    );
  } catch (error) {
    await close();
    throw error;
  }
  for (const { server } of others) server.on('error', onError);
  return { port: bound.port, close };
}

/**
 * The addresses of a host at which the port is free, with port 0 all: `localhost` has two where there is IPv6. A process that shares a port is not
 * informed that it is in use, so a probe without sharing finds that out.
 */
async function usableAddresses(host: string, port: number): Promise<string[]> {
  const addresses = host === 'localhost' ? await lookup(host, { all: true }) : [{ address: host }];
  const usable: string[] = [];
  for (const { address } of addresses) {
    try {
      const probe = createServer();
      await listen(probe, { host: address, port });
      await closeServer(probe);
      usable.push(address);
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'EADDRNOTAVAIL';
      if (!isMissing || usable.length === 0) throw error;
    }
  }
  return usable;
}

/** Set up as Node sets up its HTTP servers. */
function secondListener(app: FastifyInstance): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    app.server.emit('connection', socket),
  );
}

async function listen(server: Server, at: ListenOptions): Promise<void> {
  server.listen(at);
  await once(server, 'listening');
}

async function closeServer(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * In each turn of its loop libuv accepts one connection from each socket that listens (libuv#3696). Under load turns take
 * milliseconds, and with a single socket hundreds who come at once would wait for seconds to be told that it is too much.
 * Elsewhere a port cannot be shared, or its connections are not (Node.js, `net.Server.listen`, `reusePort`).
 */
const socketCount = process.platform === 'linux' ? 16 : 1;

/**
 * So many connections may wait at each, as far as the system allows (`net.core.somaxconn`). With Node's 511 a crowd that
 * comes at once is not refused but unheard: it asks again after a second, and after three.
 */
const backlog = 4_096;

/** The sockets at which a server listens besides its own; no connection that they have accepted is closed with them. */
export interface Listeners {
  readonly port: number;
  /** Resolves when their connections are closed too. */
  close(): Promise<void>;
}

/** Lets the server of `app` listen, at several sockets of one port; port 0 takes a free one. */
export async function openListeners(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listeners> {
  const shared = { backlog, reusePort: socketCount > 1 };
  // Whoever shares a port is not told that it is in use.
  if (shared.reusePort && port !== 0) await close(await listen(createServer(), { host, port }));
  await app.listen({ ...shared, host, port });
  const bound = app.addresses() as AddressInfo[];
  const others = await Promise.all(
    bound.flatMap(({ address, port }) =>
      Array.from({ length: socketCount - 1 }, () =>
        listen(secondListener(app), { ...shared, host: address, port }),
      ),
    ),
  );
  return {
    port: bound[0]?.port ?? port,
    async close() {
      await Promise.all(others.map(close));
    },
  };
}

/** Set up as Node sets up its HTTP servers. */
function secondListener(app: FastifyInstance): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    app.server.emit('connection', socket),
  );
}

async function listen(server: Server, at: ListenOptions): Promise<Server> {
  server.listen(at);
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

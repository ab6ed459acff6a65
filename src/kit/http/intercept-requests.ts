import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Has `take` look at each request before the framework does; those that it takes, the framework never sees. */
export function interceptRequests(
  server: Server,
  take: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean,
): void {
  const [serve] = server.listeners('request');
  if (serve === undefined) throw new Error('nobody listens to requests');
  server.removeAllListeners('request');
  server.on('request', (incoming, outgoing) => {
    if (!take(incoming, outgoing)) serve.call(server, incoming, outgoing);
  });
}

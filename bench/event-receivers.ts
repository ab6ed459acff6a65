import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSilent } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the receivers that answer have got since they were asked last. */
export interface Arrived {
  readonly count: number;
  /** When the last has arrived, in milliseconds since 1970; 0 before there was one. */
  readonly lastAt: number;
  /** How long each was on its way, where it says when it set out. */
  readonly delays: readonly number[];
}

/** Where they listen. */
export interface Receivers {
  readonly quick: readonly number[];
  readonly blackHole: number;
  readonly slow: number;
}

/**
 * Receivers of webhooks as a process of their own: as many that answer at once as the first argument says, one that takes a connection and
 * keeps silent, and one that takes ten seconds. Sends where they listen to its parent, and what has arrived whenever the parent
 * sends anything.
 */
const slowMs = 10_000;
let count = 0;
let lastAt = 0;
let delays: number[] = [];

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk;
  response.writeHead(204).end();
  lastAt = performance.timeOrigin + performance.now();
  count += 1;
  const left = /"leftAt":(\d+)/.exec(body)?.[1];
  if (left !== undefined) delays.push(Date.now() - Number(left));
}

async function listen(server: Server | ReturnType<typeof createSilent>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const quick = await Promise.all(
  Array.from({ length: Number(process.argv[2]) }, () => listen(createServer(take))),
);
const blackHole = await listen(createSilent((socket) => socket.on('error', () => undefined).resume()));
const slow = await listen(
  createServer(async (request, response) => {
    request.resume();
    await sleep(slowMs);
    response.writeHead(204).end();
  }),
);
process.on('message', () => {
  const arrived: Arrived = { count, lastAt, delays };
  process.send?.(arrived);
  count = 0;
  delays = [];
});
const where: Receivers = { quick, blackHole, slow };
process.send?.(JSON.stringify(where));

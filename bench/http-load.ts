import { connect, type Socket } from 'node:net';

/** What a load run measured. */
export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>;
}

/**
 * Keeps `connections` HTTP/1.1 connections busy for `until` ms, or until it answers true; one request at a time each, and
 * the next one `restMs` after the answer. `next` gives the bytes of the next request. The client is as thin as can be,
 * because it shares the processors with what it measures.
 */
export async function httpLoad(
  port: number,
  connections: number,
  until: number | (() => boolean),
  next: () => string,
  restMs = 0,
): Promise<Load> {
  const times: number[] = [];
  const statuses = new Map<number, number>();
  const started = performance.now();
  const isOver = typeof until === 'number' ? () => performance.now() >= started + until : until;
  await Promise.all(
    Array.from({ length: connections }, () =>
      drive(port, next, restMs, isOver, (status, took) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        times.push(took);
      }),
    ),
  );
  return summarize(times, performance.now() - started, statuses);
}

/** Figures of the times that calls took, in ms, over a span of `elapsed` ms. */
export function summarize(
  times: number[],
  elapsed: number,
  statuses: ReadonlyMap<number, number> = new Map(),
): Load {
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { perSecond: (times.length / elapsed) * 1_000, p50Ms: at(0.5), p99Ms: at(0.99), statuses };
}

function drive(
  port: number,
  next: () => string,
  restMs: number,
  isOver: () => boolean,
  done: (status: number, took: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    const send = () => {
      if (isOver()) {
        socket.end();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(next());
    };
    socket.once('connect', send);
    socket.once('error', reject);
    eachAnswer(socket, (status) => {
      done(status, performance.now() - sentAt);
      if (restMs === 0) send();
      else setTimeout(send, restMs);
    });
  });
}

/** Tells of each answer on a connection that has one request at a time, when all of it is there: its status and head. */
export function eachAnswer(socket: Socket, tell: (status: number, head: string) => void): void {
  let pending = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    pending += chunk;
    const headEnd = pending.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const marker = pending.indexOf('content-length: ');
    const length =
      marker >= 0 && marker < headEnd ? Number.parseInt(pending.slice(marker + 16, marker + 26), 10) : 0;
    if (pending.length < headEnd + 4 + length) return;
    const head = pending.slice(0, headEnd);
    pending = '';
    tell(Number(head.slice(9, 12)), head);
  });
}

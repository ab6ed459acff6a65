import { connect } from 'node:net';

/** The load: this many connections a second, from one address or each from another, each with one of these beginnings. */
export interface Stalling {
  readonly port: number;
  readonly perSecond: number;
  readonly fromMany: boolean;
  readonly beginnings: readonly string[];
}

/** What came of it so far. */
export interface Stalled {
  readonly opened: number;
  /** The most that were open at a time. */
  readonly mostOpen: number;
}

const tickMs = 10;

/** A process of its own: it stalls as the last message asked, and reports the outcome on `stop`. */
let timer: NodeJS.Timeout | undefined;
let serial = 0;
let opened = 0;
let open = 0;
let mostOpen = 0;

process.on('message', (message: Stalling | 'stop') => {
  clearInterval(timer);
  if (message === 'stop') {
    process.send?.({ opened, mostOpen } satisfies Stalled);
    return;
  }
  opened = 0;
  mostOpen = open;
  const startedAt = performance.now();
  timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1_000) * message.perSecond;
    while (opened < due) stall(message);
  }, tickMs);
});
process.once('disconnect', () => process.exit());

function stall({ port, fromMany, beginnings }: Stalling): void {
  const n = serial++;
  opened++;
  open++;
  mostOpen = Math.max(mostOpen, open);
  const localAddress = fromMany ? `127.${1 + ((n >> 16) % 250)}.${(n >> 8) & 255}.${n & 255}` : '127.0.0.1';
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    open--;
  });
  socket.resume();
  socket.write(beginnings[n % beginnings.length] ?? '');
}

import { connect } from 'node:net';
import type { Load } from './load-plan.ts';
import { Record } from './record.ts';

/** Where load goes, and what it is. */
interface Drive {
  readonly port: number;
  readonly connections: number;
  /** Between an answer and the next request of its connection. */
  readonly restMs?: number;
  /** Returns the next request, as ASCII, or null when there are no more. Gets the time. */
  next(now: number): string | null;
}

/** Keeps connections busy from this process, as thinly as can be, one request at a time each, until there is none. */
export async function drive(plan: Drive): Promise<Load> {
  const record = new Record();
  await Promise.all(Array.from({ length: plan.connections }, () => driveOne(plan, record)));
  return record.summarize();
}

const buffer = Buffer.allocUnsafe(65_536);

function driveOne({ port, restMs = 0, next }: Drive, record: Record): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let sentAt = 0;
    const send = () => {
      const text = next(performance.now());
      if (text === null) {
        isOver = true;
        socket.end();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(text, 'latin1');
    };
    const read = answerReader((status) => {
      record.add(status, sentAt, performance.now());
      if (restMs === 0) send();
      else setTimeout(send, restMs);
    });
    const callback = (length: number) => {
      read(buffer.subarray(0, length));
      return true;
    };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
    socket.once('connect', send);
    socket.once('error', reject);
    socket.once('close', () => !isOver && reject(new Error('the server closed a connection')));
  });
}

/** Emits each answer once it is complete: its status, and the bytes of its head, which are valid only while their chunk lasts. */
export function answerReader(emit: (status: number, head: Buffer) => void): (chunk: Buffer) => void {
  let status = 0;
  let headBytes: Buffer = Buffer.alloc(0);
  /** The missing bytes of a body whose head has come. */
  let missing = 0;
  let head: Buffer | null = null;
  return (chunk) => {
    if (missing > 0) {
      missing -= chunk.length;
      if (missing === 0) emit(status, headBytes);
      return;
    }
    const bytes = head === null ? chunk : Buffer.concat([head, chunk]);
    const end = bytes.indexOf('\r\n\r\n');
    // The buffer is the next chunk's, too.
    head = end < 0 ? Buffer.from(bytes) : null;
    if (end < 0) return;
    status = digits(bytes, 9, 12);
    const marker = bytes.indexOf('content-length: ');
    const length = marker >= 0 && marker < end ? digits(bytes, marker + 16, end) : 0;
    missing = end + 4 + length - bytes.length;
    headBytes = bytes.subarray(0, end);
    if (missing === 0) emit(status, headBytes);
  };
}

/** The number that begins at `from`. */
function digits(bytes: Buffer, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) break;
    number = number * 10 + digit;
  }
  return number;
}

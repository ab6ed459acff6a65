import { connect, type Socket } from 'node:net';
import { answerReader } from '../../../bench/drive.ts';

/** An answer that was counted. */
export interface Answered {
  readonly status: number;
  /** From the moment at which the request was due, in ms. */
  readonly took: number;
  readonly hasRetryAfter: boolean;
}

/** Calls that come when they come, whether or not the service keeps up: each takes a connection that is free. */
export interface Offer {
  readonly port: number;
  readonly perSecond: number;
  readonly ms: number;
  next(): string;
  answered(answer: Answered): void;
}

/** Beyond this many connections calls wait on the client's side, and the wait counts as the service's. */
const mostConnections = 8_000;
const tickMs = 5;

/** Makes the calls; resolves with how many had no answer, 3 s after the last one was due. */
export async function offer({ port, perSecond, ms, next, answered }: Offer): Promise<number> {
  const idle: Connection[] = [];
  const waiting: number[] = [];
  const all = new Set<Connection>();
  let answers = 0;
  const started = performance.now();
  const total = Math.round((perSecond * ms) / 1_000);

  function take(): Connection | undefined {
    const free = idle.pop();
    if (free !== undefined || all.size >= mostConnections) return free;
    const made = openConnection(port, {
      done(answer) {
        answers++;
        answered(answer);
        const due = waiting.shift();
        if (due === undefined) idle.push(made);
        else made.send(next(), due);
      },
      lost() {
        all.delete(made);
        const at = idle.indexOf(made);
        if (at >= 0) idle.splice(at, 1);
      },
    });
    all.add(made);
    return made;
  }

  let offered = 0;
  while (offered < total) {
    const now = performance.now();
    for (; offered < total && dueAt(offered) <= now; offered++) {
      const connection = take();
      if (connection === undefined) waiting.push(dueAt(offered));
      else connection.send(next(), dueAt(offered));
    }
    await new Promise((resolve) => setTimeout(resolve, tickMs));
  }
  const end = performance.now() + 3_000;
  while (answers < total && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const connection of all) connection.end();
  return total - answers;

  function dueAt(index: number): number {
    return started + (index / perSecond) * 1_000;
  }
}

interface Connection {
  send(bytes: string, dueAt: number): void;
  end(): void;
}

function openConnection(
  port: number,
  { done, lost }: { done(answer: Answered): void; lost(): void },
): Connection {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let due = 0;
  socket.on('error', () => undefined);
  socket.on('close', lost);
  const read = answerReader((status, head) =>
    done({ status, took: performance.now() - due, hasRetryAfter: head.includes('\r\nretry-after: ') }),
  );
  socket.on('data', read);
  return {
    send(bytes, dueAt) {
      due = dueAt;
      socket.write(bytes);
    },
    end: () => socket.destroy(),
  };
}

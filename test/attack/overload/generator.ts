import { drive } from '../../../bench/drive.ts';
import { offer } from './offer.ts';
import { type Till, tillRequests } from './till-requests.ts';

/** The tasks of the generator, one after the other; it sends back the outcome of each. */
export type Task =
  | { readonly kind: 'closed'; readonly connections: number; readonly ms: number }
  | { readonly kind: 'open'; readonly perSecond: number; readonly ms: number };

/** What came of a task. */
export interface Outcome {
  /** Calls that succeeded, a second. */
  readonly goodPerSecond: number;
  /** Of these. */
  readonly p99Ms: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Refusals without Retry-After, and calls without an answer. */
  readonly bareRefusals: number;
  readonly unanswered: number;
}

/** A process of its own. The first message says where to call, the others what to do. */
process.once('message', (till: Till) => {
  const next = tillRequests(till);
  process.on('message', (task: Task) => {
    void run(task, till, next).then((outcome) => process.send?.(outcome));
  });
});
process.once('disconnect', () => process.exit());

async function run(task: Task, till: Till, next: () => string): Promise<Outcome> {
  if (task.kind === 'closed') {
    const end = performance.now() + task.ms;
    const { port } = till;
    const load = await drive({
      port,
      connections: task.connections,
      next: (now) => (now < end ? next() : null),
    });
    const good = [...load.statuses].filter(([status]) => status < 300);
    const share = good.reduce((sum, [, count]) => sum + count, 0) / sum(load.statuses.values());
    return {
      goodPerSecond: load.perSecond * share,
      p99Ms: load.p99Ms,
      statuses: Object.fromEntries(load.statuses),
      bareRefusals: 0,
      unanswered: 0,
    };
  }
  const statuses: Record<string, number> = {};
  const times: number[] = [];
  let bareRefusals = 0;
  const unanswered = await offer({
    ...task,
    port: till.port,
    next,
    answered({ status, took, hasRetryAfter }) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status < 300) times.push(took);
      else if (!hasRetryAfter) bareRefusals++;
    },
  });
  times.sort((a, b) => a - b);
  return {
    goodPerSecond: (times.length / task.ms) * 1_000,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    statuses,
    bareRefusals,
    unanswered,
  };
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

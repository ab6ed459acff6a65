import { randomBytes } from 'node:crypto';
import { drive } from './drive.ts';
import { type FromGenerator, type Load, type LoadPlan, type ToGenerator, unique } from './load-plan.ts';

/**
 * Sends load over HTTP/1.1, in a process of its own and as thin as can be, because it shares the processors with what it
 * measures: requests are there as text, answers are read into one buffer and looked at no further than they must be.
 */
const stops = new Map<number, () => void>();
process.on('message', (message: ToGenerator) => {
  if ('stop' in message) {
    stops.get(message.id)?.();
    return;
  }
  const { id, plan } = message;
  const say = (answer: FromGenerator) => process.send?.(answer);
  run(plan, (stop) => stops.set(id, stop)).then(
    (load) => say({ id, load }),
    (error) => say({ id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());

async function run(plan: LoadPlan, onStop: (stop: () => void) => void): Promise<Load> {
  let isStopped = false;
  onStop(() => {
    isStopped = true;
  });
  const next = requests(plan);
  const end = plan.ms === undefined ? Number.POSITIVE_INFINITY : performance.now() + plan.ms;
  return drive({ ...plan, next: (now) => (isStopped || now >= end ? null : next()) });
}

/** Gives the next request each time; null when there is none. */
function requests({ texts, once = false }: LoadPlan): () => string | null {
  const pieces = texts.map((text) => text.split(unique));
  const start = randomBytes(5).toString('hex');
  let count = 0;
  return () => {
    const at = once ? count : Math.floor(Math.random() * pieces.length);
    const piece = pieces[at];
    count += 1;
    if (piece === undefined) return null;
    if (piece.length === 1) return piece[0] ?? '';
    return piece.join(start + count.toString(16).padStart(6, '0'));
  };
}

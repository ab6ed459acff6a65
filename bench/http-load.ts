import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromGenerator, Load, LoadPlan, ToGenerator } from './load-plan.ts';

/** Sends the load of a plan that has an end, and waits for it. */
export function httpLoad(plan: LoadPlan): Promise<Load> {
  return begin(plan).load;
}

/** Sends load for as long as `work` takes. */
export async function loadDuring(plan: LoadPlan, work: () => Promise<unknown>): Promise<Load> {
  const { load, stop } = begin(plan);
  await Promise.race([work(), load]);
  stop();
  return load;
}

let generator: ChildProcess | null = null;
let runs = 0;
const waiting = new Map<number, (answer: FromGenerator) => void>();

function begin(plan: LoadPlan): { readonly load: Promise<Load>; stop(): void } {
  generator ??= startGenerator();
  // While a load is under way this process stays; between loads the generator does not keep it.
  generator.channel?.ref();
  runs += 1;
  const id = runs;
  const send = (message: ToGenerator) => generator?.send(message);
  const load = new Promise<Load>((resolve, reject) => {
    waiting.set(id, (answer) => ('load' in answer ? resolve(answer.load) : reject(new Error(answer.error))));
  });
  send({ id, plan });
  return { load, stop: () => void send({ id, stop: true }) };
}

/** One for all runs, so that its code is warm. It ends with this process. */
function startGenerator(): ChildProcess {
  const child = fork(fileURLToPath(new URL('load-generator.ts', import.meta.url)), {
    serialization: 'advanced',
  });
  child.on('message', (answer: FromGenerator) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
    if (waiting.size === 0) child.channel?.unref();
  });
  child.once('exit', () => {
    for (const [id, finish] of waiting) finish({ id, error: 'the load generator ended' });
  });
  child.unref();
  return child;
}

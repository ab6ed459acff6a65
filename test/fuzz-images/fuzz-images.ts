import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sideProcessOptions } from '../../src/kit/processes/side-process.ts';
import { imageSlots } from '../../src/passes/pass-row.ts';
import type { Outcome, Task } from './decoder-process.ts';
import { mutate, type Seeds } from './mutations.ts';
import { createRandom } from './random.ts';
import { seedPictures } from './seeds.ts';

export interface FuzzReport {
  readonly runs: number;
  /** How often each came: `taken`, or the reason of a refusal. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** The most memory that a decoder ever held. */
  readonly peakBytes: number;
  /** The most that a picture took of a processor. */
  readonly slowestMs: number;
  /** Crashes, errors that are no refusal, and what took too long: what, and the file that has the input. */
  readonly findings: readonly string[];
}

/**
 * Gives broken pictures to what renders images, in a process like that of the service, until so many runs or so much time are over, and keeps
 * each that it does not survive in `folder`. Equal seeds give equal pictures.
 */
export async function fuzzImages(options: {
  seed: number;
  runs?: number;
  forMs: number;
  folder: string;
}): Promise<FuzzReport> {
  const { seed, runs = Number.POSITIVE_INFINITY, forMs, folder } = options;
  const [first, ...others] = await seedPictures();
  if (first === undefined) throw new Error('There are no pictures to begin with.');
  const seeds: Seeds = [first, ...others];
  const outcomes = new Map<string, number>();
  const findings: string[] = [];
  let [run, peakBytes, slowestMs] = [0, 0, 0];
  let decoder = startDecoder();
  const end = performance.now() + forMs;
  for (; run < runs && performance.now() < end; run++) {
    // Each run has a seed of its own, so that one can be repeated without those before it.
    const random = createRandom(Math.imul(seed, 1_000_003) + run);
    const task: Task = {
      bytes: run < seeds.length ? (seeds[run] ?? first) : mutate(random, seeds),
      slot: random.pick(slots),
    };
    const outcome = await ask(decoder, task);
    slowestMs = Math.max(slowestMs, outcome.cpuMs);
    peakBytes = Math.max(peakBytes, outcome.peakBytes);
    if (!expected.has(outcome.what) || outcome.cpuMs > SLOW_MS) {
      const file = join(folder, `fuzz-${seed}-${run}-${task.slot}.bin`);
      await writeFile(file, task.bytes);
      findings.push(
        `run ${run}: ${outcome.what} after ${Math.round(outcome.cpuMs)} ms, ${outcome.message ?? ''} (${file})`,
      );
      decoder.kill('SIGKILL');
      decoder = startDecoder();
    }
    outcomes.set(outcome.what, (outcomes.get(outcome.what) ?? 0) + 1);
  }
  decoder.kill('SIGKILL');
  return { runs: run, outcomes, peakBytes, slowestMs, findings };
}

const expected: ReadonlySet<string> = new Set(['taken', 'not_an_image', 'unsupported_type', 'too_small']);

/** Most seeds are large enough for these. */
const slots = ['iconUrl', 'logoUrl', 'thumbnailUrl', ...imageSlots] as const;

/** Of a processor: how long it takes by the clock is up to the machine. */
const SLOW_MS = 10_000;
const PATIENCE_MS = 60_000;

function startDecoder(): ChildProcess {
  return fork(new URL('./decoder-process.ts', import.meta.url), sideProcessOptions);
}

async function ask(decoder: ChildProcess, task: Task): Promise<Outcome> {
  const over = new AbortController();
  const answered = once(decoder, 'message', { signal: over.signal }).then(([outcome]) => outcome as Outcome);
  const died = once(decoder, 'exit', { signal: over.signal }).then(([code, signal]) => ({
    what: 'crash',
    message: `exit code ${code}, signal ${signal}`,
    cpuMs: 0,
    peakBytes: 0,
  }));
  const late = once(AbortSignal.timeout(PATIENCE_MS), 'abort', { signal: over.signal }).then(() => ({
    what: 'hang',
    message: `no answer within ${PATIENCE_MS} ms`,
    cpuMs: 0,
    peakBytes: 0,
  }));
  decoder.send(task);
  const all = [answered, died, late];
  const first = await Promise.race(all);
  over.abort();
  await Promise.allSettled(all);
  return first;
}

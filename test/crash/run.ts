import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedAndMinutes } from '../seed-and-minutes.ts';
import { makeDevelopmentIdentity } from '../server.ts';
import { runCrashSuite } from './suite.ts';
import { summaryOf, violationsOf } from './summary.ts';

/** The crash suite for some minutes. Exit code 1 when something that is promised did not hold. */
const { seed, minutes } = seedAndMinutes('10');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const folder = await mkdtemp(join(tmpdir(), 'punchcard-crash-'));
try {
  const apple = join(folder, 'apple-development');
  await makeDevelopmentIdentity(apple);
  const outcome = await runCrashSuite({
    seed,
    folder,
    apple,
    apis: 3,
    workers: 2,
    clients: 24,
    lanes: 3,
    forMs: minutes * 60_000,
    leastCalls: 1_000,
    say: (line) => console.log(`  ${Math.round(performance.now() / 1_000)} s: ${line}`),
  });
  console.log(`${summaryOf(outcome)}\nseed ${seed}`);
  if (outcome.violations.length > 0) console.error(violationsOf(outcome));
  process.exitCode = outcome.violations.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

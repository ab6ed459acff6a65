import { options } from './options.ts';
import { report } from './result.ts';

/**
 * Runs the benchmarks, one after the other, and prints what they measured; arguments name those to run. Exit code 1
 * when a figure misses its target. `--seconds`, `--rounds` and `--scale` make a short run, which only shows that it works.
 */
const benches = {
  pkpass: () => import('./pkpass.ts'),
  issue: () => import('./issue.ts'),
  award: () => import('./award.ts'),
  shops: () => import('./shops.ts'),
  growth: () => import('./growth.ts'),
  grown: () => import('./grown.ts'),
  processes: () => import('./processes.ts'),
  against: () => import('./against.ts'),
  cost: () => import('./cost.ts'),
  rows: () => import('./rows.ts'),
  orders: () => import('./orders.ts'),
  money: () => import('./money.ts'),
  push: () => import('./push.ts'),
  serials: () => import('./serials.ts'),
  images: () => import('./images.ts'),
  pool: () => import('./pool.ts'),
  sweep: () => import('./sweep.ts'),
  restore: () => import('./restore.ts'),
  events: () => import('./events.ts'),
  webhooks: () => import('./webhooks.ts'),
  scanner: () => import('./scanner.ts'),
  console: () => import('./console.ts'),
  citus: () => import('./citus.ts'),
};

const { names } = options;
const unknown = names.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark "${unknown.join('", "')}". There are: ${Object.keys(benches).join(', ')}.`,
  );
  process.exit(2);
}
for (const [name, load] of Object.entries(benches)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`\n${name}`);
  const { bench } = await load();
  if (!report(await bench())) process.exitCode = 1;
}

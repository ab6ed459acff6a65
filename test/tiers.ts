import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Which tests run when. `usual` is what a change can break at once, and what `npm test` runs. `deep` takes longer than a
 * developer waits: `npm run test:deep`. The name of a file decides: those of the deep tier end in `.deep.test.ts`.
 */
export type Tier = 'usual' | 'deep';

const tiers: readonly Tier[] = ['usual', 'deep'];

/** The statements that the others have sent are explained when these have ended. */
export const plans = join('test', 'growth', 'plans.test.ts');
export const plansOnCluster = join('test', 'citus', 'plans.test.ts');

/** The tier of this run. A file that is run alone is run as in the usual one. */
export const tier: Tier = process.env.PUNCHCARD_TEST_TIER === 'deep' ? 'deep' : 'usual';

/** Every test file. The longest come first: they are those in `test`. */
export function allTestFiles(): string[] {
  return [
    ...globSync('{test,tools,sdk/*/test}/**/*.test.ts').sort(),
    ...globSync('src/**/*.test.ts').sort(),
  ].filter((path) => path !== plans && path !== plansOnCluster);
}

/** Where both tiers run one after the other, PUNCHCARD_TEST_AXE=all has the usual one do all of axe, so that no walk is made twice. */
const isAxeUsual = process.env.PUNCHCARD_TEST_AXE === 'all';

/** Whether axe runs in all four combinations of theme and width. */
export const axeInAll = tier === 'deep' || isAxeUsual;

/** The test files of a tier. Both tiers run the walks with axe: the usual one in one theme and width, the deep one in all. */
export function filesOf(wanted: Tier, sharesWalks = !isAxeUsual): string[] {
  return allTestFiles().filter((path) =>
    wanted === 'deep' ? isDeep(path) || (sharesWalks && asksAxe(path)) : !isDeep(path),
  );
}

/** Whether only the deep tier runs it. */
export function isDeep(path: string): boolean {
  return path.endsWith('.deep.test.ts');
}

function asksAxe(path: string): boolean {
  return path.endsWith('.browser.test.ts') && readFileSync(path, 'utf8').includes('assertForEverybody(');
}

/** Notes in the folder of captured statements that those of a whole tier are there. */
export function noteCaptured(folder: string, captured: Tier): void {
  writeFileSync(markOf(folder, captured), '');
}

/** Whether the folder holds the statements of every test, so that what is missing there is sent by none. */
export function hasEveryStatement(folder: string): boolean {
  return tiers.every((one) => existsSync(markOf(folder, one)));
}

function markOf(folder: string, captured: Tier): string {
  return join(folder, `whole-tier-${captured}`);
}

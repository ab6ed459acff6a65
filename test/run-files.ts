import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runNode } from './run-node.ts';

/**
 * At once: files wait as well as compute, and one more than there are cores keeps these at work. A test must not be late
 * for that: none may look at a clock.
 */
const side = availableParallelism() + 1;
/** A process loads the service once for this many test files, and frees the memory that they have left. */
const filesWithServices = 16;
/** So many of the longest files are named at the end of a run of more than these. */
const longestFiles = 15;
const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));

/**
 * Runs test files with these settings; the exit code. They are in a queue, from which each process takes the next when the
 * tests of the one before it are over. Compiled code is kept for the next run. `most` run side by side.
 */
export async function runFiles(
  paths: readonly string[],
  environment: Readonly<Record<string, string>>,
  filesOfAProcess = filesWithServices,
  most = side,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-files-'));
  const count = Math.max(Math.min(most, paths.length), Math.ceil(paths.length / filesOfAProcess));
  const programs = Array.from({ length: count }, (_, index) => join(folder, `${index}.mjs`));
  for (const program of programs) await writeFile(program, takeFiles(paths, folder, filesOfAProcess));
  const options = ['--test', `--test-concurrency=${most}`, '--test-timeout=600000'];
  const code = await runNode([...options, ...programs], { NODE_COMPILE_CACHE: compiled, ...environment });
  if (paths.length > longestFiles) await printLongest(folder);
  await rm(folder, { recursive: true, force: true });
  return code;
}

/** What a test file took: seconds by the clock, and seconds of computing in its own process. */
interface Spent {
  readonly path: string;
  readonly seconds: number;
  readonly computing: number;
}

/** Prints the longest files, so that one sees where the time of a run goes. */
async function printLongest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('spent-'));
  const spent = names.map((name): Spent => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const total = spent.reduce((sum, { seconds }) => sum + seconds, 0);
  const longest = spent.sort((one, other) => other.seconds - one.seconds).slice(0, longestFiles);
  console.log(
    `\n${spent.length} files took ${total.toFixed(0)} s, side by side. The longest (of that, computing):`,
  );
  for (const { path, seconds, computing } of longest)
    console.log(`${seconds.toFixed(1).padStart(7)} s (${computing.toFixed(1)} s)  ${path}`);
}

/** Prints a program that takes files from the queue: the first process that creates a file's marker runs the file. */
function takeFiles(paths: readonly string[], folder: string, filesOfAProcess: number): string {
  const files = paths.map((path) => ({ path, address: pathToFileURL(resolve(path)).href }));
  return `
    import { writeFileSync } from 'node:fs';
    import { test } from 'node:test';
    let left = ${filesOfAProcess};
    // When nothing keeps a process alive, node:test ends its report: what came later would count as passed.
    const alive = setInterval(() => undefined, 60_000);
    for (const [place, { path, address }] of ${JSON.stringify(files)}.entries()) {
      try {
        writeFileSync(${JSON.stringify(join(folder, 'taken-'))} + place, '', { flag: 'wx' });
      } catch (error) {
        if (error.code === 'EEXIST') continue;
        throw error;
      }
      const began = performance.now();
      const before = process.cpuUsage();
      await test(path, () => import(address));
      const { user, system } = process.cpuUsage(before);
      const spent = { path, seconds: (performance.now() - began) / 1e3, computing: (user + system) / 1e6 };
      writeFileSync(${JSON.stringify(join(folder, 'spent-'))} + place, JSON.stringify(spent));
      left -= 1;
      if (left === 0) break;
    }
    clearInterval(alive);`;
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runNode } from './run-node.ts';

/** A process loads the service once for so many test files. */
const filesOfAGroup = 8;
/** More at once make tests late that look at a clock. */
const side = availableParallelism();
const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));

/**
 * Runs test files with these settings; the exit code. A process runs several, one after the other: a file is loaded when the
 * tests of the one before it are over. Compiled code is kept for the next run.
 */
export async function runFiles(
  paths: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-groups-'));
  const size = Math.max(1, Math.min(filesOfAGroup, Math.ceil(paths.length / side)));
  const groups = Array.from({ length: Math.ceil(paths.length / size) }, (_, index) => ({
    // Node runs them in the order of their names.
    program: join(folder, `${String(index).padStart(4, '0')}.mjs`),
    files: paths.slice(index * size, (index + 1) * size),
  }));
  for (const { program, files } of groups) await writeFile(program, programOf(files));
  const options = ['--test', `--test-concurrency=${side}`, '--test-timeout=600000'];
  const programs = groups.map(({ program }) => program);
  const code = await runNode([...options, ...programs], { NODE_COMPILE_CACHE: compiled, ...environment });
  await rm(folder, { recursive: true, force: true });
  return code;
}

function programOf(files: readonly string[]): string {
  const tests = files.map((file) => {
    const address = pathToFileURL(resolve(file)).href;
    return `test(${JSON.stringify(file)}, () => import(${JSON.stringify(address)}));\n`;
  });
  return `import { test } from 'node:test';\n${tests.join('')}`;
}

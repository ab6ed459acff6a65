import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../test/find-program.ts';

const fastTests = [
  'test/architecture.test.ts',
  'test/errors.test.ts',
  'test/openapi/calls.test.ts',
  'test/openapi/document.test.ts',
  'test/printed-documents.test.ts',
  'test/seeded-bugs/bugs.test.ts',
];

/** Everything that can be checked without a database: one line each, exit code 1 when one fails. The longest are first. */
const checks: readonly (readonly [name: string, command: string, ...options: string[]])[] = [
  types('types'),
  ['format and lint', 'biome', 'check', '--error-on-warnings', '.'],
  ...typesOfPython(),
  // One process: most of them load the whole service.
  ['tests', process.execPath, '--test', '--test-isolation=none', ...fastTests],
  ['unused code', 'knip', '--cache', '--cache-location', 'node_modules/.cache/knip'],
  types('types, console', 'web'),
  types('types, client', 'sdk/typescript'),
  types('types, browser', 'src/delivery/web/browser'),
  types('types, sign-in', 'src/sign-in/browser'),
  types('types, joining', 'src/enrolment/browser'),
];

const root = fileURLToPath(new URL('..', import.meta.url));
// The tools are Node programs: they run on the Node that runs this.
const path = [dirname(process.execPath), `${root}node_modules/.bin`, process.env.PATH].join(delimiter);
const settings = {
  PATH: path,
  NODE_COMPILE_CACHE: `${root}node_modules/.cache/compiled`,
  // A compiler that lives for seconds need not collect garbage, which would be a fifth of its work.
  GOGC: 'off',
  FORCE_COLOR: '0',
  NO_COLOR: '1',
};
const startedAt = performance.now();
let failed = 0;
// As many at once as there are cores: the longest, which is the work of one, is not to wait for the others.
const left = checks.values();
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const check of left) if (!(await run(check))) failed += 1;
  }),
);
console.log(failed === 0 ? `all well in ${seconds(startedAt)}` : `${failed} of ${checks.length} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * What it found out is kept, so that the next run looks at what has changed. Each checker makes the types that it meets for
 * itself: four take three times the work of one.
 */
function types(name: string, project = '.'): readonly [string, string, ...string[]] {
  const kept = `node_modules/.cache/${project === '.' ? 'types' : project.replaceAll('/', '-')}.tsbuildinfo`;
  const options = ['--noEmit', '--checkers', '1', '--incremental', '--tsBuildInfoFile', kept];
  return [name, 'tsc', '-p', project, ...options];
}

/** Where the machine has no mypy they are passed over; in CI that fails. */
function typesOfPython(): readonly (readonly [string, string, ...string[]])[] {
  if (findProgram(['mypy']) === null && process.env.CI === undefined) return [];
  const files = ['punchcard', 'test/typed_usage.py'].map((path) => `sdk/python/${path}`);
  const options = ['--config-file', 'sdk/python/pyproject.toml', '--cache-dir', 'node_modules/.cache/mypy'];
  return [['types, Python', 'mypy', ...options, ...files]];
}

async function run([name, command, ...options]: (typeof checks)[number]): Promise<boolean> {
  const child = spawn(command, options, {
    cwd: root,
    env: { ...process.env, ...settings },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const passed = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      said += error.message;
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
  console.log(`${passed ? '✓' : '✗'} ${name.padEnd(16)} ${seconds(startedAt)}`);
  // Of tests, those that failed.
  if (!passed)
    console.log(
      said
        .replace(/^.*failing tests:/s, '')
        .trim()
        .replace(/^/gm, '    '),
    );
  return passed;
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}

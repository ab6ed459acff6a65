import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../test/find-program.ts';

const fastTests = [
  'test/architecture.test.ts',
  'test/errors.test.ts',
  'test/openapi/calls.test.ts',
  'test/openapi/document.test.ts',
  'test/seeded-bugs/bugs.test.ts',
];

/** Everything that can be checked without a database, all at once: one line each, exit code 1 when one fails. */
const checks: readonly (readonly [name: string, command: string, ...options: string[]])[] = [
  ['format and lint', 'biome', 'check', '--error-on-warnings', '.'],
  types('types'),
  types('types, browser', 'src/delivery/web/browser'),
  types('types, sign-in', 'src/people/browser'),
  types('types, console', 'web'),
  types('types, joining', 'src/joining/browser'),
  types('types, client', 'sdk/typescript'),
  ...typesOfPython(),
  ['unused code', 'knip'],
  ['architecture', process.execPath, '--test', ...fastTests],
  ['generated files', process.execPath, 'scripts/print-docs.ts', '--check'],
];

const root = fileURLToPath(new URL('..', import.meta.url));
// The tools are Node programs: they run on the Node that runs this.
const path = [dirname(process.execPath), `${root}node_modules/.bin`, process.env.PATH].join(delimiter);
const startedAt = performance.now();
const results = await Promise.all(checks.map(run));
const failed = results.filter((passed) => !passed).length;
console.log(failed === 0 ? `all well in ${seconds(startedAt)}` : `${failed} of ${checks.length} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** What it found out is kept, so that the next run looks at what has changed. */
function types(name: string, project = '.'): readonly [string, string, ...string[]] {
  const kept = `node_modules/.cache/${project === '.' ? 'types' : project.replaceAll('/', '-')}.tsbuildinfo`;
  return [name, 'tsc', '--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', kept];
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
    env: { ...process.env, PATH: path, FORCE_COLOR: '0', NO_COLOR: '1' },
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

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPrograms } from '../../../test/find-program.ts';

const python = findPrograms(['python3']).find(hasModules) ?? null;

const hint =
  'These need Python 3.9 or newer with pip, setuptools, wheel and httpx. On Debian and Ubuntu: apt-get install python3-pip python3-setuptools python3-wheel python3-httpx.';

/** Where the machine has no such Python, tests of the client are passed over; in CI they fail. */
export const needsPython = { skip: python === null && hint };
if (python === null && process.env.CI !== undefined) throw new Error(hint);

function hasModules(path: string): boolean {
  // They are looked for, not loaded: some cannot be loaded one after the other.
  const look =
    'import sys; from importlib.util import find_spec; sys.exit(not all(map(find_spec, sys.argv[1:])))';
  return spawnSync(path, ['-c', look, 'httpx', 'pip', 'setuptools', 'wheel']).status === 0;
}

/** Starts programs that have the client as who installs its package gets it, and nothing else of ours. */
export interface PythonWithClient {
  /** A folder of its own, where programs run. */
  readonly folder: string;
  start(arguments_: readonly string[], environment?: Readonly<Record<string, string>>): ChildProcess;
  /** Runs a program to its end; raises what it has said where it fails. */
  run(
    arguments_: readonly string[],
    environment?: Readonly<Record<string, string>>,
    input?: string,
  ): Promise<string>;
}

/** Builds the package and installs it into a new folder. */
export async function installClient(): Promise<PythonWithClient> {
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-python-'));
  after(() => rm(folder, { recursive: true, force: true }));
  const inFolder = (name: string) => join(folder, name);
  // Building leaves files next to the sources.
  const source = fileURLToPath(new URL('..', import.meta.url));
  await cp(source, inFolder('source'), { recursive: true });
  const pip = (...words: string[]) =>
    promisify(execFile)(python ?? '', [
      '-m',
      'pip',
      ...words,
      '--quiet',
      '--no-index',
      '--no-deps',
      '--no-cache-dir',
    ]);
  await pip('wheel', '--no-build-isolation', '--wheel-dir', inFolder('dist'), inFolder('source'));
  const [wheel = ''] = await readdir(inFolder('dist'));
  await pip('install', '--target', inFolder('site'), join(inFolder('dist'), wheel));
  const start: PythonWithClient['start'] = (arguments_, environment = {}) =>
    spawn(python ?? '', arguments_, {
      cwd: folder,
      env: { ...process.env, PYTHONPATH: inFolder('site'), PYTHONUNBUFFERED: '1', ...environment },
    });
  return {
    folder,
    start,
    async run(arguments_, environment, input = '') {
      const child = start(arguments_, environment);
      let [out, errors] = ['', ''];
      child.stdout?.on('data', (chunk) => (out += chunk));
      child.stderr?.on('data', (chunk) => (errors += chunk));
      child.stdin?.end(input);
      const code = await new Promise((resolve) => child.once('close', resolve));
      if (code !== 0) throw new Error(`python3 ${arguments_.join(' ')} ended with ${code}:\n${out}${errors}`);
      return out;
    },
  };
}

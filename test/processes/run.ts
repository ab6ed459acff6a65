import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Several processes on one database, at length: `npm run test:processes`. Arguments are files of this folder; all of
 * them without any. Where Redis or PgBouncer is missing, what needs it is passed over with a word on what to install.
 */
const runner = fileURLToPath(new URL('../run.ts', import.meta.url));
const wanted = process.argv.slice(2);
const files = wanted.length > 0 ? wanted : globSync('test/processes/*.test.ts').sort();
const child = spawn(process.execPath, [runner, ...files], {
  stdio: 'inherit',
  env: { ...process.env, PUNCHCARD_TEST_PROCESSES: 'long' },
});
const stop = () => child.kill('SIGINT');
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
process.exitCode = await new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));

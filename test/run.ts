import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareTestServer } from './server.ts';

/**
 * Runs the tests on one PostgreSQL: the one of TEST_DATABASE_URL, or an embedded one of its own. Arguments are test
 * files; all of them without any.
 */
const folder = await mkdtemp(join(tmpdir(), 'punchcard-test-'));
const server = await prepareTestServer(folder, process.env.TEST_DATABASE_URL);
const wanted = process.argv.slice(2);
const files = wanted.length > 0 ? wanted : globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).sort();
const child = spawn(process.execPath, ['--test', '--test-concurrency=2', '--test-timeout=600000', ...files], {
  stdio: 'inherit',
  env: { ...process.env, ...server.environment },
});
const stop = () => child.kill('SIGINT');
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
const code = await new Promise<number>((resolve) => child.once('exit', (exit) => resolve(exit ?? 1)));
await server.stop();
await rm(folder, { recursive: true, force: true });
process.exitCode = code;

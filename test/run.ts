import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode } from './run-node.ts';
import { prepareTestServer } from './server.ts';

/**
 * Runs the tests on one PostgreSQL: the one of TEST_DATABASE_URL, or an embedded one of its own. Arguments are test
 * files; all of them without any. The statements that all tests have sent, or with --plans those of the files, are
 * explained afterwards on a grown database (`test/growth/plans.test.ts`).
 */
const folder = await mkdtemp(join(tmpdir(), 'punchcard-test-'));
const server = await prepareTestServer(folder, process.env.TEST_DATABASE_URL);
const arguments_ = process.argv.slice(2);
const wanted = arguments_.filter((argument) => argument !== '--plans');
const plans = join('test', 'growth', 'plans.test.ts');
const files =
  wanted.length > 0
    ? wanted
    : globSync(['src/**/*.test.ts', 'test/**/*.test.ts'])
        .filter((path) => path !== plans)
        .sort();
const statements = join(folder, 'statements');
const isCaptured = wanted.length === 0 || arguments_.length > wanted.length;
await mkdir(statements);
const aboutStatements = {
  PUNCHCARD_TEST_STATEMENTS: statements,
  ...(wanted.length === 0 && { PUNCHCARD_TEST_IS_COMPLETE: '1' }),
};
// The processes that tests start are captured, too.
const capturing = {
  ...aboutStatements,
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('growth/capture.ts', import.meta.url).href}`,
};

let code = await runTests(files, isCaptured ? capturing : {});
if (isCaptured) code = (await runTests([plans], aboutStatements)) || code;
await server.stop();
await rm(folder, { recursive: true, force: true });
process.exitCode = code;

/** Runs test files; the exit code. */
function runTests(paths: readonly string[], environment: Readonly<Record<string, string>>): Promise<number> {
  const options = ['--test', '--test-concurrency=2', '--test-timeout=600000'];
  return runNode([...options, ...paths], { ...server.environment, ...environment });
}

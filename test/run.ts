import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFiles } from './run-files.ts';
import { prepareTestServer } from './server.ts';
import { keepFilesInMemory } from './temporary-folder.ts';

/**
 * Runs the tests on one PostgreSQL: the one of TEST_DATABASE_URL, or an embedded one of its own. Arguments are test
 * files; all of them without any. The statements that all tests have sent, or with --plans those of the files, are
 * explained afterwards on a grown database (`test/growth/plans.test.ts`), and where TEST_CITUS_URL names the coordinator
 * of a cluster, on that as well (`test/citus/plans.test.ts`); where the server is a cluster, there only. They are kept in the folder of PUNCHCARD_TEST_STATEMENTS, so
 * that either can be asked again: `PUNCHCARD_TEST_STATEMENTS=… npm test -- test/citus/plans.test.ts`.
 */
keepFilesInMemory();
const folder = await mkdtemp(join(tmpdir(), 'punchcard-test-'));
const server = await prepareTestServer(folder, process.env.TEST_DATABASE_URL);
const arguments_ = process.argv.slice(2);
const wanted = arguments_.filter((argument) => argument !== '--plans');
const plans = join('test', 'growth', 'plans.test.ts');
const plansOnCluster = join('test', 'citus', 'plans.test.ts');
const files =
  wanted.length > 0
    ? wanted
    : // The longest are among those of all rooms.
      [
        ...globSync('{test,tools,sdk/*/test}/**/*.test.ts').sort(),
        ...globSync('src/**/*.test.ts').sort(),
      ].filter((path) => path !== plans && path !== plansOnCluster);
const kept = process.env.PUNCHCARD_TEST_STATEMENTS;
const statements = kept ?? join(folder, 'statements');
const isCaptured = wanted.length === 0 || arguments_.length > wanted.length;
await mkdir(statements, { recursive: true });
const aboutStatements = {
  PUNCHCARD_TEST_STATEMENTS: statements,
  ...(wanted.length === 0 && { PUNCHCARD_TEST_IS_COMPLETE: '1' }),
};
// The processes that tests start are captured, too.
const capturing = {
  ...aboutStatements,
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('growth/capture.ts', import.meta.url).href}`,
};

let code = await runFiles(files, { ...server.environment, ...(isCaptured && capturing) });
const explaining = server.isCluster
  ? { paths: [plansOnCluster], environment: { ...aboutStatements, PUNCHCARD_TEST_IS_OF_CLUSTER: '1' } }
  : { paths: [plans], environment: aboutStatements };
if (isCaptured)
  code = (await runFiles(explaining.paths, { ...server.environment, ...explaining.environment })) || code;
await server.stop();
const clusterUrl = process.env.TEST_CITUS_URL;
if (isCaptured && clusterUrl !== undefined) {
  const cluster = await prepareTestServer(folder, clusterUrl);
  code = (await runFiles([plansOnCluster], { ...cluster.environment, ...aboutStatements })) || code;
  await cluster.stop();
}
await rm(folder, { recursive: true, force: true });
process.exitCode = code;

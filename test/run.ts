import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFiles } from './run-files.ts';
import { prepareTestServer } from './server.ts';
import { keepFilesInMemory } from './temporary-folder.ts';
import { filesOf, hasEveryStatement, noteCaptured, plans, plansOnCluster, type Tier } from './tiers.ts';

/**
 * Runs the tests on one PostgreSQL: the one of TEST_DATABASE_URL, or an embedded one of its own. Arguments are test
 * files; those of the usual tier without any, and those of the deep tier with --deep (`test/tiers.ts`).
 *
 * The statements that a whole tier has sent, or with --plans those of the files, are explained afterwards on a grown
 * database (`test/growth/plans.test.ts`), and where TEST_CITUS_URL names the coordinator of a cluster, on that as well
 * (`test/citus/plans.test.ts`); where the server is a cluster, there only. They are kept in the folder of
 * PUNCHCARD_TEST_STATEMENTS. The tier that runs last with the same folder asks whether every statement was sent. Either
 * question can be asked again: `PUNCHCARD_TEST_STATEMENTS=… npm test -- test/citus/plans.test.ts`.
 */
keepFilesInMemory();
const folder = await mkdtemp(join(tmpdir(), 'punchcard-test-'));
const server = await prepareTestServer(folder, process.env.TEST_DATABASE_URL);
const arguments_ = process.argv.slice(2);
const wanted = arguments_.filter((argument) => !['--plans', '--deep'].includes(argument));
const tier: Tier = arguments_.includes('--deep') ? 'deep' : 'usual';
const isWhole = wanted.length === 0;
const files = isWhole ? filesOf(tier) : wanted;
const kept = process.env.PUNCHCARD_TEST_STATEMENTS;
const statements = kept ?? join(folder, 'statements');
const isCaptured = isWhole || arguments_.includes('--plans');
await mkdir(statements, { recursive: true });
const aboutTier = { PUNCHCARD_TEST_TIER: tier };
// The processes that tests start are captured, too.
const capturing = {
  PUNCHCARD_TEST_STATEMENTS: statements,
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('growth/capture.ts', import.meta.url).href}`,
};

let code = await runFiles(files, { ...server.environment, ...aboutTier, ...(isCaptured && capturing) });
if (isWhole) noteCaptured(statements, tier);
const aboutStatements = {
  PUNCHCARD_TEST_STATEMENTS: statements,
  ...(isWhole && hasEveryStatement(statements) && { PUNCHCARD_TEST_IS_COMPLETE: '1' }),
};
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

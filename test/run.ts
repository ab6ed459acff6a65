import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runNode } from './run-node.ts';
import { prepareTestServer } from './server.ts';

/**
 * Runs the tests on one PostgreSQL: the one of TEST_DATABASE_URL, or an embedded one of its own. Arguments are test
 * files; all of them without any. The statements that all tests have sent, or with --plans those of the files, are
 * explained afterwards on a grown database (`test/growth/plans.test.ts`), and where TEST_CITUS_URL names the coordinator
 * of a cluster, on that as well (`test/citus/plans.test.ts`); where the server is a cluster, there only. They are kept in the folder of PUNCHCARD_TEST_STATEMENTS, so
 * that either can be asked again: `PUNCHCARD_TEST_STATEMENTS=… npm test -- test/citus/plans.test.ts`.
 */
const folder = await mkdtemp(join(tmpdir(), 'punchcard-test-'));
const server = await prepareTestServer(folder, process.env.TEST_DATABASE_URL);
const root = fileURLToPath(new URL('..', import.meta.url));
const filesOfAGroup = 8;
let runs = 0;
const arguments_ = process.argv.slice(2);
const wanted = arguments_.filter((argument) => argument !== '--plans');
const plans = join('test', 'growth', 'plans.test.ts');
const plansOnCluster = join('test', 'citus', 'plans.test.ts');
const files =
  wanted.length > 0
    ? wanted
    : globSync('{src,tools,test}/**/*.test.ts')
        .filter((path) => path !== plans && path !== plansOnCluster)
        .sort();
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

let code = await runTests(files, isCaptured ? capturing : {});
const explaining = server.isCluster
  ? { paths: [plansOnCluster], environment: { ...aboutStatements, PUNCHCARD_TEST_IS_OF_CLUSTER: '1' } }
  : { paths: [plans], environment: aboutStatements };
if (isCaptured) code = (await runTests(explaining.paths, explaining.environment)) || code;
await server.stop();
const clusterUrl = process.env.TEST_CITUS_URL;
if (isCaptured && clusterUrl !== undefined) {
  const cluster = await prepareTestServer(folder, clusterUrl);
  code = (await runTests([plansOnCluster], { ...cluster.environment, ...aboutStatements })) || code;
  await cluster.stop();
}
await rm(folder, { recursive: true, force: true });
process.exitCode = code;

/** Runs test files; the exit code. */
async function runTests(
  paths: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const side = Math.ceil(availableParallelism() * 1.5);
  const options = ['--test', `--test-concurrency=${side}`, '--test-timeout=600000'];
  const groups = await writeGroups(
    paths,
    Math.max(1, Math.min(filesOfAGroup, Math.ceil(paths.length / side))),
  );
  return runNode([...options, ...groups], {
    ...server.environment,
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
    ...environment,
  });
}

/**
 * Files that are run one after the other by one process, so that not each has to load the service anew: programs of
 * their own, which wait for a file and its tests before they load the next.
 */
async function writeGroups(paths: readonly string[], size: number): Promise<string[]> {
  const groups = Array.from({ length: Math.ceil(paths.length / size) }, (_, index) =>
    paths.slice(index * size, (index + 1) * size),
  );
  const names: string[] = [];
  for (const [index, group] of groups.entries()) {
    const name = join(folder, `${runs++}-${index}.mjs`);
    const lines = group.map(
      (path) =>
        `test(${JSON.stringify(path)}, () => import(${JSON.stringify(pathToFileURL(resolve(path)).href)}));`,
    );
    await writeFile(name, ["import { test } from 'node:test';", ...lines, ''].join('\n'));
    names.push(name);
  }
  return names;
}

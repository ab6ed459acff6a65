import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runNode } from '../run-node.ts';
import { keepFilesInMemory } from '../temporary-folder.ts';
import { hasEveryStatement } from '../tiers.ts';
import { takeCluster } from './cluster.ts';
import { withoutNodes } from './nodes.ts';

const usage = `npm run test:citus [-- options]

The suites on a Citus cluster: that of TEST_DATABASE_URL, or two workers and a coordinator that are started for them.

  --short      a form of some minutes
  --only NAME  one of contract, processes, ledger, operation, jobs, nodes, crash, statements; it may be given several times
  --minutes N  how long the crash suite plays; 10 by default
  --seed N     draws the same faults and calls again

What npm test and npm run test:deep have kept in the folder of PUNCHCARD_TEST_STATEMENTS is carried out on the cluster as well: statements.
`;

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    help: { type: 'boolean' },
  },
});

/** The steps, one after the other: a program and its arguments, and settings of its own. */
interface Suite {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const tests = (...files: string[]) => [program('../run.ts'), ...files];

/** What the operator of a cluster relies on. */
const operation = ['nodes', 'migrate', 'doctor', 'backup', 'tenants'].map(
  (name) => `test/citus/${name}.test.ts`,
);

/** Of all tests, on a single PostgreSQL. */
const kept = process.env.PUNCHCARD_TEST_STATEMENTS;
const statements: Record<string, Suite> =
  kept === undefined
    ? {}
    : {
        statements: {
          args: tests('test/citus/plans.test.ts'),
          environment: {
            PUNCHCARD_TEST_STATEMENTS: kept,
            ...(hasEveryStatement(kept) && { PUNCHCARD_TEST_IS_COMPLETE: '1' }),
          },
        },
      };

const long: Record<string, Suite> = {
  ...statements,
  contract: { args: tests('--plans', 'test/contract/contract.test.ts') },
  processes: {
    args: tests(
      ...['contract', 'workers', 'start-together', 'rolling-restart', 'shared-state', 'pooler'].map(
        (name) => `test/processes/${name}.deep.test.ts`,
      ),
    ),
    environment: { PUNCHCARD_TEST_PROCESSES: 'long' },
  },
  ledger: {
    args: tests('test/ledger/ledger.property.test.ts', 'test/ledger/undo-order.property.test.ts'),
    environment: { LEDGER_SEED: values.seed },
  },
  operation: { args: tests(...operation) },
  jobs: { args: tests('test/citus/jobs.test.ts') },
  nodes: { args: tests('test/citus/lost-node.test.ts') },
  crash: { args: [program('../crash/run.ts'), '--minutes', values.minutes, '--seed', values.seed] },
};

const short: Record<string, Suite> = {
  ...statements,
  contract: { args: tests('--plans', 'test/contract/contract.test.ts') },
  processes: {
    args: tests('test/processes/workers.deep.test.ts', 'test/processes/start-together.deep.test.ts'),
  },
  jobs: { args: tests('test/citus/jobs.test.ts') },
  nodes: { args: tests('test/citus/lost-node.test.ts') },
  crash: { args: tests('test/crash/short.test.ts'), environment: { CRASH_SEED: values.seed } },
};

const suites = values.short ? short : long;
const names = Object.keys(suites).filter((name) => values.only?.includes(name) ?? true);
if (values.help === true) console.log(usage);
else if (names.length < (values.only?.length ?? 1)) {
  console.error(`--only takes ${Object.keys(suites).join(', ')}.`);
  process.exitCode = 2;
} else process.exitCode = await runSuites();

async function runSuites(): Promise<number> {
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (isInterrupted = true));
  keepFilesInMemory();
  const cluster = await takeCluster(process.env.TEST_DATABASE_URL);
  if (typeof cluster === 'string') {
    console.log(`The suites on Citus are passed over: ${cluster}`);
    return 0;
  }
  const outcomes: string[] = [];
  let code = 0;
  try {
    const aboutCluster = {
      TEST_DATABASE_URL: cluster.url,
      // The suites keep their own.
      PUNCHCARD_TEST_STATEMENTS: undefined,
      PUNCHCARD_TEST_CLUSTER: cluster.url,
      ...(cluster.folder !== null && { PUNCHCARD_TEST_NODES: cluster.folder }),
    };
    if (cluster.folder === null && withoutNodes !== false) console.log(withoutNodes);
    for (const name of names) {
      if (isInterrupted) break;
      const began = performance.now();
      console.log(`\n== on Citus: ${name}`);
      const { args, environment } = suites[name] ?? { args: [] };
      const ended = await runNode(args, { ...aboutCluster, ...environment });
      code ||= ended;
      outcomes.push(
        `${ended === 0 ? 'ok    ' : 'FAILED'} ${name}, ${Math.round((performance.now() - began) / 1_000)} s`,
      );
    }
  } finally {
    await cluster.stop();
  }
  console.log(`\n${outcomes.join('\n')}\nseed ${values.seed}`);
  return isInterrupted ? 1 : code;
}

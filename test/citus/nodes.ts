import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A server of a cluster on this machine, which can be stopped and started again. */
export interface ClusterNode {
  readonly name: string;
  readonly port: number;
  readonly isCoordinator: boolean;
  /** Ends it as a crash does: it recovers from its log when it starts. Nothing where it does not run. */
  stopAtOnce(): Promise<void>;
  /** Resolves when it takes connections. */
  start(): Promise<void>;
}

/** Settings that the runner gives the suites of the cluster: its coordinator, and the folder with the data of each node. */
export const clusterUrl = process.env.PUNCHCARD_TEST_CLUSTER;
export const nodesFolder = process.env.PUNCHCARD_TEST_NODES;

/** Why faults of nodes are passed over, in one sentence; false where they need not be. */
export const withoutNodes =
  nodesFolder === undefined &&
  'Faults of nodes are passed over: only those of a cluster that the runner has started can be stopped.';

/** The nodes whose data directories lie in the folder, the coordinator first. */
export function nodesIn(folder: string): ClusterNode[] {
  return readdirSync(folder)
    .filter((name) => /^node\d+$/.test(name))
    .sort()
    .map((name, place) => {
      const data = join(folder, name);
      return {
        name: place === 0 ? 'coordinator' : `worker node ${place}`,
        port: Number(/^port = (\d+)$/m.exec(readFileSync(join(data, 'postgresql.conf'), 'utf8'))?.[1]),
        isCoordinator: place === 0,
        stopAtOnce: async () => {
          // 3: it does not run.
          if ((await control(data, 'status')) === 0) await control(data, 'stop', '-m', 'immediate');
        },
        start: async () => {
          const code = await control(data, '-l', join(data, 'log'), 'start');
          if (code !== 0) throw new Error(`${name} does not start: see ${join(data, 'log')}`);
        },
      };
    });
}

/** Has pg_ctl of the server's own version do it, as the account that the server runs as; its exit code. */
async function control(data: string, ...args: readonly string[]): Promise<number | null> {
  const [program = ''] = readFileSync(join(data, 'postmaster.opts'), 'utf8').split(' ');
  const { uid, gid } = statSync(data);
  const child = spawn(join(dirname(program), 'pg_ctl'), ['-D', data, '-w', '-s', ...args], {
    cwd: data,
    stdio: 'ignore',
    ...(process.geteuid?.() === 0 && { uid, gid }),
  });
  return new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
}

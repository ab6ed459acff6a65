import { setTimeout as sleep } from 'node:timers/promises';
import { pick, type Random } from '../ledger/random.ts';
import { until } from '../wallets.ts';
import type { StopName } from './database.ts';
import type { Sql } from './effects.ts';
import type { Installation } from './ground.ts';
import type { Target } from './target.ts';

/** How often each fault is in a bag, where it can be had; a run draws from one bag, or from one after the other. */
export const bag = {
  'API process killed': 10,
  'API process killed in a COMMIT': 14,
  'worker killed': 5,
  'database stopped at once': 4,
  'worker node stopped at once': 4,
  'coordinator stopped at once': 3,
  'disk of the database full': 1,
  'connections cut': 5,
  'network silent': 2,
  'COMMIT lost': 6,
  'answer to COMMIT lost': 6,
  'API process suspended': 2,
  'worker suspended': 1,
  'clock moved by an hour': 5,
} as const satisfies Record<string, number>;

export type FaultName = keyof typeof bag;

/** What cannot happen to every database. */
const ofDatabases: readonly FaultName[] = [
  'database stopped at once',
  'worker node stopped at once',
  'coordinator stopped at once',
  'disk of the database full',
];

/** What can happen to an installation. */
export function faultsOf({ database: { faults } }: Installation): FaultName[] {
  const names = Object.keys(bag) as FaultName[];
  return names.filter(
    (name) => !ofDatabases.includes(name) || (faults as readonly FaultName[]).includes(name),
  );
}

interface Ground {
  readonly installation: Installation;
  readonly random: Random;
  /** Whether a fault of the database is under way. */
  readonly database: { isBusy: boolean };
  /** To be done when the database runs again after a stop, before its next fault. */
  afterStop(): Promise<void>;
  /** Reports a process that has ended by itself. */
  died(death: string): void;
}

const hourMs = 3_600_000;

/** Brings a fault about, and repairs it; false where it could not be had. */
export async function strike(name: FaultName, ground: Ground): Promise<boolean> {
  const { installation, random } = ground;
  const { apis, workers } = installation;
  switch (name) {
    case 'API process killed':
      return on(apis, ground, (target) => restart(target));
    case 'API process killed in a COMMIT':
      return on(apis, ground, async (target) => {
        const moment = random() < 0.5 ? 'request' : 'reply';
        const isMet = await meetCommit(target, moment, () => target.kill());
        await restart(target);
        return isMet;
      });
    case 'worker killed':
      return on(workers, ground, (target) => restart(target));
    case 'database stopped at once':
    case 'worker node stopped at once':
    case 'coordinator stopped at once':
      return onDatabase(ground, () => stopServer(name, ground));
    case 'disk of the database full':
      return onDatabase(ground, () => fillDisk(installation, random));
    case 'connections cut':
      return on([...apis, ...workers], ground, async ({ proxy }) => {
        proxy.isDown = true;
        await sleep(random() * 500);
        proxy.isDown = false;
      });
    case 'network silent':
      return on([...apis, ...workers], ground, ({ proxy }) => silence(proxy, random));
    case 'COMMIT lost':
      return on(apis, ground, (target) => meetCommit(target, 'request', async () => undefined));
    case 'answer to COMMIT lost':
      return on(apis, ground, (target) => meetCommit(target, 'reply', async () => undefined));
    case 'API process suspended':
      return on(apis, ground, (target) => suspend(target, 2_000 + random() * 4_000));
    case 'worker suspended':
      return on(workers, ground, (target) => suspend(target, 2_000 + random() * 6_000));
    case 'clock moved by an hour':
      return on([...apis, ...workers], ground, (target) =>
        // It stays so until its next jump, and another fault may come in between.
        target.shiftClock(
          pick(
            random,
            [hourMs, 0, -hourMs].filter((ms) => ms !== target.clockMs),
          ),
        ),
      );
  }
}

/** One fault of the database at a time. */
async function onDatabase({ database }: Ground, work: () => Promise<boolean>): Promise<boolean> {
  while (database.isBusy) await sleep(20);
  database.isBusy = true;
  return work().finally(() => {
    database.isBusy = false;
  });
}

/** One fault of a process at a time. Whether it took place. */
async function on(
  targets: readonly Target[],
  { random, died }: Ground,
  work: (target: Target) => Promise<unknown>,
): Promise<boolean> {
  for (;;) {
    const free = targets.filter(({ isBusy }) => !isBusy);
    if (free.length === 0) {
      await sleep(20);
      continue;
    }
    const target = pick(random, free);
    target.isBusy = true;
    try {
      if (target.death !== null) {
        died(target.death);
        await target.start();
      }
      return (await work(target)) !== false;
    } finally {
      target.isBusy = false;
    }
  }
}

async function restart(target: Target): Promise<void> {
  await target.kill();
  await target.start();
}

/** Cuts a connection in the middle of a COMMIT; false when there was none for long. */
async function meetCommit(
  { proxy }: Target,
  moment: 'request' | 'reply',
  work: () => Promise<void>,
): Promise<boolean> {
  const met = new Promise<true>((resolve, reject) =>
    proxy.holdOn('commit\0', moment, async () => {
      await work().then(() => resolve(true), reject);
      return 'cut';
    }),
  );
  const isMet = await Promise.race([met, sleep(10_000, false)]);
  if (!isMet) proxy.holdOn('\0never', 'request', async () => 'cut');
  return isMet;
}

/** Longer than a statement may take, or shorter; afterwards the old connections are dead, or have only lost something. */
async function silence(proxy: Target['proxy'], random: Random): Promise<void> {
  proxy.isSilent = true;
  await sleep(1_000 + random() * 8_000);
  if (random() < 0.5) {
    proxy.isDown = true;
    proxy.isDown = false;
  }
  proxy.isSilent = false;
}

async function suspend(target: Target, ms: number): Promise<void> {
  target.process.signal('SIGSTOP');
  await sleep(ms);
  target.process.signal('SIGCONT');
}

/** The running processes go on with the next server. */
async function stopServer(name: StopName, { installation, random, afterStop }: Ground): Promise<boolean> {
  const { database } = installation;
  await pick(random, database.stops[name] ?? [])(random);
  for (const sql of database.each) await answers(sql);
  await afterStop();
  return true;
}

async function fillDisk({ database: { disk, sql } }: Installation, random: Random): Promise<boolean> {
  if (disk === null) return false;
  disk.fill();
  await sleep(2_000 + random() * 3_000);
  disk.free();
  await answers(sql);
  return true;
}

async function answers(sql: Sql): Promise<void> {
  await until(
    'the database answers',
    () =>
      sql('select 1').then(
        () => true,
        () => false,
      ),
    120_000,
  );
}

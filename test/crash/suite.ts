import { setTimeout as sleep } from 'node:timers/promises';
import { decodeId } from '../../src/kit/ids.ts';
import { randomOf } from '../ledger/random.ts';
import { until } from '../wallets.ts';
import { checkBooks, checkCredits, checkHistory, checkKept, leftOver } from './check.ts';
import type { TroubledDatabase } from './database.ts';
import { bag, type FaultName, faultsOf, strike } from './faults.ts';
import { type Installation, startInstallation } from './ground.ts';
import { History, type Violation } from './history.ts';
import { Load } from './load.ts';
import { type OpenShop, openShop } from './open-shop.ts';

export interface Plan {
  readonly seed: number;
  readonly folder: string;
  /** Development certificates. */
  readonly apple: string;
  readonly apis: number;
  readonly workers: number;
  readonly clients: number;
  /** Faults that happen side by side. */
  readonly lanes: number;
  /** Draws from one bag after the other for so long; without it one bag is emptied. */
  readonly forMs?: number;
  /** Puts only this fraction of the faults into a bag, and at least one of each. */
  readonly oneIn?: number;
  /** The clients send until this many calls are acknowledged, however soon the faults are over. */
  readonly leastCalls: number;
  say(line: string): void;
}

/** What happened, and what did not hold. */
export interface Outcome {
  readonly faults: Readonly<Partial<Record<FaultName, number>>>;
  /** Of these, what cannot be brought about here, and why. */
  readonly impossible: Readonly<Partial<Record<FaultName, string>>>;
  readonly acknowledged: number;
  readonly refused: number;
  readonly resolved: number;
  readonly replays: number;
  readonly pushes: number;
  readonly violations: readonly Violation[];
}

const hourMs = 3_600_000;

/** Sends clients' calls to an installation full of faults, and then compares its state with their answers. */
export async function runCrashSuite(plan: Plan): Promise<Outcome> {
  const history = new History();
  const installation = await startInstallation(plan);
  try {
    const opened = await openShop(installation, history, plan.seed);
    plan.say('the shop is open');
    const load = new Load({ ...opened, history }, plan.clients, plan.seed + 1_000);
    const faults = await happen(plan, installation, history);
    await heal(installation, history);
    await waitForCalls(plan.leastCalls, history);
    await load.finish();
    plan.say(`${history.acknowledgements} calls were acknowledged`);

    const { sql, impossible } = installation.database;
    await settle(installation, opened, history);
    await checkHistory(sql, history, load.orders);
    await checkCredits(sql, history);
    await checkLate(load, history);
    await end(installation, history);
    return {
      faults,
      impossible,
      acknowledged: history.acknowledgements,
      refused: history.refusals,
      resolved: history.resolved,
      replays: history.replays,
      pushes: installation.apns.delivered,
      violations: history.violations,
    };
  } finally {
    await installation.close();
  }
}

/** Draws faults, some of them side by side; how often each has happened. */
async function happen(
  { seed, lanes, forMs, oneIn = 1, say }: Plan,
  installation: Installation,
  history: History,
): Promise<Outcome['faults']> {
  const { database } = installation;
  const random = randomOf(seed);
  const faults = new Map(faultsOf(installation).map((name) => [name, 0]));
  const shuffled = () =>
    [...faults.keys()]
      .filter((name) => !(name in database.impossible))
      .flatMap((name) =>
        Array.from({ length: Math.ceil(bag[name] / oneIn) }, () => ({ name, place: random() })),
      )
      .sort((one, other) => one.place - other.place)
      .map(({ name }) => name);
  const ground = {
    installation,
    random,
    database: { isBusy: false },
    async afterStop() {
      const known = history.latest;
      await passes(20, history);
      const moment = new Date();
      await orElse(history, 'what was acknowledged is only prepared', () => isSettled(database, moment));
      await checkKept(database.sql, history, known);
      await database.atMoments((sql) => checkBooks(sql, history));
    },
    died: (death: string) => history.violate('died', death),
  };
  const end = performance.now() + (forMs ?? 0);
  let left = shuffled();
  const next = () => {
    if (left.length === 0 && performance.now() < end) left = shuffled();
    return forMs !== undefined && performance.now() >= end ? undefined : left.pop();
  };
  const lane = async () => {
    for (let name = next(); name !== undefined; name = next()) {
      if (await strike(name, ground)) faults.set(name, (faults.get(name) ?? 0) + 1);
      else left.unshift(name);
      say(`${name}; ${history.acknowledgements} calls acknowledged`);
      await passes(5 + random() * 30, history);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return Object.fromEntries(faults);
}

/** Waits until the clients have this many more answers; gives up after three seconds. */
async function passes(answers: number, history: History): Promise<void> {
  const end = performance.now() + 3_000;
  const enough = history.answerCount + answers;
  while (history.answerCount < enough && performance.now() < end) await sleep(5);
}

/** Ends the faults. Each process must be the one that was started last. */
async function heal({ apis, workers }: Installation, history: History): Promise<void> {
  for (const target of [...apis, ...workers]) {
    await target.shiftClock(0);
    if (target.death === null) continue;
    history.violate('died', target.death);
    await target.start();
  }
}

async function waitForCalls(calls: number, history: History): Promise<void> {
  await until(`${calls} calls are acknowledged`, () => history.acknowledgements >= calls, 600_000);
}

/** Checks that no push and no lock waits for ever, and that each phone shows the newest state of its card. */
async function settle(
  { apis, workers, database: { sql, each } }: Installation,
  { phones, shop }: OpenShop,
  history: History,
): Promise<void> {
  // What a process took whose clock was ahead waits until that hour is over; then the next wait for a push.
  for (const target of [...apis, ...workers]) await target.shiftClock(2 * hourMs);
  await orElse(history, 'credits are still held for pushes', async () => {
    const [account] = await sql('select reserved::int from credit_accounts');
    return account?.reserved === 0;
  });
  await orElse(history, 'a session waits for a lock or sits in a transaction', async () => {
    return (await Promise.all(each.map(leftOver))).flat().length === 0;
  });
  const rows = await sql<{ tier: string | null }>(
    "select fields->>'tier' as tier from instances where instance_id = any($1::uuid[])",
    [shop.changing.slice(2).map((id) => decodeId('inst', id))],
  );
  const newest = rows.map(({ tier }) => tier ?? 'Bronze').sort();
  await orElse(history, `the phones should show ${newest}`, async () => {
    const shown = phones.map((phone) => phone.shows('tier')).sort();
    if (JSON.stringify(shown) === JSON.stringify(newest)) return true;
    // A phone whose service was not there when it was pushed looks again by itself.
    await sleep(1_000);
    await Promise.all(phones.map((phone) => phone.poll()));
    return false;
  });
}

/** Whether no transaction of several nodes that was prepared before that moment waits for its second phase. */
async function isSettled({ each }: TroubledDatabase, moment: Date): Promise<boolean> {
  const text = 'select from pg_prepared_xacts where database = current_database() and prepared < $1';
  return (await Promise.all(each.map((sql) => sql(text, [moment])))).flat().length === 0;
}

async function orElse(history: History, what: string, holds: () => Promise<boolean>): Promise<void> {
  await until(what, holds, 120_000).catch(() => history.violate('stuck', what));
}

/** Repeats that come long afterwards are answered like the first. */
async function checkLate(load: Load, history: History): Promise<void> {
  const { answers } = history;
  const step = Math.max(1, Math.floor(answers.length / 200));
  const random = randomOf(answers.length);
  for (const { call } of answers.filter((_, at) => at % step === 0)) await load.carryOut(call, random);
}

/** Asked to stop, each process comes to a clean end. */
async function end({ apis, workers }: Installation, history: History): Promise<void> {
  for (const target of [...apis, ...workers]) {
    if (target.death !== null) history.violate('died', target.death);
    const code = await target.process.end('SIGTERM');
    if (code !== 0) history.violate('died', `${target.name} ended with ${code}: ${target.process.said}`);
  }
}

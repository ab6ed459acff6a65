import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { encodeId } from '../../src/kit/ids.ts';
import type { Json, Reply } from '../client.ts';
import type { TestApp } from '../harness.ts';
import { pick, type Random } from './random.ts';

type Sql = TestApp['sql'];

/** One call as an integrator makes it: under a reference of his own, repeated until there is a definite answer. */
export interface Call {
  readonly operation: Operation;
  readonly ref: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export type Operation =
  | 'earnPoints'
  | 'redeemReward'
  | 'adjustPoints'
  | 'reverseEntry'
  | 'issueInstance'
  | 'addCredits';

/** The answer that a call had. */
export interface Answer {
  readonly call: Call;
  readonly status: number;
  readonly text: string;
  readonly body: Json;
}

/** What the clients were told. */
export class History {
  readonly #answers = new Map<string, Answer>();
  readonly #refused = new Set<string>();
  /** The newest entries that can be undone. */
  readonly #entries: string[] = [];
  /** How many answers there were, repeats included, and how many of them were refusals. */
  told = 0;
  refusals = 0;

  get answers(): readonly Answer[] {
    return [...this.#answers.values()];
  }

  get size(): number {
    return this.#answers.size;
  }

  answerTo({ ref }: Call): Answer | undefined {
    return this.#answers.get(ref);
  }

  /** Fails unless each answer to a call is, byte for byte, the first one. */
  acknowledged(call: Call, { status, text, body }: Reply): void {
    this.told++;
    const known = this.#answers.get(call.ref);
    if (known !== undefined) {
      assert.deepEqual([status, text], [known.status, known.text], `the replay of ${call.ref} differs`);
      return;
    }
    this.#answers.set(call.ref, { call, status, text, body });
    if (call.operation === 'earnPoints' || call.operation === 'redeemReward') {
      this.#entries.push(body.entryId);
      if (this.#entries.length > 100) this.#entries.shift();
    }
  }

  refuse({ ref }: Call): void {
    this.told++;
    this.refusals++;
    this.#refused.add(ref);
  }

  someEntry(random: Random): string | undefined {
    return this.#entries.length === 0 ? undefined : pick(random, this.#entries);
  }

  /** Calls that were refused, and never done: a repeat by another client may have found more points. */
  get refused(): readonly string[] {
    return [...this.#refused].filter((ref) => !this.#answers.has(ref));
  }
}

/** Fails unless all that was acknowledged so far is there; for a look in between, while the load goes on. */
export async function assertKept(sql: Sql, answers: readonly Answer[]): Promise<void> {
  const claims = await claimsOf(sql);
  for (const { call, status, text } of answers) assert.deepEqual(claims.get(nameOf(call)), { status, text });
}

/**
 * Fails unless the database holds exactly what the clients were told: each acknowledged call once and with the figures
 * of its answer, nothing of a refused one, and nothing that nobody was told of.
 */
export async function assertHistory(sql: Sql, history: History): Promise<void> {
  const { answers, refused } = history;
  const claims = await claimsOf(sql);
  const told = new Map(answers.map(({ call, status, text }) => [nameOf(call), { status, text }]));
  assert.deepEqual(differences(claims, told), [], 'the kept answers are not those that were given');
  const keys = new Set([...claims.keys()].map((name) => name.slice(name.indexOf(' ') + 1)));
  assert.deepEqual(
    refused.filter((ref) => keys.has(ref)),
    [],
    'a refused call has a claim',
  );

  const effects = new Map([
    ...(await ledgerEffects(sql)),
    ...(await issueEffects(sql)),
    ...(await creditEffects(sql)),
  ]);
  const expected = new Map(answers.map((answer) => [nameOf(answer.call), figuresOf(answer)]));
  assert.deepEqual(differences(effects, expected), [], 'the effects are not those of the answers');
}

function nameOf({ operation, ref }: Pick<Call, 'operation' | 'ref'>): string {
  return `${operation} ${ref}`;
}

/** What there is of one and not of the other, or otherwise; a few of them tell enough. */
function differences(found: ReadonlyMap<string, unknown>, told: ReadonlyMap<string, unknown>): unknown[] {
  const wrong = [...new Set([...found.keys(), ...told.keys()])].filter(
    (name) => !isDeepStrictEqual(found.get(name), told.get(name)),
  );
  return wrong.slice(0, 5).map((name) => ({ name, found: found.get(name), told: told.get(name) }));
}

async function claimsOf(sql: Sql): Promise<Map<string, { status: number; text: string }>> {
  const rows = await sql<{ operation: string; key: string; status: number; text: string }>(
    'select operation, key, status, body as text from operation_claims',
  );
  return new Map(rows.map(({ operation, key, status, text }) => [`${operation} ${key}`, { status, text }]));
}

type Effects = Map<string, Readonly<Record<string, unknown>>>;

/** Of an answer, what the database must say of its effect. */
function figuresOf({ call, body }: Answer): Readonly<Record<string, unknown>> {
  if (call.operation === 'issueInstance') return { instanceId: body.instanceId, barcode: body.barcode };
  if (call.operation === 'addCredits') return { amount: call.body.amount, balance: body.balance };
  const { entryId, instanceId, programId, balance, pendingRewards } = body;
  const state = { entryId, instanceId, programId, balance, pendingRewards };
  if (call.operation === 'redeemReward') return { ...state, spent: body.spent };
  return { ...state, points: body.points, lifetimePoints: body.lifetimePoints };
}

interface EntryRow {
  readonly accountId: string;
  readonly programId: string;
  readonly instanceId: string;
  readonly entryId: string;
  readonly seq: number;
  readonly kind: string;
  readonly points: number;
  readonly balance: number;
  readonly ref: string | null;
  readonly reversalOf: number | null;
  readonly mode: string;
}

const operations: Readonly<Record<string, Operation>> = {
  earn: 'earnPoints',
  redeem: 'redeemReward',
  adjust: 'adjustPoints',
  reversal: 'reverseEntry',
};

/** Goes through every account from its first entry, adding up by itself what the answers must have said. */
async function ledgerEffects(sql: Sql): Promise<Effects> {
  const rows = await sql<EntryRow>(`
    select account_id as "accountId", e.program_id as "programId", instance_id as "instanceId",
      entry_id as "entryId", seq::int, kind, points::int, balance::int, external_ref as ref,
      reversal_of::int as "reversalOf", mode
    from loyalty_entries e join programs using (workspace_id, program_id)
    order by account_id, seq`);
  const effects: Effects = new Map();
  let account: Account = { accountId: '', balance: 0, lifetimePoints: 0, pendingRewards: 0 };
  let kinds: string[] = [];
  let last: string | null = null;
  for (const row of rows) {
    if (row.accountId !== account.accountId) {
      account = { accountId: row.accountId, balance: 0, lifetimePoints: 0, pendingRewards: 0 };
      [kinds, last] = [[], null];
    }
    account = after(account, row, kinds[(row.reversalOf ?? 0) - 1]);
    kinds.push(row.kind);
    const where = `entry ${row.seq} of ${row.accountId}`;
    assert.deepEqual([row.seq, row.balance], [kinds.length, account.balance], where);
    assert.ok(row.balance >= 0, `${where} leaves less than nothing`);
    const { accountId: _, ...state } = account;
    if (row.ref === null) {
      // What a call has brought about by itself: rewards that it unlocks follow its entry.
      assert.ok(row.kind === 'cancel' || (row.kind === 'unlock' && last !== null), where);
      if (row.kind === 'unlock' && last !== null) effects.set(last, { ...effects.get(last), ...state });
      continue;
    }
    last = nameOf({ operation: operations[row.kind] ?? 'addCredits', ref: row.ref });
    assert.ok(!effects.has(last), `${last} is there twice`);
    effects.set(last, { ...presented(row), ...state });
  }
  return new Map([...effects].map(([name, effect]) => [name, comparable(name, effect)]));
}

interface Account {
  readonly accountId: string;
  readonly balance: number;
  readonly lifetimePoints: number;
  readonly pendingRewards: number;
}

function after(account: Account, { kind, points, mode }: EntryRow, undone: string | undefined): Account {
  const isGain = ['earn', 'adjust'].includes(kind) || (kind === 'reversal' && points < 0);
  const isReward = mode === 'STAMPS' && (kind === 'redeem' || undone === 'redeem');
  const rewards = { unlock: 1, cancel: -1, redeem: isReward ? -1 : 0, reversal: isReward ? 1 : 0 };
  return {
    ...account,
    balance: account.balance + points,
    lifetimePoints: account.lifetimePoints + (isGain ? points : 0),
    pendingRewards: account.pendingRewards + (rewards[kind as keyof typeof rewards] ?? 0),
  };
}

function presented({ entryId, instanceId, programId, points }: EntryRow) {
  return {
    entryId: encodeId('entry', entryId),
    instanceId: encodeId('inst', instanceId),
    programId: encodeId('prog', programId),
    points,
  };
}

/** As the answers of the operation say it. */
function comparable(name: string, effect: Readonly<Record<string, unknown>>) {
  if (!name.startsWith('redeemReward')) return effect;
  const { points, lifetimePoints: _, ...state } = effect;
  return { ...state, spent: 0 - Number(points) };
}

async function issueEffects(sql: Sql): Promise<Effects> {
  const rows = await sql<{ key: string; instanceId: string; barcode: string }>(`
    select e.detail->>'key' as key, instance_id as "instanceId", barcode
    from instance_events e join instances i using (workspace_id, instance_id)
    where e.kind = 'issued' and e.detail->>'key' is not null`);
  return uniquely(rows, 'issueInstance', ({ instanceId, barcode }) => ({
    instanceId: encodeId('inst', instanceId),
    barcode,
  }));
}

async function creditEffects(sql: Sql): Promise<Effects> {
  const rows = await sql<{ key: string; amount: number; balance: number }>(`
    select external_ref as key, amount::int, balance::int
    from credit_entries where external_ref is not null`);
  return uniquely(rows, 'addCredits', ({ amount, balance }) => ({ amount, balance }));
}

function uniquely<Row extends { key: string }>(
  rows: readonly Row[],
  operation: Operation,
  figures: (row: Row) => Readonly<Record<string, unknown>>,
): Effects {
  const effects: Effects = new Map();
  for (const row of rows) {
    const name = nameOf({ operation, ref: row.key });
    assert.ok(!effects.has(name), `${name} is there twice`);
    effects.set(name, figures(row));
  }
  return effects;
}

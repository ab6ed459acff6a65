import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { decodeId } from '../../src/kit/ids.ts';
import { expirePoints } from '../../src/loyalty/expire-points.job.ts';
import type { Client, Reply } from '../client.ts';
import { makeCard, makePass } from '../factories.ts';
import type { TestApp } from '../harness.ts';
import type { Call } from './calls.ts';
import { apply, type Expected } from './model.ts';
import { callOf, type Plan } from './moves.ts';
import { askForOrder } from './order-items.ts';
import type { AccountState, LedgerReader, Snapshot } from './snapshot.ts';
import type { Account, World } from './world.ts';

/** A service of its own, whose clock stands still but for the waits of the plan. */
export interface Lane {
  readonly app: TestApp;
  /** A second process of the service: every other of the calls that are made at once goes there. */
  readonly twin: Client | null;
  readonly reader: LedgerReader;
  /** What came of the calls so far: `earn 200`, `redeem 409 insufficient_points`, `adjust 200 replayed`. */
  readonly outcomes: string[];
}

interface Answer {
  readonly call: Call;
  readonly status: number;
  /** Without what is new each time. */
  readonly body: object;
  readonly replayed: boolean;
  readonly text: string;
  readonly entryId: string | null;
  readonly card: { readonly instanceId: string; readonly barcode: string } | null;
}

const firstMoment = Date.UTC(2030, 0, 29, 9, 30);

/**
 * Plays a plan on a new workspace. After each step there is an order of its calls in which the model gives the same
 * answers and ends where the database does; the invariants hold; and calls that were all refused have changed no row.
 */
export async function play(lane: Lane, plan: Plan): Promise<void> {
  lane.app.stopClock(firstMoment);
  const { client, workspaceId } = await lane.app.newWorkspace();
  const trace: string[] = [];
  try {
    await playOn(lane, plan, client, decodeId('ws', workspaceId) ?? '', trace);
  } catch (error) {
    if (error instanceof Error) error.message = `${trace.slice(-12).join('\n')}\n${error.message}`;
    throw error;
  }
}

async function playOn(lane: Lane, plan: Plan, client: Client, workspaceId: string, trace: string[]) {
  let world = await begin(client, plan);
  let before = await lane.reader.read(workspaceId, {});
  const sent: Call[] = [];
  const seen: Record<string, number> = {};
  for (const { waitMs, moves } of plan.steps) {
    lane.app.advance(waitMs);
    world = { ...world, now: world.now + waitMs };
    const asked: Call[] = [];
    for (const move of moves) {
      const call = callOf(move, world, [...sent, ...asked]);
      // Refunds of one order are settled one after the other.
      if (call !== null && !asked.some((other) => refundsSame(call, other))) asked.push(call);
    }
    sent.push(...asked);
    const twin = lane.twin?.as(client.secret) ?? client;
    const answers = await Promise.all(
      asked.map((call, place) => ask(lane, workspaceId, place % 2 === 0 ? client : twin, world, call)),
    );
    lane.outcomes.push(...answers.map(catchRefusal));
    trace.push(...answers.map((answer) => `+${waitMs} ms ${textOf(answer)}`));
    const after = await lane.reader.read(workspaceId, seen);
    assert.deepEqual(after.broken, [], 'an invariant does not hold');
    if (answers.every(isIdle))
      assert.equal(after.digest, before.digest, 'I9, I10: a call that changes nothing has changed a row');
    world = explain(world, answers, after);
    for (const { accountId, seq } of after.accounts) seen[accountId] = seq;
    before = after;
  }
}

/** The workspace, its program and three cards: of two persons, and of none. */
async function begin(client: Client, { rules, zone, launched }: Plan): Promise<World> {
  await succeeds(client.patch('/workspace', { timezone: zone }));
  const { passId } = await makePass(client);
  const { mode, title, price, months, perDay, minSecondsBetween, refundPolicy } = rules;
  const program = await succeeds(
    client.post('/loyalty/programs', {
      passId,
      mode,
      reward: { title, ...(mode === 'POINTS' && { cost: price }) },
      ...(mode === 'STAMPS' && { threshold: price }),
      expiry: { months },
      limits: { perDay, minSecondsBetween },
      refundPolicy,
    }),
  );
  const { programId } = program.body;
  if (launched) await succeeds(client.patch(`/loyalty/programs/${programId}`, { status: 'active' }));
  const holders = await Promise.all(
    ['ada', 'grace', null].map(async (identifier) => {
      const { instanceId, barcode } = await makeCard(
        client,
        passId,
        identifier === null ? {} : { holder: { identifier } },
      );
      return { identifier, cards: [{ instanceId, barcode, voided: false }], account: null };
    }),
  );
  const status = launched ? 'active' : 'not_launched';
  const claims = new Map();
  return { now: firstMoment, zone, passId, programId, rules, status, holders, claims, otherEntries: [] };
}

async function succeeds(sent: Promise<Reply>): Promise<Reply> {
  const reply = await sent;
  assert.ok(reply.status < 300, reply.text);
  return reply;
}

async function ask(
  lane: Lane,
  workspaceId: string,
  client: Client,
  world: World,
  call: Call,
): Promise<Answer> {
  if (call.op === 'expire') {
    while (await expirePoints({ app: lane.app.running.app, requestId: 'ledger' })) {}
    return { call, status: 200, body: {}, replayed: false, text: '', entryId: null, card: null };
  }
  if (call.op === 'refund' || (call.op === 'earn' && call.isOfOrder)) {
    const { status, body: said } = await askForOrder(lane.app, workspaceId, world.passId, call);
    const { entryId = null, pushed, pushSkipReason, problems: _problems, ...rest } = said;
    // A refund that takes nothing pushes to no wallet.
    const body = call.op === 'refund' || status >= 400 ? rest : { ...rest, pushed, pushSkipReason };
    const text = JSON.stringify(said);
    return { call, status, body, replayed: false, text, entryId: entryId as string | null, card: null };
  }
  const reply = await send(client, world, call);
  // The title identifies the reward here: the model has no ids of rewards that stamps unlock.
  const { error: _, requestId: __, problems: _problems, entryId = null, rewardId: ___, ...body } = reply.body;
  const replayed = reply.headers.get('idempotent-replayed') === 'true';
  const { status, text } = reply;
  return { call, status, body, replayed, text, entryId, card: call.op === 'issue' ? reply.body : null };
}

function send(
  client: Client,
  { passId, programId, rules }: World,
  call: Exclude<Call, { op: 'expire' | 'refund' }>,
): Promise<Reply> {
  const ref = 'ref' in call && call.ref !== null ? { externalRef: call.ref } : {};
  switch (call.op) {
    case 'earn': {
      const { target, points, occurredAt } = call;
      const when = occurredAt === null ? {} : { occurredAt: new Date(occurredAt).toISOString() };
      return client.post('/loyalty/points', { passId, [target.by]: target.value, points, ...when, ...ref });
    }
    case 'redeem':
      return client.post('/loyalty/redeem', { passId, [call.target.by]: call.target.value, ...ref });
    case 'adjust': {
      const { target, points, isEarned } = call;
      const said = { reason: 'a mistake at the till', ...(isEarned && { countsAsEarned: true }) };
      const body = { passId, [target.by]: target.value, points, ...said, ...ref };
      return client.post('/loyalty/adjust', body);
    }
    case 'reverse':
      return client.post(`/loyalty/entries/${call.entryId}/reverse`, ref);
    case 'preview': {
      const { target, points } = call;
      return client.post('/loyalty/points/preview', { passId, [target.by]: target.value, points });
    }
    case 'look':
      return client.get(`/loyalty/holders/${call.identifier}?passId=${passId}`);
    case 'setStatus':
      return client.patch(`/loyalty/programs/${programId}`, { status: call.status });
    case 'setPrice': {
      const { price } = call;
      const change = rules.mode === 'POINTS' ? { reward: { cost: price } } : { threshold: price };
      return client.patch(`/loyalty/programs/${programId}`, change);
    }
    case 'void':
    case 'reactivate':
      return client.post(`/instances/${call.instanceId}/${call.op}`);
    case 'issue':
      return client.post(`/passes/${passId}/instances`, { holder: { identifier: call.identifier } });
  }
}

/** The world after the calls, in the order that explains both the answers and the database. */
function explain(world: World, answers: readonly Answer[], found: Snapshot): World {
  const near: string[] = [];
  const places = new Map(found.accounts.flatMap(({ entries }) => entries.map(([seq, id]) => [id, seq])));
  for (const candidate of orders(world, answers, places, near)) {
    const differs = differenceTo(candidate, found);
    if (differs === null) return withOtherEntries(candidate, found.accounts);
    near.push(differs);
    if (near.length > 2_000) break;
  }
  throw new Error(
    `${answers.length > 1 ? 'No order of the calls explains' : 'The model differs from'} what came of them:\n${[...new Set(near)].slice(0, 5).join('\n')}`,
  );
}

/**
 * The worlds that the calls lead to in the orders in which the model gives their answers, and makes their entries in
 * the places that the database has them in.
 */
function* orders(
  world: World,
  left: readonly Answer[],
  places: ReadonlyMap<string, number>,
  near: string[],
): Generator<World> {
  if (left.length === 0) yield world;
  const tries = left.map((answer) => ({ answer, step: apply(world, answer.call, answer) }));
  const fitting = tries.filter(
    ({ answer, step }) => fits(answer, step.expected) && isInPlace(answer, step.world, places),
  );
  if (fitting.length === 0)
    near.push(
      ...tries.map(({ answer, step }) => `${textOf(answer)}\n  expected ${JSON.stringify(step.expected)}`),
    );
  // A call that changes nothing may as well come first.
  const idle = fitting.find(({ step }) => step.world === world);
  for (const { answer, step } of idle === undefined ? fitting : [idle]) {
    const others = left.filter((one) => one !== answer);
    yield* orders(step.world, others, places, near);
  }
}

function isInPlace({ entryId }: Answer, { holders }: World, places: ReadonlyMap<string, number>): boolean {
  const seq = places.get(entryId ?? '');
  return seq === undefined || holders.some(({ account }) => account?.entries[seq - 1]?.id === entryId);
}

function fits(answer: Answer, expected: Expected): boolean {
  if (answer.status !== expected.status || answer.replayed !== (expected.replays !== undefined)) return false;
  if (expected.replays !== undefined) return answer.text === expected.replays;
  return expected.body === undefined || isDeepStrictEqual(answer.body, expected.body);
}

/** Where the database differs from the model's cards and accounts; null: nowhere. */
function differenceTo({ holders }: World, { accounts, voided }: Snapshot): string | null {
  const cards = holders.flatMap((holder) => holder.cards);
  const differs = cards.find((card) => card.voided !== voided.includes(card.instanceId));
  if (differs !== undefined) return `whether ${differs.instanceId} is voided`;
  const modelled = holders.flatMap(({ account }) => (account === null ? [] : [account]));
  if (modelled.length !== accounts.length) return `${accounts.length} accounts, not ${modelled.length}`;
  const differing = accounts.find((found) => {
    const account = modelled.find(({ instanceId }) => instanceId === found.instanceId);
    return account === undefined || !isDeepStrictEqual(plain(found), stateOf(account, found));
  });
  if (differing === undefined) return null;
  const account = modelled.find(({ instanceId }) => instanceId === differing.instanceId);
  const expected =
    account === undefined ? 'no account of this card' : JSON.stringify(stateOf(account, differing));
  return `the database has ${JSON.stringify(plain(differing))}\n  expected         ${expected}`;
}

function plain({ accountId: _, entries, ...state }: AccountState): object {
  return { ...state, entries: entries.map(([seq, , ...entry]) => [seq, ...entry]) };
}

/** The model's account as the database should have it. */
function stateOf(account: Account, { entries }: AccountState): object {
  const lots = [...account.lots].sort(([a], [b]) => (a < b ? -1 : 1));
  const newest = account.entries.slice(account.entries.length - entries.length);
  const open = lots.filter(([, remaining]) => remaining > 0).map(([expiresAt]) => expiresAt);
  return {
    instanceId: account.instanceId,
    seq: account.entries.length,
    balance: account.balance,
    lifetime: account.lifetime,
    pendingRewards: account.rewards.filter(({ status }) => status === 'pending').length,
    nextExpiryAt: finite(Math.min(...open, Infinity)),
    entries:
      entries.length === 0
        ? []
        : newest.map(({ seq, kind, points, balance }) => [seq, kind, points, balance]),
    lots: lots.map(([expiresAt, remaining]) => {
      return [finite(expiresAt), remaining, account.expired.get(expiresAt) ?? 0];
    }),
    rewards: account.rewards.map(({ seq, title, price, status }) => [seq, title, price, status]),
  };
}

function finite(moment: number): number | null {
  return moment === Infinity ? null : moment;
}

function withOtherEntries(world: World, accounts: readonly AccountState[]): World {
  const asked = new Set(world.holders.flatMap(({ account }) => account?.entries.map(({ id }) => id) ?? []));
  const others = accounts
    .flatMap(({ entries }) => entries.map(([, id]) => id))
    .filter((id) => !asked.has(id));
  return others.length === 0 ? world : { ...world, otherEntries: [...world.otherEntries, ...others] };
}

function refundsSame(one: Call, other: Call): boolean {
  return one.op === 'refund' && other.op === 'refund' && one.entryId === other.entryId;
}

function isIdle({ call, status, replayed }: Answer): boolean {
  return status >= 400 || replayed || call.op === 'preview' || call.op === 'look';
}

function catchRefusal({ call, status, replayed, body }: Answer): string {
  const code = 'code' in body ? ` ${body.code}` : '';
  return `${call.op} ${status}${replayed ? ' replayed' : code}`;
}

function textOf({ call, status, replayed, text }: Answer): string {
  const { op, ...rest } = call;
  return `${op} ${JSON.stringify(rest)} → ${status}${replayed ? ' (replayed)' : ''} ${text.slice(0, 400)}`;
}

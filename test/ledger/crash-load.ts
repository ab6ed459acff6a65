import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Reply } from '../client.ts';
import type { Call, History, Operation } from './crash-history.ts';
import { pick, type Random, randomOf } from './random.ts';

/** What the clients work on. */
export interface Shop {
  /** Clients of each service, with a key of the workspace and with that of the operator. */
  readonly ways: readonly { readonly client: Client; readonly operator: Client }[];
  readonly workspaceId: string;
  readonly programs: readonly Program[];
  /** When it is closed nobody waits for an answer any longer. */
  readonly closed: AbortSignal;
}

export interface Program {
  readonly passId: string;
  readonly programId: string;
  readonly mode: 'POINTS' | 'STAMPS';
  /** Whether it is paused and resumed all the time. */
  readonly isMoody: boolean;
  readonly cards: Card[];
}

export interface Card {
  readonly instanceId: string;
  readonly barcode: string;
  readonly identifier: string;
}

/** The clients at work. */
export interface Load {
  /** Rejects when an answer is not what it may be. */
  readonly failed: Promise<never>;
  /** Begins no more calls, and waits until each that was begun has its answer; those that have none after `ms`. */
  finish(ms: number): Promise<readonly string[]>;
}

/** What may be refused of calls that are not wrong in themselves. */
const refusals: Readonly<Record<Operation, readonly string[]>> = {
  earnPoints: ['program_inactive'],
  redeemReward: ['program_inactive', 'insufficient_points', 'no_reward_pending'],
  adjustPoints: ['balance_too_low'],
  reverseEntry: ['already_reversed'],
  issueInstance: [],
  addCredits: [],
};

/** Lets so many clients loose on the shop; all that they learn goes into the history. */
export function startLoad(shop: Shop, history: History, clients: number, seed: number): Load {
  const waiting = new Map<number, string>();
  const shared: Shared = { call: null, takers: 0 };
  let over = false;
  const work = async (client: number) => {
    const random = randomOf(seed + client);
    for (let turn = 0; !over; turn++) {
      const call = callOf(shop, history, random, `${client}-${turn}`, shared);
      waiting.set(client, call.ref);
      await carryOut(shop, history, random, call);
      waiting.delete(client);
      await sleep(random() * 60);
    }
  };
  const moods = async () => {
    const random = randomOf(seed - 1);
    for (let turn = 0; !over; turn++) {
      waiting.set(-1, 'pause or resume');
      await changeMood(shop, random, turn % 2 === 0 ? 'paused' : 'active');
      waiting.delete(-1);
      await sleep(100 + random() * 200);
    }
  };
  const workers = Promise.all([moods(), ...Array.from({ length: clients }, (_, client) => work(client))]);
  const failed = workers.then(() => new Promise<never>(() => undefined));
  // Whoever waits for it hears of it; nobody may wait at the moment.
  failed.catch(() => undefined);
  return {
    failed,
    async finish(ms) {
      over = true;
      await Promise.race([workers, sleep(ms, undefined, { ref: false })]);
      return [...waiting.values()];
    },
  };
}

/** Asks until there is a definite answer, of one service or the other. */
export async function insist(shop: Shop, random: Random, call: Call): Promise<Reply> {
  for (;;) {
    shop.closed.throwIfAborted();
    const { client, operator } = pick(random, shop.ways);
    const sender = call.operation === 'addCredits' ? operator : client;
    const reply = await unlessBroken(sender.post(call.path, { ...call.body, externalRef: call.ref }));
    if (reply !== undefined && reply.status < 500) return reply;
    // Every call has a reference: whatever went wrong, a repeat is safe.
    if (reply?.status === 500)
      assert.equal(reply.body.retryable, true, `${call.operation} ${call.ref}: ${reply.text}`);
    await sleep(5 + random() * 20);
  }
}

async function carryOut(shop: Shop, history: History, random: Random, call: Call): Promise<void> {
  const known = history.answerTo(call);
  const reply = await insist(shop, random, call);
  if (reply.status >= 300) {
    assert.equal(known, undefined, `${call.operation} ${call.ref} was done, and is refused: ${reply.text}`);
    assert.ok(refusals[call.operation].includes(reply.body.code), `${call.operation}: ${reply.text}`);
    history.refuse(call);
    return;
  }
  history.acknowledged(call, reply);
  if (call.operation === 'issueInstance') welcome(shop, call, reply);
  if (random() < 0.3) history.acknowledged(call, await insist(shop, random, call));
  if (random() < 0.05 && typeof call.body.points === 'number') {
    const body = { ...call.body, points: call.body.points + 100 };
    const other = await insist(shop, random, { ...call, body });
    assert.equal(other.body.code, 'external_ref_reused', other.text);
  }
}

/** A new card takes part from now on. */
function welcome({ programs }: Shop, { path, ref }: Call, { body }: Reply): void {
  const program = programs.find(({ passId }) => path.includes(passId));
  if (program !== undefined && program.cards.length < 40)
    program.cards.push({ instanceId: body.instanceId, barcode: body.barcode, identifier: identifierOf(ref) });
}

/** Changing the state of a program has no reference: it says what shall be, so that a repeat is safe too. */
async function changeMood(shop: Shop, random: Random, status: 'paused' | 'active'): Promise<void> {
  const { programId } = shop.programs.find(({ isMoody }) => isMoody) ?? { programId: '' };
  for (let attempt = 1; ; attempt++) {
    shop.closed.throwIfAborted();
    const { client } = pick(random, shop.ways);
    const reply = await unlessBroken(client.patch(`/loyalty/programs/${programId}`, { status }));
    if (reply !== undefined && reply.status < 500) {
      const isRepeat = attempt > 1 && reply.body.code === 'program_state_conflict';
      assert.ok(reply.status === 200 || isRepeat, reply.text);
      return;
    }
    await sleep(5 + random() * 20);
  }
}

/** A call that several clients make, each as if it were alone. */
interface Shared {
  call: Call | null;
  takers: number;
}

function callOf(shop: Shop, history: History, random: Random, ref: string, shared: Shared): Call {
  if (random() < 0.15) {
    if (shared.call === null || ++shared.takers > 4)
      Object.assign(shared, { call: newCall(shop, history, random, `shared-${ref}`), takers: 0 });
    if (shared.call !== null) return shared.call;
  }
  return newCall(shop, history, random, ref);
}

function newCall(shop: Shop, history: History, random: Random, ref: string): Call {
  const program = pick(random, shop.programs);
  const { passId, cards } = program;
  // One card in four calls of its program: many wait for it at any moment.
  const card = (random() < 0.25 ? cards[0] : undefined) ?? pick(random, cards);
  const body = { passId, ...targetOf(random, card) };
  const whole = (most: number) => 1 + Math.floor(random() * most);
  const kind = random();
  if (kind < 0.42)
    return { operation: 'earnPoints', ref, path: '/loyalty/points', body: { ...body, points: whole(8) } };
  if (kind < 0.64) return { operation: 'redeemReward', ref, path: '/loyalty/redeem', body };
  if (kind < 0.76) {
    const points = random() < 0.5 ? whole(5) : -whole(5);
    return {
      operation: 'adjustPoints',
      ref,
      path: '/loyalty/adjust',
      body: { ...body, points, reason: 'Counted again' },
    };
  }
  const entryId = kind < 0.88 ? history.someEntry(random) : undefined;
  if (entryId !== undefined)
    return { operation: 'reverseEntry', ref, path: `/loyalty/entries/${entryId}/reverse`, body: {} };
  if (kind < 0.95) {
    const holder = { identifier: identifierOf(ref) };
    return { operation: 'issueInstance', ref, path: `/passes/${passId}/instances`, body: { holder } };
  }
  const path = `/operator/workspaces/${shop.workspaceId}/credits`;
  return { operation: 'addCredits', ref, path, body: { amount: whole(9) } };
}

function targetOf(random: Random, { instanceId, barcode, identifier }: Card) {
  return pick<object>(random, [{ instanceId }, { barcode }, { identifier }]);
}

function identifierOf(ref: string): string {
  return `holder ${ref}`;
}

/** Undefined where the connection ended before the answer did. */
async function unlessBroken(reply: Promise<Reply>): Promise<Reply | undefined> {
  return reply.catch((error) => {
    // What fetch raises, whatever the cause.
    if (error instanceof TypeError) return undefined;
    throw error;
  });
}

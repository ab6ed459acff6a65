import { AssertionError } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Reply } from '../client.ts';
import { pick, type Random, randomOf } from '../ledger/random.ts';
import {
  asAnotherEffect,
  type Call,
  drawCall,
  drawContested,
  drawOrder,
  type OrderLife,
  type Shop,
  welcome,
} from './calls.ts';
import { type History, nameOf } from './history.ts';

/** A process as the clients reach it, with a key of the workspace and with that of the operator. */
export interface Way {
  readonly name: string;
  readonly client: Client;
  readonly operator: Client;
}

export interface Ground {
  readonly shop: Shop;
  readonly ways: readonly Way[];
  readonly history: History;
}

/** How long a client waits for an answer before it asks again, elsewhere perhaps: longer each time. */
const patience = { firstMs: 3_000, moreMs: 1_000, mostMs: 15_000 };
/** How often a call may be tried once the faults are over. */
const mostTries = 60;

/** The clients at work. */
export class Load {
  readonly orders: OrderLife[] = [];
  readonly #ground: Ground;
  readonly #workers: Promise<unknown>;
  /** Attempts without an answer for which no client waits, by the name of their call. */
  readonly #left = new Map<string, Set<Promise<void>>>();
  #isOver = false;
  #isHealed = false;

  /** Starts this many clients on the shop; the history records all that they learn. */
  constructor(ground: Ground, clients: number, seed: number) {
    this.#ground = ground;
    this.#workers = Promise.all([
      this.#changeMoods(randomOf(seed - 1)),
      ...Array.from({ length: clients }, (_, client) => this.#work(`${client}`, randomOf(seed + client))),
    ]);
  }

  /** Call this once the faults are over: begins no more calls, and waits until each that was begun has its answer. */
  async finish(): Promise<void> {
    this.#isOver = true;
    this.#isHealed = true;
    await this.#workers;
    await Promise.all([...this.#left.values()].flatMap((some) => [...some]));
  }

  /** Makes a call until it has a definite answer, which goes into the history; the answer, if it was done. */
  async carryOut(call: Call, random: Random): Promise<Reply | null> {
    const { history } = this.#ground;
    const reply = await this.#insist(call, random);
    if (reply === null) return null;
    if (reply.status < 300) {
      history.acknowledged(call, reply);
      return reply;
    }
    if (!call.mayBeRefused.includes(reply.body.code))
      history.violate('answer', `${nameOf(call)} was refused: ${reply.text}`, call);
    history.refused(call, reply);
    return null;
  }

  async #work(client: string, random: Random): Promise<void> {
    const { shop, history } = this.#ground;
    for (let turn = 0; !this.#isOver; turn++) {
      const ref = `${client}-${turn}`;
      const kind = random();
      if (kind < 0.12) await this.#live(drawOrder(shop, random, ref), random);
      else if (kind < 0.22)
        await this.#compete(drawContested(shop, random, ref, history.someEntry(random)), random);
      else await this.#call(drawCall(shop, random, ref, history.someEntry(random)), random);
      await sleep(random() * 60);
    }
  }

  /** Several tills make one call, each as if it were alone. */
  async #compete(call: Call, random: Random): Promise<void> {
    await Promise.all(Array.from({ length: 4 }, () => this.carryOut(call, random)));
  }

  async #call(call: Call, random: Random): Promise<void> {
    const { shop, history } = this.#ground;
    const done = await this.carryOut(call, random);
    if (done === null) return;
    if (call.operation === 'issueInstance') welcome(shop, call, done.body);
    await this.carryOut(call, random);
    const another = random() < 0.05 ? asAnotherEffect(call) : null;
    if (another === null) return;
    const other = await this.#insist(another, random);
    if (other !== null && other.body.code !== 'external_ref_reused')
      history.violate('replay', `${nameOf(call)} for something else: ${other.text}`, call);
  }

  async #live(order: OrderLife, random: Random): Promise<void> {
    for (const call of order.calls) {
      if ((await this.carryOut(call, random)) === null) return;
      await this.carryOut(call, random);
    }
    this.orders.push(order);
  }

  /** A change of a program's state has no key: it says what shall be, so that a repeat is safe too. */
  async #changeMoods(random: Random): Promise<void> {
    const { shop, ways, history } = this.#ground;
    const { programId } = shop.programs.find(({ isMoody }) => isMoody) ?? { programId: '' };
    for (let turn = 0; !this.#isOver; turn++) {
      const status = turn % 2 === 0 ? 'paused' : 'active';
      for (;;) {
        const { client } = pick(random, ways);
        const reply = await unlessBroken(client.patch(`/loyalty/programs/${programId}`, { status }));
        if (reply instanceof Error || reply.status >= 500) await sleep(20);
        else if (reply.status === 200 || reply.body.code === 'program_state_conflict') break;
        else {
          history.violate('answer', `a program was not ${status}: ${reply.text}`);
          break;
        }
      }
      await sleep(100 + random() * 200);
    }
  }

  /** Asks until there is a definite answer; null where there is none although nothing is wrong. */
  async #insist(call: Call, random: Random): Promise<Reply | null> {
    const { history } = this.#ground;
    for (let tries = 1, healed = 0; healed <= mostTries; tries++) {
      const reply = await this.#attempt(call, random, tries);
      if (reply !== null && reply.status < 300) return reply;
      if (reply !== null && reply.status < 500 && reply.status !== 429) {
        // An attempt that is still under way may yet be done, by a process that was suspended.
        const left = this.#left.get(nameOf(call));
        if (left === undefined || left.size === 0) return reply;
        await Promise.all(left);
        continue;
      }
      if (!this.#mayRetry(call, reply)) return null;
      if (this.#isHealed) healed++;
      await sleep(5 + random() * Math.min(20 * tries, 500));
    }
    history.violate('stuck', `${nameOf(call)} has no answer after ${mostTries} more tries`, call);
    return null;
  }

  /** One request; null where its answer did not come, or not in time. */
  async #attempt(call: Call, random: Random, tries: number): Promise<Reply | null> {
    const { history, ways } = this.#ground;
    const way = pick(random, ways);
    const waitMs = Math.min(patience.firstMs + patience.moreMs * (tries - 1), patience.mostMs);
    const sent = unlessBroken(send(way, call));
    const reply = await Promise.race([sent, sleep(waitMs, null, { ref: false })]);
    if (reply === null) {
      history.note(call, way.name, `no answer in ${waitMs} ms`);
      history.unknown(call);
      this.#leave(call, way, sent);
      return null;
    }
    return this.#heard(call, way, reply);
  }

  /** Its answer counts whenever it comes. */
  #leave(call: Call, way: Way, sent: Promise<Reply | Error>): void {
    const left = this.#left.get(nameOf(call)) ?? new Set();
    this.#left.set(nameOf(call), left);
    const late = sent.then((reply) => {
      const heard = this.#heard(call, way, reply);
      if (heard !== null && heard.status < 300) this.#ground.history.acknowledged(call, heard);
      left.delete(late);
    });
    left.add(late);
  }

  #heard(call: Call, way: Way, reply: Reply | Error): Reply | null {
    const { history } = this.#ground;
    if (reply instanceof Error) {
      history.note(call, way.name, reply.message);
      history.unknown(call);
      if (reply instanceof AssertionError)
        history.violate('answer', `${nameOf(call)}: ${reply.message}`, call);
      return null;
    }
    const { status, text, body, headers } = reply;
    const replayed = headers.get('idempotent-replayed') === null ? '' : ', replayed';
    history.note(call, way.name, status < 300 ? `${status}${replayed}` : `${status} ${body.code} ${text}`);
    if (status === 500) history.unknown(call);
    return reply;
  }

  /** All calls have a key, so that a client may always come back; the answer must say so. */
  #mayRetry(call: Call, reply: Reply | null): boolean {
    if (reply === null) return true;
    const { status, headers, body, text } = reply;
    const isBusy = status === 503 || status === 429;
    const mayRetry = isBusy
      ? /^[1-9]\d*$/.test(headers.get('retry-after') ?? '')
      : status === 500 && body.code === 'internal_error' && body.retryable === true;
    if (!mayRetry) this.#ground.history.violate('answer', `${nameOf(call)}: ${status} ${text}`, call);
    return mayRetry;
  }
}

function send({ client, operator }: Way, call: Call): Promise<Reply> {
  const sender = call.operation === 'addCredits' ? operator : client;
  const body = call.keyIn === 'body' ? { ...call.body, externalRef: call.ref } : call.body;
  const headers: Record<string, string> = call.keyIn === 'header' ? { 'idempotency-key': call.ref } : {};
  return sender.send(call.method, call.path, body, { headers });
}

/** The error where the connection ended before the answer did, or where the answer is none. */
async function unlessBroken(reply: Promise<Reply>): Promise<Reply | Error> {
  return reply.catch((error) => {
    // What fetch raises, whatever the cause.
    if (error instanceof TypeError || error instanceof AssertionError) return error;
    throw error;
  });
}

import { setTimeout as sleep } from 'node:timers/promises';
import { makeProgram } from '../../src/loyalty/account.fixture.ts';
import type { Client, Json, Reply } from '../client.ts';
import { inParallel, makeCard } from '../factories.ts';

const cardCount = 40;
/** On a machine that is slower than the pace, requests are left out, not piled up. */
const mostInFlight = 24;

/** An operation that changes something: what was asked, and what was answered. */
interface Done {
  readonly kind: 'award' | 'issue';
  readonly externalRef: string;
  readonly path: string;
  readonly asked: object;
  readonly body: Json;
}

/** Requests at an even pace, each sent once: reads, awards and issues. */
export class Traffic {
  /** Everything that was not answered with success. */
  readonly failures: string[] = [];
  readonly done: Done[] = [];
  /** Of the load: how many were answered, and from when to when. */
  answered = 0;
  readonly #client: Client;
  readonly #cards: readonly Json[];
  readonly #began = performance.now();
  #isOver = false;
  #ended: Promise<void> = Promise.resolve();

  /** Makes a pass with a program and cards, and begins. */
  static async start(client: Client, perSecond: number): Promise<Traffic> {
    const program = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 1_000_000 } };
    const { pass } = await makeProgram(client, program);
    const cards = await inParallel(cardCount, (at) =>
      makeCard(client, pass.passId, { holder: { identifier: `member-${at}` } }),
    );
    const traffic = new Traffic(client, cards);
    traffic.#ended = traffic.#run(perSecond);
    return traffic;
  }

  private constructor(client: Client, cards: readonly Json[]) {
    this.#client = client;
    this.#cards = cards;
  }

  /** Requests per second so far. */
  get pace(): number {
    return Math.round((this.answered * 1_000) / (performance.now() - this.#began));
  }

  /** Sends no more, and waits for what is under way. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
  }

  async #run(perSecond: number): Promise<void> {
    const inFlight = new Set<Promise<void>>();
    for (let due = 0, sent = 0; !this.#isOver; await sleep(10)) {
      due = Math.floor(((performance.now() - this.#began) * perSecond) / 1_000);
      for (; sent < due && inFlight.size < mostInFlight; sent++) {
        const one = this.#send(sent).finally(() => inFlight.delete(one));
        inFlight.add(one);
      }
      sent = due;
    }
    await Promise.all(inFlight);
  }

  async #send(turn: number): Promise<void> {
    const card = this.#cards[turn % cardCount];
    const externalRef = `order-${turn}`;
    try {
      const reply = await this.#operate(turn, card, externalRef);
      this.answered++;
      if (reply.status >= 300) this.failures.push(`${reply.status} ${reply.text}`);
    } catch (error) {
      const { message, cause } = error as Error;
      this.failures.push(`${message} ${cause instanceof Error ? cause.message : ''}`);
    }
  }

  #operate(turn: number, { passId, instanceId }: Json, externalRef: string): Promise<Reply> {
    switch (turn % 4) {
      case 0:
        return this.#client.get(`/instances/${instanceId}`);
      case 1:
        return this.#client.get(`/loyalty/entries?instanceId=${instanceId}&limit=5`);
      case 2: {
        const asked = { passId, instanceId, points: 1 + (turn % 7), externalRef };
        return this.#change({ kind: 'award', path: '/loyalty/points', externalRef, asked });
      }
      default: {
        const path = `/passes/${passId}/instances`;
        return this.#change({ kind: 'issue', path, externalRef, asked: { externalRef } });
      }
    }
  }

  async #change(change: Omit<Done, 'body'>): Promise<Reply> {
    const reply = await this.#client.post(change.path, change.asked);
    if (reply.status < 300) this.done.push({ ...change, body: reply.body });
    return reply;
  }
}

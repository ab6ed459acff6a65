import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { Client, Json, Reply } from '../../client.ts';
import { tally } from '../../factories.ts';
import { startTestApp, type TestApp } from '../../harness.ts';
import { assertInvariants } from '../../invariants.ts';
import type { Random } from '../../ledger/random.ts';
import { randomFor, seed } from '../seed.ts';

/** How often each race is repeated, on fresh objects: one that is lost in one of ten is noticed 93 times in 100. */
const rounds = 25;
/** Operations of different length meet in other steps when they do not begin at the same moment. */
const longestSpreadMs = 40;

/** A call of a race. */
export type Call = () => Promise<Reply>;

interface Race<Ground> {
  /** Makes what the calls of a round meet at. Races of one service share its workspace. */
  prepare(round: number): Promise<Ground>;
  /** The calls of a round, which are sent together, in an order of chance. */
  calls(ground: Ground): readonly Call[];
  /** Holds the answers, in the order of `calls`, against what may come of the race. */
  judge(replies: readonly Reply[], ground: Ground): unknown;
}

/** Calls that meet at one object, on two processes of the service. Whatever they meet in, none is answered with 5xx. */
export class Races {
  readonly app: TestApp;
  readonly workspaceId: string;
  readonly client: Client;
  readonly #twin: Client;
  readonly #random: Random;
  /** Keys of the database. */
  readonly #violations: readonly string[];

  private constructor(
    app: TestApp,
    { client, workspaceId }: { client: Client; workspaceId: string },
    twin: Client,
    { random, violations }: { random: Random; violations: readonly string[] },
  ) {
    this.app = app;
    this.client = client;
    this.workspaceId = workspaceId;
    this.#twin = twin;
    this.#random = random;
    this.#violations = violations;
  }

  /** Starts both processes for the races of a file, which goes by this name. */
  static async start(name: string, settings: Record<string, string> = {}): Promise<Races> {
    const violations: string[] = [];
    const write = (line: string) => {
      const { constraint } = JSON.parse(line);
      if (constraint !== undefined) violations.push(constraint);
    };
    const app = await startTestApp(settings, pino({ level: 'warn' }, { write }));
    const workspace = await app.newWorkspace('pro', 1_000_000);
    return new Races(app, workspace, await app.twin(), { random: randomFor(name), violations });
  }

  /** Fails unless the books agree after all races, and none has violated a key of the database. */
  async assertSound(): Promise<void> {
    assert.deepEqual(tally(this.#violations), {});
    await assertInvariants(this.app.sql);
  }

  /** The client at one of the two processes, by chance. */
  by(client: Client = this.client): Client {
    return this.#random() < 0.5 ? client : this.#twin.as(client.secret);
  }

  /** Repeats a race. */
  async run<Ground>({ prepare, calls, judge }: Race<Ground>): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      const ground = await prepare(round);
      const replies = await this.#sendAll(calls(ground));
      try {
        assert.deepEqual(replies.flatMap(failuresOf), []);
        await judge(replies, ground);
      } catch (error) {
        const story = `round ${round} of seed ${seed}: ${JSON.stringify(outcomes(replies))}`;
        throw new Error(`${story}: ${(error as Error).message}`, { cause: error });
      }
    }
  }

  /** The answers in the order of the calls, which leave in an order of chance: all at once, or within some milliseconds. */
  async #sendAll(calls: readonly Call[]): Promise<Reply[]> {
    const spreadMs = this.#random() < 0.5 ? 0 : this.#random() * longestSpreadMs;
    const planned = calls.map((send, place) => ({ send, place, rank: this.#random() }));
    const replies: Reply[] = [];
    await Promise.all(
      planned
        .sort((one, other) => one.rank - other.rank)
        .map(async ({ send, place, rank }) => {
          if (spreadMs > 0) await sleep(rank * spreadMs);
          replies[place] = await send();
        }),
    );
    return replies;
  }
}

/** Items of a batch that have failed, or the answer itself. */
function failuresOf({ status, body, text }: Reply): string[] {
  const items: Json[] = Array.isArray(body?.results) ? body.results : [];
  const failed = items.filter((item) => item.status >= 500).map((item) => JSON.stringify(item));
  return status >= 500 ? [`${status} ${text}`] : failed;
}

/** How often each status came, and each code of a refusal. */
export function outcomes(replies: readonly Reply[]): Record<string, number> {
  return tally(replies.map(({ status, body }) => body?.code ?? status));
}

/** How often each outcome came: fails on one that is none of these. */
export function assertOnly(replies: readonly Reply[], ...allowed: readonly (string | number)[]): void {
  const others = replies.filter(({ status, body }) => !allowed.includes(body?.code ?? status));
  assert.deepEqual(
    others.map(({ status, text }) => `${status} ${text}`),
    [],
  );
}

/** The answers that were no refusals. */
export function granted(replies: readonly Reply[]): Reply[] {
  return replies.filter(({ status }) => status < 400);
}

/** So many calls of a kind. */
export function times(count: number, send: (at: number) => Promise<Reply>): Call[] {
  return Array.from({ length: count }, (_, at) => () => send(at));
}

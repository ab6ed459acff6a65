import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, dropTestDatabase } from '../../test/harness.ts';
import type { ActorCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { withoutNodes } from '../kit/citus/tenants.ts';
import { type Claim, fingerprintOf } from '../kit/db/claims.ts';
import { openDatabase, type Tx } from '../kit/db/database.ts';
import { createGroupCommit } from '../kit/db/group-commit.ts';
import { sql } from '../kit/db/sql.ts';
import { ApiError } from '../kit/http/api-error.ts';
import { type BatchCall, batchOf, type Outcome, retryNextRound } from './batch.ts';
import { Answered } from './idempotency.ts';

const url = await createTestDatabase();
const database = openDatabase({ url, connections: 6, onError() {} });
await sql`create table test_tins (tin text primary key, coins int not null check (coins < 1000))`.execute(
  database.db,
);
after(async () => {
  await database.close();
  await dropTestDatabase(url);
});

/** How many calls each round had. */
let rounds: number[];
beforeEach(async () => {
  rounds = [];
  await sql`truncate operation_claims, test_tins`.execute(database.db);
});

interface Answer {
  readonly status: 201;
  readonly body: { readonly coins: number };
}

/** Puts coins into a tin. */
interface Put extends BatchCall<number, Answer> {
  readonly tin: string;
  readonly coins: number;
  /** What happens elsewhere between the look at the tin and the decision. */
  elsewhere?(): Promise<unknown>;
}

const putMany = batchOf({
  async load(tx: Tx, calls: readonly Put[]) {
    rounds.push(calls.length);
    const { rows } = await sql<{ tin: string; coins: number }>`
      select tin, coins from test_tins where tin = any(${calls.map(({ tin }) => tin)}::text[]) order by tin for update
    `.execute(tx);
    return new Map(rows.map(({ tin, coins }) => [tin, coins]));
  },
  async settle(tx, calls, before) {
    const results = new Map<Put, number | ApiError | typeof retryNextRound>();
    const test_tins = new Map<string, number>();
    for (const call of calls) {
      await call.elsewhere?.();
      const coins = (before.get(call.tin) ?? 0) + call.coins;
      if (test_tins.has(call.tin)) results.set(call, retryNextRound);
      else if (call.tin === 'nowhere') results.set(call, retryNextRound);
      else if (coins < 0) results.set(call, refusal('balance_too_low', 'The tin has too few coins.'));
      else {
        test_tins.set(call.tin, coins);
        results.set(call, coins);
      }
    }
    await sql`
      insert into test_tins select * from unnest(${[...test_tins.keys()]}::text[], ${[...test_tins.values()]}::int[])
      on conflict (tin) do update set coins = excluded.coins
    `.execute(tx);
    return results;
  },
});

const ctx = { workspaceId: '0190a000-0000-7000-8000-000000000001' } as ActorCtx;

function claimOf(key: string, effect: unknown): Claim {
  return { operation: 'put', key, fingerprint: fingerprintOf(effect), requestId: 'request-1' };
}

/** A call that names its tin, by default. */
function put(tin: string, coins: number, key: string | null = null, more: Partial<Put> = {}): Put {
  return {
    ctx,
    claims: key === null ? [] : [claimOf(key, [tin, coins])],
    names: [`tin ${tin}`],
    present: (now) => ({ status: 201, body: { coins: now } }),
    tin,
    coins,
    ...more,
  };
}

const run = (...calls: Put[]) => database.transaction((tx) => putMany(tx, '', calls));

/** The coins that a call was answered, with a mark on a replay; or the code of its refusal. */
function shown(outcome: Outcome | undefined): string | undefined {
  if (outcome instanceof ApiError) return outcome.code;
  if (!(outcome instanceof Answered)) return outcome?.description;
  const { coins } = outcome.body as Answer['body'];
  return `${coins}${outcome.isReplay ? ' again' : ''}`;
}

async function test_tins(): Promise<Record<string, number>> {
  const { rows } = await sql<{
    tin: string;
    coins: number;
  }>`select tin, coins from test_tins order by tin`.execute(database.db);
  return Object.fromEntries(rows.map(({ tin, coins }) => [tin, coins]));
}

describe('the calls of a batch', () => {
  it('that name the same follow each other, in their order', async () => {
    const outcomes = await run(put('a', 1), put('b', 5), put('a', 2), put('c', 7), put('a', 3));
    assert.deepEqual(outcomes.map(shown), ['1', '5', '3', '7', '6']);
    assert.deepEqual(rounds, [3, 1, 1]);
    assert.deepEqual(await test_tins(), { a: 6, b: 5, c: 7 });
  });

  it('see what the refused ones before them have left alone', async () => {
    const outcomes = await run(put('a', -1), put('a', 1), put('a', -1), put('a', -1));
    assert.deepEqual(outcomes.map(shown), ['balance_too_low', '1', '0', 'balance_too_low']);
  });

  it('go on in another round where they have to see what others have done', async () => {
    const unnamed = (coins: number) => put('a', coins, null, { names: [] });
    const outcomes = await run(unnamed(1), unnamed(2), unnamed(3));
    assert.deepEqual(outcomes.map(shown), ['1', '3', '6']);
    assert.deepEqual(rounds, [3, 2, 1]);
  });

  it('go back to their caller where there is no other to wait for', async () => {
    const [before, alone, after] = await run(put('a', 1), put('nowhere', 1), put('a', 1));
    assert.deepEqual([shown(before), alone, shown(after)], ['1', retryNextRound, '2']);
    assert.deepEqual(await run(put('nowhere', 1)), [retryNextRound]);
  });

  it('are answered nothing where there are none', async () => {
    assert.deepEqual(await run(), []);
  });
});

describe('a key', () => {
  it('has its effect once in a run, and the same answer for each repeat', async () => {
    const outcomes = await run(put('a', 1, 'k'), put('a', 1, 'k'), put('a', 2, 'k'), put('a', 1, 'other'));
    assert.deepEqual(outcomes.map(shown), ['1', '1 again', 'external_ref_reused', '2']);
    assert.deepEqual(await test_tins(), { a: 2 });
  });

  it('is free again when its call was refused', async () => {
    const outcomes = await run(put('a', -1, 'k'), put('a', 1), put('a', -1, 'k'), put('a', -1, 'k'));
    assert.deepEqual(outcomes.map(shown), ['balance_too_low', '1', '0', '0 again']);
    assert.deepEqual((await run(put('a', -1, 'k'))).map(shown), ['0 again']);
    assert.deepEqual((await run(put('a', -1, 'l'))).map(shown), ['balance_too_low']);
    assert.deepEqual((await run(put('a', 1), put('a', -1, 'l'))).map(shown), ['1', '0']);
  });

  it('has the bytes that were kept, in a later transaction', async () => {
    const present = () => ({ status: 201, body: { text: 'Zoë "\u2028"', coins: 1 } }) as const;
    const [first] = await run(put('a', 1, 'k', { present }));
    const [repeat, other] = await run(put('a', 1, 'k'), put('a', 2, 'k'));
    assert.ok(first instanceof Answered && repeat instanceof Answered);
    assert.deepEqual([repeat.status, repeat.json, repeat.isReplay], [201, first.json, true]);
    assert.deepEqual(repeat.toAnswer().headers, { 'idempotent-replayed': 'true' });
    assert.equal(shown(other), 'external_ref_reused');
    assert.deepEqual(await test_tins(), { a: 1 });
  });

  it('is one of several that a call may have', async () => {
    const claims = [claimOf('k', 1), claimOf('l', 1)];
    await run(put('a', 1, null, { claims }));
    const repeats = claims.map((claim) => put('a', 1, null, { claims: [claim] }));
    assert.deepEqual((await run(...repeats)).map(shown), ['1 again', '1 again']);
  });
});

describe('a call that another transaction has made first', () => {
  it('gets the answer that was kept, instead of its refusal', async () => {
    const elsewhere = () => run(put('a', 1), put('b', 4, 'k'));
    const claims = [claimOf('k', ['b', 4])];
    const outcomes = await run(put('c', 2), put('d', -1, null, { claims, elsewhere }), put('e', -1, 'l'));
    assert.deepEqual(outcomes.map(shown), ['2', '4 again', 'balance_too_low']);
    assert.deepEqual(await test_tins(), { a: 1, b: 4, c: 2 });
  });

  it('is refused where the key means something else now', async () => {
    const elsewhere = () => run(put('b', 4, 'k'));
    const outcomes = await run(put('a', -1, 'k', { elsewhere }));
    assert.deepEqual(outcomes.map(shown), ['external_ref_reused']);
  });

  it('starts again and is answered the same, instead of having its effect twice', async () => {
    let turns = 0;
    const elsewhere = async () => {
      turns += 1;
      if (turns === 1) await run(put('b', 4, 'k'));
    };
    const claims = [claimOf('k', ['b', 4])];
    const outcomes = await run(put('a', 1), put('c', 4, null, { claims, elsewhere }));
    assert.deepEqual(outcomes.map(shown), ['1', '4 again']);
    assert.deepEqual(await test_tins(), { a: 1, b: 4 });
  });

  it('has its effect once, however many make it at a time in two processes', async () => {
    const processes = [createGroupCommit(withoutNodes(database)), createGroupCommit(withoutNodes(database))];
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        processes[index % 2]?.write(putMany, 'lane', put(`tin ${index % 6}`, 5, `key ${index % 6}`)),
      ),
    );
    for (const outcome of outcomes) assert.match(String(shown(outcome)), /^5( again)?$/);
    assert.equal(outcomes.filter((outcome) => shown(outcome) === '5').length, 6);
    assert.deepEqual(Object.values(await test_tins()), Array(6).fill(5));
  });
});

describe('a call that the database refuses', () => {
  it('is alone with that', async () => {
    const groupCommit = createGroupCommit(withoutNodes(database));
    const results = await Promise.allSettled(
      [put('a', 1, 'k'), put('b', 5_000, 'l'), put('c', 3, 'm')].map((call) =>
        groupCommit.write(putMany, 'lane', call),
      ),
    );
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? shown(result.value) : result.status)),
      ['1', 'rejected', '3'],
    );
    assert.deepEqual(await test_tins(), { a: 1, c: 3 });
    assert.deepEqual((await run(put('b', 5, 'l'))).map(shown), ['5']);
  });
});

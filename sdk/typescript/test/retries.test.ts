import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { createTestDatabase, startTestApp } from '../../../test/harness.ts';
import { pick, randomOf } from '../../../test/ledger/random.ts';
import { type Fault, FaultProxy, faults } from '../../../tools/fakes/fault-proxy.ts';
import { startTcpProxy } from '../../../tools/fakes/tcp-proxy.ts';
import {
  type CallOptions,
  InstanceNotFoundError,
  InsufficientPointsError,
  InternalError,
  InvalidApiKeyError,
  InvalidRequestError,
  OverloadedError,
  Punchcard,
  PunchcardConnectionError,
  PunchcardError,
  PunchcardTimeoutError,
  RateLimitedError,
  RequestTimeoutError,
  UnexpectedAnswerError,
} from '../src/index.ts';
import { openShop } from './shop.ts';

/** Between the service and its database. */
const database = await startTcpProxy(await createTestDatabase());
const app = await startTestApp({ DATABASE_URL: database.url, WORKERS: 'off', REQUEST_LOG: 'off' });
after(() => database.close());
const shop = await openShop(app);
const { passId } = shop;
const proxy = await FaultProxy.start(app.url);
after(() => proxy.close());

/** What the client has waited for between attempts, in milliseconds. */
const waits: number[] = [];
const clock = {
  now: Date.now,
  sleep: async (ms: number) => {
    waits.push(ms);
    database.isDown = false;
  },
};
const punchcard = new Punchcard({ baseUrl: proxy.url, apiKey: shop.apiKey, clock });

beforeEach(() => {
  keepDatabase();
  proxy.plan = [];
  proxy.arrivals.length = 0;
  waits.length = 0;
});

/** It is lost no more. */
function keepDatabase(): void {
  database.isDown = false;
  database.holdOn('\0never', 'request', async () => 'cut');
}

async function newHolder(): Promise<string> {
  const identifier = crypto.randomUUID();
  await shop.punchcard.instances.issue(passId, { holder: { identifier } });
  return identifier;
}

async function balanceOf(identifier: string): Promise<number> {
  return (await shop.punchcard.loyalty.holder(identifier, { passId })).balance;
}

describe('a change', () => {
  /** Those after which the outcome is unknown, or a repeat is safe. */
  for (const fault of faults.filter((name) => name !== 'none' && name !== 'no answer')) {
    test(`is applied once when the first attempt was "${fault}"`, async () => {
      const identifier = await newHolder();
      proxy.plan = [fault];
      const award = await punchcard.loyalty.earn({ passId, identifier, points: 5 });
      assert.equal(award.balance, 5);
      assert.equal(await balanceOf(identifier), 5);
      assert.equal(proxy.arrivals.length, 2);
      const [first, second] = proxy.arrivals;
      assert.deepEqual(second?.body, first?.body, 'with the same externalRef');
      assert.match(JSON.parse(first?.body ?? '').externalRef, /^[0-9a-f]{32}$/);
      assert.equal(second?.headers['x-request-id'], first?.headers['x-request-id']);
      const applied = !['dropped before', 'overloaded', 'rate limited', 'bad gateway'].includes(fault);
      assert.equal(award.$response.isReplay, applied);
    });
  }

  for (const moment of ['request', 'reply'] as const) {
    test(`is applied once when the database was lost at the ${moment} of the COMMIT`, async () => {
      const identifier = await newHolder();
      database.holdOn('commit\0', moment, async () => {
        // The service tries by itself, and fails, until the client waits.
        database.isDown = true;
        return 'cut';
      });
      const award = await punchcard.loyalty.earn({ passId, identifier, points: 5 }, { maxRetries: 1_000 });
      assert.equal(award.balance, 5);
      assert.ok(waits.length > 0, 'the service has asked for a retry');
      assert.equal(award.$response.isReplay, moment === 'reply');
      assert.equal(await balanceOf(identifier), 5);
    });
  }

  test('is applied once when the first answer never came', async () => {
    const identifier = await newHolder();
    proxy.plan = ['no answer'];
    // Slow machines may need several: each attempt finds what the ones before have done.
    const options = { timeoutMs: 500, maxRetries: 1_000 };
    const award = await punchcard.loyalty.earn({ passId, identifier, points: 5 }, options);
    assert.equal(award.balance, 5);
    assert.equal(await balanceOf(identifier), 5);
  });

  test('without an externalRef has an Idempotency-Key, which its retries share', async () => {
    proxy.plan = ['dropped after', 'cut off', 'failed, retryable'];
    const pass = await punchcard.passes.create({ title: 'Tea Club', type: 'loyalty' });
    const keys = proxy.arrivals.map(({ headers }) => headers['idempotency-key']);
    assert.equal(keys.length, 4);
    assert.match(String(keys[0]), /^[0-9a-f]{32}$/);
    assert.equal(new Set(keys).size, 1);
    const titles = await shop.punchcard.passes.list().toArray();
    assert.deepEqual(
      titles.filter(({ title }) => title === 'Tea Club').map((one) => one.passId),
      [pass.passId],
    );
  });

  test('goes by the key of the caller, from one process to the next', async () => {
    const identifier = await newHolder();
    const key = crypto.randomUUID();
    const body = { passId, identifier, points: 5 };
    await punchcard.loyalty.earn(body, { idempotencyKey: key });
    const repeat = await punchcard.loyalty.earn({ ...body, externalRef: key });
    assert.ok(repeat.$response.isReplay);
    await punchcard.passes.create({ title: 'One', type: 'loyalty' }, { idempotencyKey: key });
    assert.deepEqual(
      proxy.arrivals.map(({ headers }) => headers['idempotency-key']),
      [key, undefined, key],
    );
    assert.equal(await balanceOf(identifier), 5);
  });
});

test('random faults lose nothing and count nothing twice', async () => {
  const seed = Number(process.env.CLIENT_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const random = randomOf(seed);
  const options: CallOptions = { timeoutMs: 2_000, maxRetries: 1_000 };
  const most = faults.filter((name) => name !== 'no answer');
  const identifiers = await Promise.all(Array.from({ length: 4 }, newHolder));
  const expected = new Map(identifiers.map((identifier) => [identifier, 0]));
  let orders = 0;
  for (let step = 0; step < 60; step++) {
    const identifier = pick(random, identifiers);
    const balance = expected.get(identifier) ?? 0;
    proxy.plan = Array.from({ length: Math.floor(random() * 5) }, () => pick(random, most));
    const lost = pick(random, ['request', 'reply', null, null, 'down'] as const);
    if (lost === 'down') database.isDown = true;
    else if (lost !== null) database.holdOn('commit\0', lost, async () => 'cut');
    const kind = pick(random, ['earn', 'redeem', 'adjust', 'order', 'batch']);
    const card = { passId, identifier };
    if (kind === 'redeem' && balance < 10) {
      await assert.rejects(punchcard.loyalty.redeem(card, options), InsufficientPointsError, `seed ${seed}`);
    } else if (kind === 'redeem') {
      await punchcard.loyalty.redeem(card, options);
      expected.set(identifier, balance - 10);
    } else if (kind === 'earn') {
      await punchcard.loyalty.earn({ ...card, points: 7 }, options);
      expected.set(identifier, balance + 7);
    } else if (kind === 'adjust') {
      await punchcard.loyalty.adjust({ ...card, points: 1, reason: 'Kindness' }, options);
      expected.set(identifier, balance + 1);
    } else if (kind === 'batch') {
      const awards = [
        { ...card, points: 2 },
        { ...card, points: 3 },
      ];
      // Items fail each by itself; the same call again does the rest.
      const sameCall = { ...options, idempotencyKey: crypto.randomUUID() };
      let { results } = await punchcard.loyalty.earnBatch({ awards }, sameCall);
      while (results.some(({ error }) => error?.retryable === true))
        ({ results } = await punchcard.loyalty.earnBatch({ awards }, sameCall));
      assert.deepEqual(
        results.map(({ error }) => error),
        [undefined, undefined],
        `seed ${seed}`,
      );
      expected.set(identifier, balance + 5);
    } else {
      const orderId = `order-${seed}-${++orders}`;
      const total = { amount: '4.00', currency: 'EUR' };
      const order = { orderId, passId, customer: { id: identifier }, total };
      const { pointsAwarded } = await punchcard.orders.process(order, options);
      expected.set(identifier, balance + pointsAwarded);
    }
  }
  proxy.plan = [];
  keepDatabase();
  for (const [identifier, balance] of expected)
    assert.equal(await balanceOf(identifier), balance, `seed ${seed}: CLIENT_SEED repeats it`);
});

describe('what is thrown', () => {
  const once = { maxRetries: 0 };
  const expectedOf: readonly (readonly [Fault, new (...rest: never[]) => PunchcardError, string, number])[] =
    [
      ['dropped before', PunchcardConnectionError, 'connection_failed', 0],
      ['dropped after', PunchcardConnectionError, 'connection_failed', 0],
      ['cut off', PunchcardConnectionError, 'connection_failed', 0],
      ['cut off unnoticed', PunchcardConnectionError, 'connection_failed', 0],
      ['overloaded', OverloadedError, 'overloaded', 503],
      ['rate limited', RateLimitedError, 'rate_limited', 429],
      ['bad gateway', UnexpectedAnswerError, 'unexpected_answer', 502],
      ['failed, retryable', InternalError, 'internal_error', 500],
    ];
  for (const [fault, kind, code, status] of expectedOf) {
    test(`for "${String(fault)}" is ${kind.name}, and may be tried again`, async () => {
      const identifier = await newHolder();
      proxy.plan = [fault];
      await assert.rejects(punchcard.loyalty.earn({ passId, identifier, points: 1 }, once), (error) => {
        assert.ok(error instanceof kind && error instanceof PunchcardError);
        assert.equal(error.name, kind.name);
        assert.equal(error.code, code);
        assert.equal(error.status, status);
        assert.equal(error.retryable, true);
        assert.equal(error.requestId, proxy.arrivals[0]?.headers['x-request-id']);
        return true;
      });
    });
  }

  test('when no answer comes is a PunchcardTimeoutError', async () => {
    proxy.plan = ['no answer'];
    await assert.rejects(punchcard.workspace.get({ timeoutMs: 50, maxRetries: 0 }), PunchcardTimeoutError);
  });

  test('when no server listens is a PunchcardConnectionError, after all attempts', async () => {
    const unreachable = new Punchcard({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key', clock, maxRetries: 3 });
    await assert.rejects(unreachable.workspace.get(), PunchcardConnectionError);
    assert.equal(waits.length, 3);
    for (const [index, ms] of waits.entries()) assert.ok(ms >= 250 * 2 ** index && ms <= 500 * 2 ** index);
  });

  test('has what the refusal says, by its code', async () => {
    const identifier = await newHolder();
    await punchcard.loyalty.earn({ passId, identifier, points: 3 });
    proxy.arrivals.length = 0;
    const refused = await punchcard.loyalty.redeem({ passId, identifier }).catch((error: unknown) => error);
    assert.ok(refused instanceof InsufficientPointsError);
    assert.deepEqual([refused.balance, refused.cost, refused.status], [3, 10, 409]);
    assert.ok(refused instanceof PunchcardError && refused.code === 'insufficient_points');
    assert.equal(refused.retryable, false);
    assert.equal(refused.requestId, proxy.arrivals[0]?.headers['x-request-id']);
    assert.equal(proxy.arrivals.length, 1);
  });

  test('for a code that is not known is a PunchcardError', async () => {
    proxy.plan = [
      { status: 409, body: { error: 'New.', code: 'brand_new', requestId: 'req_1', colour: 'red' } },
    ];
    await assert.rejects(punchcard.workspace.get(), (error) => {
      assert.ok(error instanceof PunchcardError);
      assert.deepEqual([error.code, error.status, error.requestId], ['brand_new', 409, 'req_1']);
      assert.equal((error as { colour?: string }).colour, 'red');
      return true;
    });
    assert.equal(proxy.arrivals.length, 1);
  });
});

describe('is never sent again', () => {
  const refusals: readonly (readonly [
    status: number,
    code: string,
    kind: new (...rest: never[]) => Error,
  ])[] = [
    [400, 'invalid_request', InvalidRequestError],
    [401, 'invalid_api_key', InvalidApiKeyError],
    [404, 'instance_not_found', InstanceNotFoundError],
    [408, 'request_timeout', RequestTimeoutError],
    [409, 'insufficient_points', InsufficientPointsError],
    [402, 'insufficient_credits', PunchcardError],
    [500, 'internal_error', InternalError],
    [502, 'sweep_failed', PunchcardError],
  ];
  for (const [status, code, kind] of refusals) {
    test(`what ${status} ${code} refuses`, async () => {
      proxy.plan = [{ status, body: { error: 'No.', code, requestId: 'req_1' } }];
      await assert.rejects(punchcard.workspace.get(), kind);
      assert.equal(proxy.arrivals.length, 1);
      assert.deepEqual(waits, []);
    });
  }

  test('what should wait longer than a minute', async () => {
    const fetchOnce: typeof fetch = async () =>
      Response.json(
        { code: 'rate_limited', error: 'Later.' },
        { status: 429, headers: { 'retry-after': '3600' } },
      );
    const patient = new Punchcard({ baseUrl: proxy.url, apiKey: 'key', clock, fetch: fetchOnce });
    await assert.rejects(patient.workspace.get(), (error) => {
      assert.ok(error instanceof RateLimitedError);
      assert.equal(error.headers.get('retry-after'), '3600');
      return true;
    });
    assert.deepEqual(waits, []);
  });
});

test('Retry-After is waited for', async () => {
  proxy.plan = ['rate limited', 'overloaded'];
  await punchcard.workspace.get();
  assert.deepEqual(waits, [2_000, 2_000]);
});

test('a signal ends the call, and what would have been tried again', async () => {
  const stop = new AbortController();
  const reason = new Error('The till is closed.');
  const waiting = new Punchcard({
    baseUrl: proxy.url,
    apiKey: shop.apiKey,
    clock: {
      now: Date.now,
      sleep: async (_ms, signal) => {
        stop.abort(reason);
        signal.throwIfAborted();
      },
    },
  });
  proxy.plan = ['overloaded'];
  await assert.rejects(waiting.workspace.get({ signal: stop.signal }), reason);
  await assert.rejects(punchcard.workspace.get({ signal: stop.signal }), reason);
  assert.equal(proxy.arrivals.length, 1);
  const underWay = new AbortController();
  proxy.plan = ['no answer'];
  const call = punchcard.workspace.get({ signal: underWay.signal });
  while (proxy.arrivals.length < 2) await new Promise(setImmediate);
  underWay.abort(reason);
  await assert.rejects(call, reason);
});

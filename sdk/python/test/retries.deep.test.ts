import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { inParallel, makeCard, makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { type Fault, FaultProxy, faults } from '../../../tools/fakes/fault-proxy.ts';
import { startCaller } from './caller.ts';
import { countedCalls, openClientShop } from './counted-calls.ts';
import { installClient, needsPython } from './python.ts';

/** What a client sends again after. */
const repeated = faults.filter((fault) => fault !== 'none');

describe('the Python client', needsPython, async () => {
  const app = await startTestApp({ WORKERS: 'off' });
  const python = await installClient();
  const { client } = await app.newWorkspace('pro', 1_000);
  const shop = await openClientShop(client);

  const proxy = await FaultProxy.start(app.url);
  after(() => proxy.close());

  for (const kind of ['sync', 'async'] as const) {
    describe(`of the ${kind} kind`, () => {
      const { make } = startCaller(python, kind, proxy.url, client.secret ?? '');
      beforeEach(() => {
        proxy.arrivals.length = 0;
        proxy.plan = [];
      });

      for (const fault of repeated) {
        it(`counts each call once although two attempts meet "${fault}"`, async () => {
          const { calls, assertDoneOnce } = await countedCalls(client, shop, `${kind} ${fault}`);
          const isLate = fault === 'no answer';
          // A slow machine is late by itself now and then: that is one more attempt.
          const options = isLate ? { timeout: 0.3, max_retries: 1_000 } : {};
          for (const call of calls) {
            proxy.plan = [fault, fault];
            const [{ error, waits, requestId, ...outcome }] = await make({ ...call, options });
            const about = `${call.call}: ${JSON.stringify(outcome)}`;
            assert.equal(error, undefined, about);
            assert.ok(isLate ? waits.length >= 2 : waits.length === 2, about);
            assert.match(requestId, /^req_[0-9a-f]{32}$/);
            const [first, second] = waits;
            if (fault === 'overloaded' || fault === 'rate limited') assert.deepEqual(waits, [2, 2]);
            else assert.ok(0.375 <= first && first <= 0.5 && 0.75 <= second && second <= 1, waits.join(' '));
          }
          await assertDoneOnce();
        });
      }

      it('walks a list to its end although each page is lost once', async () => {
        proxy.plan = ['dropped before', 'none', 'dropped before', 'none', 'cut off', 'none'];
        const { passId } = await makePass(client);
        await inParallel(7, () => makeCard(client, passId));
        const cards = await client.get(`/passes/${passId}/instances`);
        const [listed] = await make({
          call: 'instances.list',
          path: [passId],
          named: { limit: 3 },
          all: true,
        });
        assert.equal(proxy.arrivals.length, 6);
        assert.deepEqual(
          listed.value.map(({ instanceId }: { instanceId: string }) => instanceId),
          cards.body.data.map(({ instanceId }: { instanceId: string }) => instanceId),
        );
      });

      const requestId = 'req_of_the_test';
      const endings: readonly (readonly [Fault, string, string, number | null, boolean])[] = [
        ['dropped before', 'PunchcardConnectionError', 'connection_failed', null, true],
        ['dropped after', 'PunchcardConnectionError', 'connection_failed', null, true],
        ['cut off', 'PunchcardConnectionError', 'connection_failed', null, true],
        ['cut off unnoticed', 'PunchcardConnectionError', 'connection_failed', null, true],
        ['no answer', 'PunchcardTimeoutError', 'timed_out', null, true],
        ['overloaded', 'OverloadedError', 'overloaded', 503, true],
        ['rate limited', 'RateLimitedError', 'rate_limited', 429, true],
        ['bad gateway', 'UnexpectedAnswerError', 'unexpected_answer', 502, true],
        ['failed, retryable', 'InternalError', 'internal_error', 500, true],
        [
          { status: 500, body: { code: 'internal_error', requestId } },
          'InternalError',
          'internal_error',
          500,
          false,
        ],
        [
          { status: 418, body: { code: 'of_tomorrow', requestId } },
          'PunchcardError',
          'of_tomorrow',
          418,
          false,
        ],
        [{ status: 500, body: {} }, 'UnexpectedAnswerError', 'unexpected_answer', 500, false],
        [
          { status: 408, body: { code: 'request_timeout', requestId } },
          'RequestTimeoutError',
          'request_timeout',
          408,
          false,
        ],
      ];
      for (const [fault, error, code, status, isRepeated] of endings) {
        const name = typeof fault === 'object' ? JSON.stringify(fault) : fault;
        it(`raises ${error} where ${isRepeated ? 'every' : 'the first'} attempt meets ${name}`, async () => {
          proxy.plan = isRepeated ? [fault, fault, fault] : [fault];
          const [outcome] = await make({
            call: 'passes.create',
            named: { title: name, type: 'coupon' },
            options: { max_retries: 2, timeout: fault === 'no answer' ? 0.05 : 30, request_id: requestId },
          });
          assert.deepEqual([outcome.error, outcome.code, outcome.status], [error, code, status]);
          assert.deepEqual([outcome.requestId, outcome.retryable], [requestId, isRepeated]);
          assert.equal(proxy.arrivals.length, isRepeated ? 3 : 1);
          const keys = new Set(proxy.arrivals.map(({ headers }) => headers['idempotency-key']));
          assert.equal(keys.size, 1);
        });
      }

      it('never repeats another refusal, and knows its fields', async () => {
        const { calls } = await countedCalls(client, shop, `${kind} refused`);
        const { passId } = shop;
        const instanceId = calls[1]?.named?.instanceId;
        const outcomes = await make(
          { call: 'loyalty.adjust', named: { passId, instanceId, points: -99, reason: 'Nearly all' } },
          { call: 'loyalty.redeem', named: { passId, instanceId } },
          { call: 'instances.get', path: ['inst_nobody'] },
          { call: 'passes.create', named: { title: '', type: 'coupon' } },
          { call: 'sweeps.start', path: [shop.passId] },
        );
        const [, redeem, card, pass, sweep] = outcomes;
        assert.equal(redeem.error, 'InsufficientPointsError');
        assert.deepEqual([redeem.body.balance, redeem.body.cost], [1, 5]);
        assert.deepEqual([card.error, card.status], ['InstanceNotFoundError', 404]);
        assert.deepEqual([pass.error, pass.status], ['InvalidRequestError', 400]);
        // A 502 that is an answer of the service, not of a gateway.
        assert.deepEqual([sweep.error, sweep.status], ['SweepFailedError', 502]);
        assert.equal(proxy.arrivals.length, outcomes.length);
        proxy.arrivals.length = 0;
        const unreachable = startCaller(python, kind, proxy.url, 'sk_nobody');
        const [stranger] = await unreachable.make({ call: 'apiKeys.current' });
        assert.equal(stranger.error, 'InvalidApiKeyError');
        assert.equal(proxy.arrivals.length, 1);
      });
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PunchcardError } from '../sdk/typescript/src/core/punchcard-error.ts';
import { cutOff } from '../sdk/typescript/src/core/read-answer.ts';
import { nextToSend, type QueuedAward } from '../web/scanner/offline/entry.ts';
import { verdictOf, waitMs } from '../web/scanner/offline/retry-rules.ts';
import { ageOf, momentOf } from '../web/scanner/offline/scan-clock.ts';

const here = 'ws_here';
const stamp = { wall: 0, steady: 0, life: 'one', ahead: 0 };

function award(seq: number, card: string, more: Partial<QueuedAward> = {}): QueuedAward {
  return {
    seq,
    ref: `ref-${seq}`,
    card: { instanceId: card },
    points: 1,
    label: card,
    workspaceId: here,
    person: { personId: 'person_1', name: 'Ada' },
    till: null,
    stamp,
    state: 'waiting',
    undo: false,
    ...more,
  };
}

function next(awards: readonly QueuedAward[], putOff: readonly number[] = []): number | undefined {
  return nextToSend(awards, here, ({ seq }) => putOff.includes(seq))?.seq;
}

describe('the order in which awards are sent', () => {
  it('is that of entering, whatever the order of the list', () => {
    assert.equal(next([award(3, 'a'), award(1, 'b'), award(2, 'a')]), 1);
    assert.equal(next([]), undefined);
  });

  it('leaves no award of a card before an older one of it, and others need not wait', () => {
    const awards = [award(1, 'a'), award(2, 'a'), award(3, 'b')];
    assert.equal(next(awards, [1]), 3);
    assert.equal(next(awards, [1, 3]), undefined);
  });

  it('leaves out what is done, refused or decided, and other workspaces', () => {
    const done = [
      award(1, 'a', { state: 'sent' }),
      award(2, 'a', { state: 'refused' }),
      award(3, 'a', { state: 'dropped' }),
      award(4, 'a', { workspaceId: 'ws_there' }),
    ];
    assert.equal(next(done), undefined);
    assert.equal(next([...done, award(5, 'a', { state: 'sending' })]), 5);
    assert.equal(next([award(1, 'a', { state: 'sent', undo: true }), award(2, 'a')]), 1);
  });
});

describe('the outcome of an award whose call has failed', () => {
  const failed = (status: number, code: string, more: { retryable?: boolean; headers?: Headers } = {}) =>
    new PunchcardError({ status, code, message: 'No.', requestId: 'req_1', retryable: false, ...more });
  const after = (seconds: string, more: Record<string, string> = {}) =>
    new Headers({ 'retry-after': seconds, ...more });

  for (const [said, error, kind] of [
    ['no answer', cutOff(''), 'rest'],
    ['a page of the guest network', failed(200, 'unexpected_answer'), 'rest'],
    ['no person is signed in', failed(401, 'invalid_session'), 'sign_in'],
    ['no credits', failed(402, 'insufficient_credits'), 'later'],
    ['a call that came too slowly', failed(408, 'request_timeout'), 'rest'],
    ['too many calls', failed(429, 'rate_limited', { retryable: true }), 'rest'],
    ['a failure that may be repeated', failed(500, 'internal_error', { retryable: true }), 'later'],
    ['a failure that may not', failed(500, 'internal_error'), 'refused'],
    ['a busy service', failed(503, 'overloaded', { retryable: true }), 'rest'],
    ['a void card', failed(409, 'instance_voided'), 'refused'],
    ['an unknown code', failed(404, 'instance_not_found'), 'refused'],
    ['a role that may not', failed(403, 'role_required'), 'refused'],
    ['a code of the future', failed(418, 'teapot'), 'refused'],
  ] as const)
    it(`${said}: ${kind}`, () => assert.equal(verdictOf(error).kind, kind));

  it('keeps what the answer said', () => {
    const refusal = { code: 'instance_voided', status: 409, message: 'No.', requestId: 'req_1' };
    assert.deepEqual(verdictOf(failed(409, 'instance_voided')), { kind: 'refused', refusal });
  });

  it('rests as long as the service asks, by its own clock', () => {
    const rest = (headers: Headers) => verdictOf(failed(429, 'rate_limited', { retryable: true, headers }));
    assert.deepEqual(rest(after('7')), { kind: 'rest', afterMs: 7_000 });
    const date = 'Wed, 25 Nov 2026 10:00:00 GMT';
    assert.deepEqual(rest(after('Wed, 25 Nov 2026 10:00:09 GMT', { date })), {
      kind: 'rest',
      afterMs: 9_000,
    });
    assert.deepEqual(rest(after('soon')), { kind: 'rest', afterMs: null });
  });

  it('raises what is no refusal', () => {
    assert.throws(() => verdictOf(new TypeError('a mistake of ours')), TypeError);
  });

  it('rests longer each time, up to five minutes, and never at the same moment as others', () => {
    assert.deepEqual([waitMs(1, null, () => 0), waitMs(1, null, () => 1)], [1_000, 2_000]);
    assert.equal(
      waitMs(4, null, () => 1),
      16_000,
    );
    assert.equal(
      waitMs(100, null, () => 1),
      300_000,
    );
    for (const random of [0, 0.5, 1]) assert.ok(waitMs(1, 7_000, () => random) >= 7_000);
  });
});

describe('when something was entered, by the clock of the service', () => {
  const hour = 3_600_000;
  const at = (wall: number, steady: number, life = 'one') => ({ wall, steady, life });

  it('is known by a clock that was wrong all the time', () => {
    const entered = { ...at(10 * hour, 0), ahead: -24 * hour };
    assert.equal(momentOf(entered, at(11 * hour, hour, 'two'), -24 * hour)?.getTime(), -14 * hour);
  });

  it('is known in one life of the page without the service having answered before', () => {
    const entered = { ...at(10 * hour, 0), ahead: null };
    assert.equal(momentOf(entered, at(11 * hour, hour), 0)?.getTime(), 10 * hour);
  });

  it('is known after the device has slept, and its steady clock with it', () => {
    const entered = { ...at(10 * hour, 0), ahead: 0 };
    assert.equal(momentOf(entered, at(12 * hour, hour), 0)?.getTime(), 10 * hour);
  });

  it('is unknown where the clock was set', () => {
    const entered = { ...at(10 * hour, 0), ahead: 0 };
    assert.equal(momentOf(entered, at(5 * hour, hour, 'two'), 6 * hour), null);
    assert.equal(momentOf({ ...entered, ahead: null }, at(11 * hour, 0, 'two'), 0), null);
  });

  it('is never ahead of now', () => {
    const entered = { ...at(10 * hour, 0), ahead: 0 };
    assert.equal(momentOf(entered, at(10 * hour - 30_000, 1, 'two'), 0)?.getTime(), 10 * hour - 30_000);
  });

  it('has an age also where the clock was set back', () => {
    const entered = { ...at(10 * hour, 0), ahead: 0 };
    assert.equal(ageOf(entered, at(9 * hour, 5_000)), 5_000);
    assert.equal(ageOf(entered, at(9 * hour, 0, 'two')), hour);
  });
});

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, Reply } from '../../test/client.ts';
import { inParallel, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { coffee, Till, threeStamps } from './till.fixture.ts';

const apns = await startDevelopmentApns();
const app = await startTestApp({ APNS_URL: apns.url });
const phones = new Phones(app, apns);
let till: Till;
beforeEach(() => apns.unscript());

const open = async (credits: number, program: object = coffee): Promise<void> => {
  till = await Till.open(app, program, { credits });
};
const credits = async (): Promise<Json> => (await till.client.get('/credits')).body;
const settled = () => until('the push is settled', async () => (await credits()).reserved === 0);
let invoices = 0;
const topUp = (amount: number) =>
  app.operator.post(`/operator/workspaces/${till.workspaceId}/credits`, {
    amount,
    externalRef: `invoice-${++invoices}`,
  });

function assertPushed({ status, body, text }: Reply): void {
  assert.deepEqual(
    [status, body.pushed, 'pushSkipReason' in body, 'warnings' in body],
    [200, true, false, false],
    text,
  );
}

/** Applied, but not pushed: the contract's 202. */
function assertUnpaid({ status, body, text }: Reply): void {
  assert.deepEqual([status, body.pushed, body.pushSkipReason], [202, false, 'insufficient_credits'], text);
  assert.equal(body.warnings.length, 1);
  assert.equal(body.warnings[0].code, 'insufficient_credits');
  assert.match(body.warnings[0].message, /POST \/instances\/\{instanceId\}\/push/);
  assert.match(body.warnings[0].message, /fresh externalRef/);
}

describe('what the ledger does to an installed card', () => {
  it('is pushed, at a credit each, and shown', async () => {
    await open(10);
    const phone = await phones.add([till.ada]);
    const earned = await till.earn(25);
    assertPushed(earned);
    await until('the phone shows the award', () => phone.shows('loyalty-balance') === '25');
    assertPushed(await till.redeem());
    await until('the phone shows the redeem', () => phone.shows('loyalty-balance') === '15');
    assertPushed(await till.adjust(-5));
    await until('the phone shows the adjustment', () => phone.shows('loyalty-balance') === '10');
    assertPushed(await till.reverse(earned));
    await until('the phone shows the reversal', () => phone.shows('loyalty-balance') === '-15');
    await settled();
    assert.deepEqual(await credits(), { balance: 6, reserved: 0, spent: 4 });
    assert.deepEqual(phone.complaints, []);
    await till.assertSound();
  });

  it('shows that no wallet holds the card, at no credit', async () => {
    await open(10);
    const { body, status } = await till.earn(5);
    assert.deepEqual([status, body.pushed, body.pushSkipReason], [200, false, 'not_installed']);
    assert.equal((await credits()).balance, 10);
  });

  it('is unchanged when a limit has made it an award of nothing', async () => {
    await open(10, { ...coffee, limits: { perDay: 5 } });
    const phone = await phones.add([till.ada]);
    await till.earn(5);
    await until('the phone shows it', () => phone.shows('loyalty-balance') === '5');
    await settled();
    const { status, body } = await till.earn(1);
    assert.deepEqual([status, body.limitedBy, body.pushed], [200, 'per_day', false]);
    assert.equal(body.pushSkipReason, 'unchanged');
    assert.deepEqual(await credits(), { balance: 9, reserved: 0, spent: 1 });
    await open(0, { ...coffee, limits: { perDay: 5 } });
    await phones.add([till.ada]);
    const without = await till.earn(6);
    assert.deepEqual(
      [without.status, without.body.pushSkipReason],
      [200, 'unchanged'],
      'also without credits',
    );
  });

  it('is unchanged before the launch: cards show nothing of the program yet', async () => {
    till = await Till.open(app, coffee, { credits: 10, launched: false });
    await phones.add([till.ada]);
    const { body } = await till.adjust(5);
    assert.deepEqual([body.pushed, body.pushSkipReason], [false, 'unchanged']);
    assert.equal((await credits()).balance, 10);
  });

  it('is pushed when a reward is used: the stamps stay, the reward goes', async () => {
    await open(10, threeStamps);
    const phone = await phones.add([till.ada]);
    assertPushed(await till.earn(3));
    await until('the reward is shown', () => phone.shows('loyalty-pending') !== null);
    assertPushed(await till.redeem());
    await settled();
    assert.equal((await credits()).spent, 2);
  });

  it('reserves a credit for each of two awards of one card, also in one transaction', async () => {
    await open(10);
    const phone = await phones.add([till.ada]);
    apns.script({ status: 200, delayMs: 500 }, { token: phone.pushToken, times: 1 });
    const replies = await till.together('earn', [() => till.earn(5), () => till.earn(6)]);
    for (const reply of replies) assertPushed(reply);
    assert.deepEqual(await credits(), { balance: 8, reserved: 2, spent: 0 });
    await settled();
    await until('the phone shows both', () => phone.shows('loyalty-balance') === '11');
    assert.deepEqual(await credits(), { balance: 8, reserved: 0, spent: 2 });
    assert.ok(apns.deliveriesTo(phone.pushToken) >= 1);
    await till.assertSound();
  });

  it('pushes one of two awards of one card where a credit is left for one', async () => {
    await open(1);
    const phone = await phones.add([till.ada]);
    const replies = await till.together('earn', [() => till.earn(5), () => till.earn(6)]);
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 1, 202: 1 });
    // The push brings the newest state, so both.
    await until('the phone shows both', () => phone.shows('loyalty-balance') === '11');
    await settled();
    assert.deepEqual(await credits(), { balance: 0, reserved: 0, spent: 1 });
    await till.assertSound();
  });

  it('replays without a push and without a credit', async () => {
    await open(10);
    await phones.add([till.ada]);
    const first = await till.earn(5, { externalRef: 'r-1' });
    await settled();
    const repeat = await till.earn(5, { externalRef: 'r-1' });
    assert.equal(repeat.text, first.text);
    await sleep(100);
    assert.deepEqual(await credits(), { balance: 9, reserved: 0, spent: 1 });
  });

  it('takes no credit for what is refused', async () => {
    await open(10);
    await phones.add([till.ada]);
    await till.assertUntouched(async () => {
      assert.equal((await till.redeem()).status, 409);
      assert.equal((await till.adjust(-1)).status, 409);
    });
  });
});

describe('one credit', () => {
  it('pushes exactly one of 50 awards on 50 cards at the same time, and all are applied', async () => {
    await open(1);
    const cards = await inParallel(50, () => till.card());
    await phones.add(cards);
    const replies = await Promise.all(cards.map(({ instanceId }) => till.earn(7, { instanceId })));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 1, 202: 49 });
    assert.deepEqual(tally(replies.map(({ body }) => body.pushed)), { true: 1, false: 49 });
    for (const reply of replies) {
      assert.deepEqual([reply.body.points, reply.body.balance], [7, 7]);
      if (reply.status === 202) assertUnpaid(reply);
    }
    await settled();
    assert.deepEqual(await credits(), { balance: 0, reserved: 0, spent: 1 });
    assert.equal((await till.summary()).outstanding, 350);
    await till.assertSound();
  });

  it('pushes exactly one of 50 awards on one card', async () => {
    await open(1);
    await phones.add([till.ada]);
    const replies = await inParallel(50, () => till.earn(1));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 1, 202: 49 });
    await settled();
    assert.equal((await till.holder()).balance, 50);
    assert.deepEqual(await credits(), { balance: 0, reserved: 0, spent: 1 });
    await till.assertSound();
  });
});

describe('without credits', () => {
  beforeEach(() => open(0));

  it('everything is applied and nothing pushed: 202 with a warning', async () => {
    const phone = await phones.add([till.ada]);
    const earned = await till.earn(25);
    assertUnpaid(earned);
    assertUnpaid(await till.redeem());
    assertUnpaid(await till.adjust(5));
    assertUnpaid(await till.reverse(earned));
    assert.equal((await till.holder()).balance, -5);
    await sleep(200);
    assert.equal(phone.shows('loyalty-balance'), '0');
    await till.assertSound();
  });

  it('credits are asked for before wallets are', async () => {
    const { status, body } = await till.earn(5);
    assert.deepEqual([status, body.pushed, body.pushSkipReason], [202, false, 'insufficient_credits']);
    assert.match(body.warnings[0].message, /no wallet holds the card.*an award would count twice/);
  });

  it('a replay stays 202 and pushed: false, byte for byte, also after a top-up', async () => {
    const phone = await phones.add([till.ada]);
    const first = await till.earn(5, { externalRef: 'r-1' });
    assertUnpaid(first);
    await topUp(5);
    await until('the phone shows it', () => phone.shows('loyalty-balance') === '5');
    const repeat = await till.earn(5, { externalRef: 'r-1' });
    assert.deepEqual([repeat.status, repeat.text], [202, first.text]);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    assert.equal((await till.holder()).balance, 5);
  });

  it('a top-up delivers the newest state, a credit per card', async () => {
    const bob = await till.card('bob');
    const [one, other] = [await phones.add([till.ada]), await phones.add([bob])];
    for (const points of [5, 6]) await till.earn(points);
    await till.earn(3, { instanceId: bob.instanceId });
    await topUp(10);
    await until('both show it', () => {
      return one.shows('loyalty-balance') === '11' && other.shows('loyalty-balance') === '3';
    });
    await settled();
    assert.deepEqual(await credits(), { balance: 8, reserved: 0, spent: 2 });
    assert.deepEqual(await till.story(), ['earn +5 = 5', 'earn +6 = 11'], 'and applies nothing again');
    await till.assertSound();
  });

  it('POST /instances/{instanceId}/push delivers after a top-up and applies nothing', async () => {
    const phone = await phones.add([till.ada]);
    assertUnpaid(await till.earn(5));
    const path = `/instances/${till.ada.instanceId}/push`;
    assert.equal((await till.client.post(path)).body.code, 'insufficient_credits');
    await topUp(2);
    const { status, body } = await till.client.post(path);
    assert.deepEqual([status, body.pushed], [200, true]);
    await until('the phone shows it', () => phone.shows('loyalty-balance') === '5');
    await settled();
    assert.deepEqual(await credits(), { balance: 1, reserved: 0, spent: 1 });
    assert.deepEqual(await till.story(), ['earn +5 = 5']);
  });

  it('a fresh reference is a new award, which is pushed after a top-up', async () => {
    const phone = await phones.add([till.ada]);
    await till.earn(5, { externalRef: 'r-1' });
    await topUp(5);
    assertPushed(await till.earn(5, { externalRef: 'r-2' }));
    await until('the phone shows both', () => phone.shows('loyalty-balance') === '10');
    await settled();
    await till.assertSound();
  });
});

describe('points that expire', () => {
  it('are pushed by themselves, at a credit', async () => {
    await open(10, { ...coffee, expiry: { months: 1 } });
    const phone = await phones.add([till.ada]);
    await till.earn(5);
    await until('the phone shows it', () => phone.shows('loyalty-balance') === '5');
    await settled();
    // The database's clock decides nothing here; the service's does.
    app.advance(40 * 86_400_000);
    await until('the phone shows that they are gone', () => phone.shows('loyalty-balance') === '0', 20_000);
    await settled();
    assert.deepEqual(await credits(), { balance: 8, reserved: 0, spent: 2 });
    await till.assertSound();
  });
});

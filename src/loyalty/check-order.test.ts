import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import type { ErrorCode } from '../errors.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { coffee, Till } from './till.fixture.ts';

/**
 * A later check must not answer first: a client that gets the wrong reason mends the wrong thing. Each step
 * is a call with two faults, one that it checks and one that the next step checks.
 */
const app = await startTestApp({ WORKERS: 'off' });
const missingPartner = encodeId('part', newUuidV7());
let till: Till;
let reader: Client;
let elsewhere: Client;
let plain: Json;
let partnerId: string;
beforeEach(async () => {
  till = await Till.open(app, { ...coffee, limits: { perDay: 5 } });
  plain = await makePass(till.client);
  ({ client: reader } = await makeKey(till.client, { access: 'read' }));
  ({ client: elsewhere } = await makeKey(till.client, { passIds: [plain.passId] }));
  ({ partnerId } = (await till.client.post('/partners', { name: 'Harbour' })).body);
});

const calls = {
  '/loyalty/points': { points: 3 },
  '/loyalty/redeem': {},
  '/loyalty/adjust': { points: 3, reason: 'A slip' },
} as const;
const activeOnly = ['/loyalty/points', '/loyalty/redeem'] as const;

for (const [path, body] of Object.entries(calls)) {
  const send = (more: object, by = till.client) =>
    by.post(path, { passId: till.passId, identifier: 'ada', ...body, ...more });
  const refused = async (code: ErrorCode, more: object, by = till.client) =>
    till.assertUntouched(async () => assertRefused(await send(more, by), code));

  describe(`POST ${path} checks`, () => {
    it('the key before what it may do', async () => {
      const { key, client } = await makeKey(till.client, { access: 'read' });
      await till.client.delete(`/api-keys/${key.keyId}`);
      await refused('invalid_api_key', {}, client);
      await refused('missing_authorization', {}, app.anyone);
    });

    it('what the key may do before the body', async () => {
      await refused('insufficient_scope', { nonsense: true }, reader);
    });

    it('the body before a replay', async () => {
      assert.equal((await send({ externalRef: 'r-0', identifier: 'bob' })).status, 404);
      await till.adjust(10);
      assert.equal((await send({ externalRef: 'r-1' })).status, 200);
      await refused('invalid_request', { externalRef: 'r-1', nonsense: true });
      await refused('invalid_request', { externalRef: 'r-1', barcode: 'A' });
    });

    it('a replay before the pass, the partner, the program and the card', async () => {
      await till.adjust(10);
      const first = await send({ externalRef: 'r-1', partnerId });
      assert.equal(first.status, 200, first.text);
      await till.client.delete(`/partners/${partnerId}`);
      await till.change({ status: 'paused' });
      await till.void();
      assert.equal((await send({ externalRef: 'r-1', partnerId })).text, first.text);
      await refused('external_ref_reused', { externalRef: 'r-1', passId: encodeId('pass', newUuidV7()) });
      await refused('external_ref_reused', { externalRef: 'r-1', identifier: 'bob' });
    });

    it('whether the key reaches the pass before a replay', async () => {
      await till.adjust(10);
      await send({ externalRef: 'r-1' });
      await refused('insufficient_scope', { externalRef: 'r-1' }, elsewhere);
    });

    it('the pass before the partner', async () => {
      const other = await Till.open(app);
      await refused('pass_not_found', { passId: encodeId('pass', newUuidV7()), partnerId: missingPartner });
      await refused('pass_not_found', { passId: 'pass_1', partnerId: missingPartner });
      await refused('forbidden', { passId: other.passId, partnerId: missingPartner });
      await refused('insufficient_scope', { partnerId: missingPartner }, elsewhere);
    });

    it('the partner before the program', async () => {
      await refused('partner_not_found', { passId: plain.passId, partnerId: missingPartner });
      await till.change({ status: 'paused' });
      await refused('partner_not_found', { partnerId: missingPartner });
    });

    it('whether there is a program before the card', async () => {
      await refused('no_loyalty_program', { passId: plain.passId, identifier: 'bob' });
      await refused('no_loyalty_program', { passId: plain.passId, identifier: undefined, instanceId: 'x' });
    });

    it('which card is meant before whether it is voided', async () => {
      const other = await Till.open(app);
      await other.void();
      await till.void();
      await refused('forbidden', { identifier: undefined, instanceId: other.ada.instanceId });
      await refused('instance_voided', {});
      await refused('holder_not_found', { identifier: 'bob' });
    });
  });
}

for (const path of activeOnly) {
  const send = (more: object) =>
    till.client.post(path, { passId: till.passId, identifier: 'ada', ...calls[path], ...more });

  describe(`POST ${path} checks the program's state`, () => {
    it('before the card: not launched', async () => {
      till = await Till.open(app, coffee, { launched: false });
      for (const named of [{ identifier: 'bob' }, {}])
        assertRefused(await send(named), 'program_not_launched', /"status":"active"/);
      await till.void();
      assertRefused(await send({}), 'program_not_launched');
    });

    it('before the card: paused', async () => {
      await till.change({ status: 'paused' });
      for (const named of [{ identifier: 'bob' }, {}])
        assertRefused(await send(named), 'program_inactive', /"status":"active"/);
      await till.void();
      assertRefused(await send({}), 'program_inactive');
    });
  });
}

describe('the card is checked before', () => {
  it('the limits', async () => {
    await till.earn(5);
    assert.equal((await till.earn(5)).body.limitedBy, 'per_day');
    await till.void();
    assertRefused(await till.earn(5), 'instance_voided');
    assertRefused(await till.earn(5, { identifier: 'bob' }), 'holder_not_found');
  });

  it('the balance', async () => {
    await till.void();
    assertRefused(await till.redeem(), 'instance_voided');
    assertRefused(await till.adjust(-5), 'instance_voided');
    assertRefused(await till.redeem({ identifier: 'bob' }), 'holder_not_found');
  });
});

describe('POST /loyalty/entries/{entryId}/reverse checks', () => {
  it('key, scope, body, entry, replay, kind, and whether it was undone', async () => {
    const earned = await till.earn(5);
    const other = await Till.open(app);
    const foreign = await other.earn(5);
    const adjusted = await till.adjust(1);
    const path = `/loyalty/entries/${earned.body.entryId}/reverse`;
    const wrong = { nonsense: true };
    assertRefused(await app.anyone.post(path, wrong), 'missing_authorization');
    assertRefused(await reader.post(path, wrong), 'insufficient_scope');
    assertRefused(await till.reverse(foreign, wrong), 'invalid_request');
    assertRefused(await till.reverse(earned, wrong, elsewhere), 'invalid_request');
    assertRefused(await till.reverse(foreign), 'forbidden');
    await till.reverse(earned, { externalRef: 'v-1' });
    assertRefused(await till.reverse(earned, { externalRef: 'v-1' }, elsewhere), 'insufficient_scope');
    assertRefused(await till.reverse(adjusted, { externalRef: 'v-1' }), 'external_ref_reused');
    assertRefused(await till.reverse(adjusted, { externalRef: 'v-2' }), 'entry_not_reversible');
    assertRefused(await till.reverse(earned, { externalRef: 'v-2' }), 'already_reversed');
  });
});

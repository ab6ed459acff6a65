import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../../test/client.ts';
import { inParallel, makeCard, makeKey, makePass, tally } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { decodeId, encodeId, newUuidV7 } from '../../kit/ids.ts';

const app = await startTestApp();
let client: Client;
before(async () => {
  ({ client } = await app.newWorkspace());
});

const create = (body: object, by = client) => by.post('/loyalty/programs', body);
const points = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 100 } };
const stamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };
const programsOf = async (pass: Json) =>
  app.sql('select program_id, status from programs where pass_id = $1', [decodeId('pass', pass.passId)]);

describe('POST /loyalty/programs', () => {
  it('makes a program in POINTS that is not launched', async () => {
    const pass = await makePass(client);
    const { status, body } = await create({ passId: pass.passId, ...points });
    assert.equal(status, 201);
    const { programId, createdAt, updatedAt, history, ...rest } = body;
    assert.match(programId, /^prog_[0-9a-z]{26}$/);
    const rewardId = programId.replace('prog', 'rew');
    assert.equal(updatedAt, createdAt);
    const { keyId } = (await client.get('/me')).body;
    assert.deepEqual(history, [{ status: 'not_launched', at: createdAt, actor: keyId }]);
    assert.deepEqual(rest, {
      passId: pass.passId,
      mode: 'POINTS',
      status: 'not_launched',
      reward: { title: 'Free coffee', cost: 100 },
      rewards: [{ rewardId, title: 'Free coffee', cost: 100, status: 'active' }],
      threshold: null,
      tiers: [],
      earn: { perCurrencyUnit: 1, currency: 'EUR', rates: {}, perOrder: 0, minOrder: null },
      expiry: { months: null },
      limits: { perDay: null, minSecondsBetween: null, perAward: null, perAwardByRole: {} },
      refundPolicy: 'debt',
      pointName: { one: 'point', other: 'points' },
      drawsStamps: true,
      currency: null,
      maxBalance: null,
      launchedAt: null,
    });
    assert.deepEqual((await client.get(`/loyalty/programs/${programId}`)).body, body);
  });

  it('makes a program in STAMPS', async () => {
    const pass = await makePass(client);
    const { body } = await create({ passId: pass.passId, ...stamps });
    assert.deepEqual(
      [body.mode, body.threshold, body.reward, body.earn, body.pointName],
      [
        'STAMPS',
        10,
        { title: 'Free coffee', cost: null },
        { perCurrencyUnit: 0, currency: 'EUR', rates: {}, perOrder: 1, minOrder: null },
        { one: 'stamp', other: 'stamps' },
      ],
    );
  });

  it('keeps all its settings', async () => {
    const pass = await makePass(client);
    const settings = {
      passId: pass.passId,
      mode: 'STAMPS',
      reward: { title: 'Kaffee aufs Haus ☕', cost: null },
      threshold: 9_007_199_254_740_991,
      tiers: [
        { key: 'silver', title: 'Silber', from: 0, multiplier: 1 },
        { key: 'gold', title: 'Gold', from: 9_007_199_254_740_991, multiplier: 1.125 },
      ],
      earn: {
        perCurrencyUnit: 0.125,
        currency: 'EUR',
        rates: { JPY: '0.0061' },
        perOrder: 2,
        minOrder: { amount: '12.50', currency: 'EUR' },
      },
      expiry: { months: 12 },
      limits: {
        perDay: 9_007_199_254_740_991,
        minSecondsBetween: 60,
        perAward: 20,
        perAwardByRole: { staff: 5 },
      },
      refundPolicy: 'within_balance',
      pointName: { one: 'Stempel', other: 'Stempel' },
      drawsStamps: false,
    };
    const { body } = await create(settings);
    const { programId: _, status, launchedAt, createdAt, updatedAt, history, ...rest } = body;
    assert.deepEqual(rest, { ...settings, rewards: [], currency: null, maxBalance: null });
  });

  it('writes the least order with the decimals of its currency, and lays parts over the defaults', async () => {
    const written: [string, string, string][] = [
      ['2.5', 'EUR', '2.50'],
      ['3', 'EUR', '3.00'],
      ['1200', 'JPY', '1200'],
      ['0.5', 'KWD', '0.500'],
      ['0', 'USD', '0.00'],
    ];
    for (const [amount, currency, expected] of written) {
      const { passId } = await makePass(client);
      const { body } = await create({
        passId,
        ...points,
        earn: { currency, minOrder: { amount, currency } },
        expiry: {},
      });
      const minOrder = { amount: expected, currency };
      assert.deepEqual(body.earn, { perCurrencyUnit: 1, currency, rates: {}, perOrder: 0, minOrder });
    }
  });

  it('counts in the currency of the workspace, unless another one is sent', async () => {
    const shop = await app.newWorkspace();
    await shop.client.patch('/workspace', { currency: 'JPY' });
    const { passId } = await makePass(shop.client);
    const { body } = await create({ passId, ...points, earn: { rates: { EUR: '164.5' } } }, shop.client);
    assert.deepEqual([body.earn.currency, body.earn.rates], ['JPY', { EUR: '164.5' }]);
    const other = await makePass(shop.client);
    const francs = await create({ ...points, passId: other.passId, earn: { currency: 'CHF' } }, shop.client);
    assert.deepEqual([francs.body.earn.currency, francs.body.earn.rates], ['CHF', {}]);
  });

  it('gives the pass its program without a new revision, whatever its type and status', async () => {
    for (const [type, status] of [
      ['loyalty', 'draft'],
      ['coupon', 'published'],
      ['generic', 'archived'],
    ] as const) {
      const { passId } = await makePass(client, { type }, status);
      const revision = async () =>
        app.sql('select revision, modified_at from passes where pass_id = $1', [decodeId('pass', passId)]);
      const earlier = await revision();
      const { programId } = (await create({ passId, ...points })).body;
      assert.equal((await client.get(`/passes/${passId}`)).body.programId, programId);
      assert.deepEqual(await revision(), earlier);
    }
  });

  it('is audited', async () => {
    const { passId } = await makePass(client);
    const { body } = await create({ passId, ...points });
    const lines = await app.sql('select action, actor, detail from audit_log where target = $1', [
      body.programId,
    ]);
    const { history, ...after } = body;
    assert.deepEqual(lines, [{ action: 'createProgram', actor: history[0].actor, detail: { after } }]);
  });
});

describe('a program that cannot be', () => {
  const wrong: [object, RegExp][] = [
    [{ reward: undefined }, /^reward is required/],
    [{ reward: {} }, /^reward\.title is required/],
    [{ reward: { title: ' ', cost: 1 } }, /^reward\.title/],
    [{ reward: { title: 'a'.repeat(121), cost: 1 } }, /^reward\.title must/],
    [{ reward: { title: 'Free coffee' } }, /^reward\.cost: is required with mode "POINTS"\.$/],
    [{ reward: { title: 'Free coffee', cost: null } }, /^reward\.cost: is required with mode "POINTS"\.$/],
    [{ reward: { title: 'Free coffee', cost: 0 } }, /^reward\.cost must/],
    [{ reward: { title: 'Free coffee', cost: 1.5 } }, /^reward\.cost must/],
    [{ reward: { title: 'Free coffee', cost: '5' } }, /^reward\.cost must/],
    [{ reward: { title: 'Free coffee', cost: 2 ** 53 } }, /^reward\.cost is beyond ±9007199254740991/],
    [{ reward: { title: 'Free coffee', cost: 5, value: 1 } }, /^reward\.value is not known/],
    [
      { threshold: 10 },
      /^threshold: only mode "STAMPS" has one; "POINTS" has reward\.cost\. Leave it out\.$/,
    ],
    [{ mode: undefined }, /^mode is required/],
    [{ mode: 'points' }, /^mode must be/],
    [{ mode: 'STAMPS' }, /^threshold: is required with mode "STAMPS"\.$/],
    [{ mode: 'STAMPS', threshold: null }, /^threshold: is required with mode "STAMPS"\.$/],
    [{ mode: 'STAMPS', threshold: 10 }, /^reward\.cost: only mode "POINTS" has one; "STAMPS" has threshold/],
    [{ ...stamps, threshold: 0 }, /^threshold must/],
    [{ ...stamps, threshold: 2.5 }, /^threshold must/],
    [{ tiers: null }, /^tiers must/],
    [{ tiers: [{ key: 'Gold', title: 'Gold', from: 1 }] }, /^tiers\[0\]\.key/],
    [{ tiers: [{ key: 'gold', from: 1 }] }, /^tiers\[0\]\.title is required/],
    [{ tiers: [{ key: 'gold', title: 'Gold', from: -1 }] }, /^tiers\[0\]\.from must/],
    [{ tiers: [{ key: 'gold', title: 'Gold', from: 1, multiplier: 0.9 }] }, /^tiers\[0\]\.multiplier must/],
    [{ tiers: [{ key: 'gold', title: 'Gold', from: 1, multiplier: 101 }] }, /^tiers\[0\]\.multiplier must/],
    [
      { tiers: [{ key: 'gold', title: 'Gold', from: 1, multiplier: 1.0001 }] },
      /^tiers\[0\]\.multiplier: must have at most 3 decimals\.$/,
    ],
    [{ tiers: [1, 2].map((from) => ({ key: 'gold', title: 'Gold', from })) }, /^tiers\[1\]\.key: belongs/],
    [{ tiers: ['a', 'b'].map((key) => ({ key, title: key, from: 5 })) }, /^tiers\[1\]\.from: is where/],
    [{ earn: null }, /^earn must/],
    [{ earn: { perCurrencyUnit: -1 } }, /^earn\.perCurrencyUnit must be at least 0/],
    [{ earn: { perCurrencyUnit: 1_000_001 } }, /^earn\.perCurrencyUnit must be at most 1000000/],
    [{ earn: { perCurrencyUnit: '1' } }, /^earn\.perCurrencyUnit must/],
    [{ earn: { perCurrencyUnit: 0.0001 } }, /^earn\.perCurrencyUnit: must have at most 3 decimals\.$/],
    [{ earn: { perCurrencyUnit: 1e-7 } }, /^earn\.perCurrencyUnit: must have at most 3 decimals\.$/],
    [{ earn: { perOrder: 0.5 } }, /^earn\.perOrder must/],
    [{ earn: { perOrder: -1 } }, /^earn\.perOrder must be at least 0/],
    [{ earn: { perVisit: 1 } }, /^earn\.perVisit is not known/],
    [{ earn: { currency: 'eur' } }, /^earn\.currency is not .* EUR/],
    [{ earn: { currency: null } }, /^earn\.currency must/],
    [{ earn: { currency: 'EUU' } }, /^earn\.currency: "EUU" is no currency of ISO 4217\.$/],
    [{ earn: { rates: { EUU: '1' } } }, /^earn\.rates\.EUU: is no currency of ISO 4217\.$/],
    [{ earn: { rates: { EUR: '1' } } }, /^earn\.rates\.EUR: is the currency that the program counts in/],
    [{ earn: { rates: { JPY: '0.000' } } }, /^earn\.rates\.JPY: must be more than 0\.$/],
    [{ earn: { rates: { JPY: 0.0061 } } }, /^earn\.rates\.JPY must/],
    [{ earn: { rates: { JPY: '1e-3' } } }, /^earn\.rates\.JPY is not .* 0\.0061/],
    [{ earn: { rates: { JPY: '0.0000000000001' } } }, /^earn\.rates\.JPY is not .* 0\.0061/],
    [
      { earn: { minOrder: { amount: '1200', currency: 'JPY' } } },
      /^earn\.minOrder\.currency: the program counts in EUR and has no rate for JPY\. Send earn\.currency, or earn\.rates\.JPY\.$/,
    ],
    [{ earn: { minOrder: 12.5 } }, /^earn\.minOrder must/],
    [{ earn: { minOrder: { amount: '1' } } }, /^earn\.minOrder\.currency is required/],
    [{ earn: { minOrder: { amount: 1, currency: 'EUR' } } }, /^earn\.minOrder\.amount must/],
    [{ earn: { minOrder: { amount: '-1', currency: 'EUR' } } }, /^earn\.minOrder\.amount is not .* 12\.50/],
    [{ earn: { minOrder: { amount: '1,50', currency: 'EUR' } } }, /^earn\.minOrder\.amount is not .* 12\.50/],
    [{ earn: { minOrder: { amount: '1', currency: 'eur' } } }, /^earn\.minOrder\.currency is not .* EUR/],
    [
      { earn: { minOrder: { amount: '1', currency: 'EUU' } } },
      /^earn\.minOrder\.currency: "EUU" is no currency of ISO 4217\.$/,
    ],
    [
      { earn: { minOrder: { amount: '1.234', currency: 'EUR' } } },
      /^earn\.minOrder\.amount: EUR has at most 2 decimals\.$/,
    ],
    [
      { earn: { minOrder: { amount: '1.0', currency: 'JPY' } } },
      /^earn\.minOrder\.amount: JPY has no decimals\.$/,
    ],
    [
      { earn: { minOrder: { amount: '9007199254740992', currency: 'JPY' } } },
      /^earn\.minOrder\.amount: is too large\.$/,
    ],
    [{ expiry: { months: 0 } }, /^expiry\.months must/],
    [{ expiry: { months: 1_201 } }, /^expiry\.months must/],
    [{ expiry: { days: 3 } }, /^expiry\.days is not known/],
    [{ limits: { perDay: 0 } }, /^limits\.perDay must/],
    [{ limits: { minSecondsBetween: 0 } }, /^limits\.minSecondsBetween must/],
    [{ limits: { minSecondsBetween: 31_536_001 } }, /^limits\.minSecondsBetween must/],
    [{ refundPolicy: 'none' }, /^refundPolicy must be/],
    [{ pointName: { one: 'bean' } }, /^pointName\.other is required/],
    [{ pointName: { one: '', other: 'beans' } }, /^pointName\.one/],
    [{ drawsStamps: 'yes' }, /^drawsStamps must/],
    [{ status: 'active' }, /^status is not known/],
    [{ passId: undefined }, /^passId is required/],
    [{ passId: 5 }, /^passId must/],
  ];
  for (const [part, message] of wrong) {
    it(`is refused with ${JSON.stringify(part).slice(0, 90)}`, async () => {
      const pass = await makePass(client);
      const body = { passId: pass.passId, ...points, ...part };
      assertRefused(await create(body), 'invalid_request', message);
      assert.deepEqual(await programsOf(pass), []);
    });
  }

  it('needs a pass that exists, is of the workspace and within reach of the key', async () => {
    const pass = await makePass(client);
    const { client: stranger } = await app.newWorkspace();
    const restricted = (await makeKey(client, { passIds: [(await makePass(client)).passId] })).client;
    const reader = (await makeKey(client, { access: 'read' })).client;
    const on = (passId: string) => ({ passId, ...points });
    assertRefused(await create(on(encodeId('pass', newUuidV7()))), 'pass_not_found');
    assertRefused(await create(on('pass_1')), 'pass_not_found');
    assertRefused(await create(on(pass.passId), stranger), 'forbidden');
    assertRefused(await create(on(pass.passId), restricted), 'insufficient_scope');
    assertRefused(await create(on(pass.passId), reader), 'insufficient_scope');
    assert.deepEqual(await programsOf(pass), []);
  });
});

describe('one program a pass', () => {
  it('refuses the second and names the first', async () => {
    const pass = await makePass(client);
    const { programId } = (await create({ passId: pass.passId, ...points })).body;
    const repeat = await create({ passId: pass.passId, ...stamps });
    assertRefused(repeat, 'pass_already_dynamic', new RegExp(`PATCH /loyalty/programs/${programId}`));
    assert.equal((await programsOf(pass)).length, 1);
  });

  it('holds among twenty at once', async () => {
    const pass = await makePass(client);
    const replies = await inParallel(20, () => create({ passId: pass.passId, ...points }));
    assert.deepEqual(tally(replies.map(({ status, body }) => body.code ?? status)), {
      201: 1,
      pass_already_dynamic: 19,
    });
    const made = replies.find(({ status }) => status === 201)?.body;
    assert.equal((await client.get(`/passes/${pass.passId}`)).body.programId, made.programId);
    assert.equal((await programsOf(pass)).length, 1);
  });

  it('goes together with changes of the pass, and with issuing, at the same time', async () => {
    const { passId } = await makePass(client);
    const replies = await inParallel(24, (index) => {
      if (index % 4 === 0) return create({ passId, ...points });
      if (index % 4 === 1) return client.patch(`/passes/${passId}`, { title: `Club ${index}` });
      if (index % 4 === 2) return client.post(`/passes/${passId}/messages`, { text: `Hello ${index}` });
      return client.post(`/passes/${passId}/instances`, {});
    });
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 6, 201: 7, 202: 6, 409: 5 });
    const made = replies.find(({ body }) => body.mode === 'POINTS')?.body;
    assert.equal((await client.get(`/passes/${passId}`)).body.programId, made.programId);
  });
});

describe('a repeat with the same Idempotency-Key', () => {
  const headers = (key: string) => ({ headers: { 'idempotency-key': key } });

  it('answers the same bytes, even after the program was changed', async () => {
    const { passId } = await makePass(client);
    const send = () => client.post('/loyalty/programs', { passId, ...points }, headers('p-1'));
    const replies = await inParallel(5, send);
    const [first] = replies;
    await client.patch(`/loyalty/programs/${first?.body.programId}`, { status: 'active' });
    replies.push(await send());
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 6 });
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    const replayed = replies.filter((reply) => reply.headers.get('idempotent-replayed') === 'true');
    assert.equal(replayed.length, 5);
  });

  it('refuses another program, and a key that does not reach the pass', async () => {
    const { passId } = await makePass(client);
    await client.post('/loyalty/programs', { passId, ...points }, headers('p-2'));
    const other = await client.post('/loyalty/programs', { passId, ...stamps }, headers('p-2'));
    assertRefused(other, 'external_ref_reused');
    const restricted = (await makeKey(client, { passIds: [(await makePass(client)).passId] })).client;
    const foreign = await restricted.post('/loyalty/programs', { passId, ...points }, headers('p-2'));
    assertRefused(foreign, 'insufficient_scope');
  });

  it('does not keep a refusal', async () => {
    const { passId } = await makePass(client);
    const body = { passId, mode: 'POINTS', reward: { title: 'Free coffee' } };
    const refused = await client.post('/loyalty/programs', body, headers('p-3'));
    assertRefused(refused, 'invalid_request', /^reward\.cost/);
    const whole = { ...body, reward: points.reward };
    assert.equal((await client.post('/loyalty/programs', whole, headers('p-3'))).status, 201);
  });
});

describe('a pass with a program', () => {
  it('is cloned without it', async () => {
    const { passId } = await makePass(client);
    await create({ passId, ...points });
    const clone = (await client.post(`/passes/${passId}/clone`)).body;
    assert.equal(clone.programId, null);
    assert.equal((await create({ passId: clone.passId, ...points })).status, 201);
  });

  it('is deleted with it as long as it has no cards', async () => {
    const pass = await makePass(client);
    const { programId } = (await create({ passId: pass.passId, ...points })).body;
    await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    assert.equal((await client.delete(`/passes/${pass.passId}`)).status, 204);
    assertRefused(await client.get(`/loyalty/programs/${programId}`), 'program_not_found');
    assert.deepEqual(await programsOf(pass), []);
    const states = 'select * from program_states where program_id = $1';
    assert.deepEqual(await app.sql(states, [decodeId('prog', programId)]), []);
  });

  it('stays with it when it has cards', async () => {
    const { passId } = await makePass(client);
    const { programId } = (await create({ passId, ...points })).body;
    await makeCard(client, passId);
    assertRefused(await client.delete(`/passes/${passId}`), 'invalid_request', /has 1 instances/);
    assert.equal((await client.get(`/loyalty/programs/${programId}`)).status, 200);
  });
});

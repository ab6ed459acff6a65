import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json, type Reply } from '../../../test/client.ts';
import { eventsOf } from '../../../test/events.ts';
import { inParallel, makeCard, makeKey, makePass, tally } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { assertInvariants } from '../../../test/invariants.ts';
import { Device, takeCard } from '../../delivery/apple/device.fixture.ts';
import { decodeId, encodeId, newUuidV7 } from '../../kit/ids.ts';

const app = await startTestApp();
let client: Client;
let keyId: string;
before(async () => {
  ({ client } = await app.newWorkspace());
  ({ keyId } = (await client.get('/me')).body);
});

const points = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 100 } };
const noLimits = { perDay: null, minSecondsBetween: null, perAward: null, perAwardByRole: {} };
const stamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };

async function makeProgram(terms: object = points, status = 'published'): Promise<Json> {
  const { passId } = await makePass(client, {}, status);
  const { status: made, body, text } = await client.post('/loyalty/programs', { passId, ...terms });
  assert.equal(made, 201, text);
  return body;
}

const pathOf = ({ programId }: Json) => `/loyalty/programs/${programId}`;
const patch = (program: Json, changes: object): Promise<Reply> => client.patch(pathOf(program), changes);
const launch = (program: Json) => patch(program, { status: 'active' });
const pause = (program: Json) => patch(program, { status: 'paused' });
const current = async (program: Json): Promise<Json> => (await client.get(pathOf(program))).body;
const auditOf = async ({ programId }: Json) =>
  app.sql('select action, actor, detail from audit_log where target = $1 order by audit_id', [programId]);
const withoutHistory = ({ history: _, ...program }: Json) => program;
/** What an audit line says of a change of these properties. */
const changeOf = (was: Json, is: Json, ...names: string[]) => ({
  before: Object.fromEntries(names.map((name) => [name, was[name]])),
  after: Object.fromEntries(names.map((name) => [name, is[name]])),
});
const eventsAbout = async ({ passId }: Json) =>
  (await eventsOf(client, `passId=${passId}`)).filter(({ type }) => type.startsWith('program.'));
const historyOf = (program: Json) => program.history.map(({ status }: Json) => status);

/** What wallets were notified of: the revision of the pass, and how often a rollout began. */
async function stateOf({ passId }: Json): Promise<{ revision: number; modifiedAt: Date; rollouts: number }> {
  const [found] = await app.sql<{ revision: number; modifiedAt: Date; rollouts: number }>(
    `select p.revision::int, p.modified_at as "modifiedAt",
       (select count(*)::int from rollouts r where r.pass_id = p.pass_id) as rollouts
     from passes p where p.pass_id = $1`,
    [decodeId('pass', passId)],
  );
  assert.ok(found);
  return found;
}

async function install({ passId }: Json): Promise<void> {
  const card = await takeCard(app, await makeCard(client, passId));
  assert.equal((await new Device(app).register(card)).status, 201);
}

describe('PATCH /loyalty/programs/{programId}', () => {
  const earn = { perCurrencyUnit: 1, currency: 'EUR', rates: {}, perOrder: 0, minOrder: null };
  const changes: [object, object][] = [
    [{ reward: { title: 'Free tea' } }, { reward: { title: 'Free tea', cost: 100 } }],
    [{ reward: { cost: 5 } }, { reward: { title: 'Free coffee', cost: 5 } }],
    [{ threshold: null }, {}],
    [{ earn: { perCurrencyUnit: 2.5 } }, { earn: { ...earn, perCurrencyUnit: 2.5 } }],
    [{ earn: { perOrder: 3 } }, { earn: { ...earn, perOrder: 3 } }],
    [
      { earn: { minOrder: { amount: '5', currency: 'EUR' } } },
      { earn: { ...earn, minOrder: { amount: '5.00', currency: 'EUR' } } },
    ],
    [{ earn: { minOrder: null } }, {}],
    [{ earn: { currency: 'JPY' } }, { earn: { ...earn, currency: 'JPY' } }],
    [{ earn: { rates: { JPY: '0.0061' } } }, { earn: { ...earn, rates: { JPY: '0.0061' } } }],
    [{ earn: { currency: 'EUR', rates: { JPY: null } } }, {}],
    [
      {
        tiers: [
          { key: 'gold', title: 'Gold', from: 100, multiplier: 2.5 },
          { key: 'tin', title: 'Tin', from: 0 },
        ],
      },
      {
        tiers: [
          { key: 'tin', title: 'Tin', from: 0, multiplier: 1 },
          { key: 'gold', title: 'Gold', from: 100, multiplier: 2.5 },
        ],
      },
    ],
    [{ tiers: [] }, {}],
    [{ expiry: { months: 6 } }, { expiry: { months: 6 } }],
    [{ limits: { perDay: 50 } }, { limits: { ...noLimits, perDay: 50 } }],
    [{ limits: { minSecondsBetween: 60 } }, { limits: { ...noLimits, minSecondsBetween: 60 } }],
    [{ limits: { perAward: 9 } }, { limits: { ...noLimits, perAward: 9 } }],
    [{ refundPolicy: 'within_balance' }, { refundPolicy: 'within_balance' }],
    [{ pointName: { other: 'beans' } }, { pointName: { one: 'point', other: 'beans' } }],
    [{ drawsStamps: false }, { drawsStamps: false }],
    [{ limits: {}, earn: {} }, {}],
  ];
  for (const [change, expected] of changes) {
    it(`${JSON.stringify(change)}: changes this and leaves the rest alone`, async () => {
      const program = await makeProgram();
      app.advance(10);
      const reply = await patch(program, change);
      assert.equal(reply.status, 200, reply.text);
      const { updatedAt, ...rest } = reply.body;
      const { updatedAt: was, ...unchanged } = program;
      const rewards = [{ ...program.rewards[0], ...rest.reward }];
      assert.deepEqual(rest, { ...unchanged, rewards, ...expected });
      assert.equal(updatedAt > was, Object.keys(expected).length > 0);
      assert.deepEqual(await current(program), reply.body);
    });
  }

  it('clears what null clears', async () => {
    const program = await makeProgram({
      ...points,
      earn: { minOrder: { amount: '5.00', currency: 'EUR' } },
      expiry: { months: 6 },
      limits: { perDay: 5, minSecondsBetween: 5, perAward: 5 },
    });
    const { body } = await patch(program, {
      earn: { minOrder: null },
      expiry: { months: null },
      limits: { perDay: null, minSecondsBetween: null, perAward: null },
    });
    assert.deepEqual([body.earn.minOrder, body.expiry, body.limits], [null, { months: null }, noLimits]);
  });

  it('leaves the rates alone that it does not name', async () => {
    const program = await makeProgram({ ...points, earn: { rates: { JPY: '0.0061', USD: '0.92' } } });
    const { body } = await patch(program, { earn: { rates: { USD: null, GBP: '1.15' } } });
    assert.deepEqual(body.earn.rates, { JPY: '0.0061', GBP: '1.15' });
    const yen = await patch(program, { earn: { currency: 'JPY' } });
    assertRefused(yen, 'invalid_request', /^earn\.rates\.JPY: is the currency that the program counts in/);
    const now = await patch(program, { earn: { currency: 'JPY', rates: { JPY: null, GBP: '189' } } });
    assert.deepEqual([now.body.earn.currency, now.body.earn.rates], ['JPY', { GBP: '189' }]);
  });

  it('changes nothing when one part is wrong', async () => {
    const program = await makeProgram();
    const wrong: [object, RegExp][] = [
      [{ drawsStamps: false, reward: { cost: null } }, /^reward\.cost: is required with mode "POINTS"/],
      [{ drawsStamps: false, threshold: 10 }, /^threshold: only mode "STAMPS" has one/],
      [{ drawsStamps: false, earn: { perCurrencyUnit: 0.1234 } }, /^earn\.perCurrencyUnit: must have/],
      [{ drawsStamps: false, mode: 'STAMPS' }, /^mode is not known/],
      [{ drawsStamps: false, passId: program.passId }, /^passId is not known/],
      [{ drawsStamps: false, status: 'not_launched' }, /^status must be/],
      [{ drawsStamps: false, status: 'launched' }, /^status must be/],
      [{ drawsStamps: false, status: null }, /^status must be/],
      [{ reward: null }, /^reward must/],
      [{ pointName: { one: null } }, /^pointName\.one must/],
      [{ earn: { perOrder: null } }, /^earn\.perOrder must/],
      [{}, /at least 1 property/],
    ];
    for (const [change, message] of wrong)
      assertRefused(await patch(program, change), 'invalid_request', message);
    const inStamps = await makeProgram(stamps);
    assertRefused(await patch(inStamps, { threshold: null }), 'invalid_request', /^threshold: is required/);
    assertRefused(await patch(inStamps, { reward: { cost: 1 } }), 'invalid_request', /^reward\.cost: only/);
    assert.deepEqual(await current(program), program);
    assert.deepEqual(await current(inStamps), inStamps);
    assert.equal((await auditOf(program)).length, 1);
  });

  it('applies concurrent changes of different parts all', async () => {
    const program = await makeProgram();
    const parts = [
      { reward: { title: 'Tea' } },
      { reward: { cost: 7 } },
      { limits: { perDay: 9 } },
      { status: 'active' },
      { drawsStamps: false },
    ];
    const replies = await inParallel(parts.length, (index) => patch(program, parts[index] ?? {}));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 5 });
    const { reward, limits, status, drawsStamps } = await current(program);
    assert.deepEqual(
      [reward, limits.perDay, status, drawsStamps],
      [{ title: 'Tea', cost: 7 }, 9, 'active', false],
    );
  });

  it('goes together with changes of its pass, and with issuing, at the same time', async () => {
    const program = await makeProgram();
    await launch(program);
    const { revision } = await stateOf(program);
    const pass = `/passes/${program.passId}`;
    const replies = await inParallel(30, (index) => {
      if (index % 3 === 0) return patch(program, { reward: { cost: 200 + index } });
      if (index % 3 === 1) return client.patch(pass, { title: `Club ${index}` });
      return client.post(`${pass}/instances`, {});
    });
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 20, 201: 10 });
    assert.equal((await stateOf(program)).revision, revision + 20);
    assert.equal((await client.get(pass)).body.programId, program.programId);
    await assertInvariants(app.sql);
  });
});

describe('the status of a program', () => {
  it('is launched, paused and resumed; the launch is dated once', async () => {
    const program = await makeProgram();
    const launched = (await launch(program)).body;
    assert.deepEqual([launched.status, launched.launchedAt], ['active', launched.updatedAt]);
    app.advance(1_000);
    const paused = (await pause(program)).body;
    app.advance(1_000);
    const resumed = (await launch(program)).body;
    assert.deepEqual([paused.status, paused.launchedAt], ['paused', launched.launchedAt]);
    assert.deepEqual([resumed.status, resumed.launchedAt], ['active', launched.launchedAt]);
    assert.deepEqual(
      resumed.history,
      [resumed, paused, launched, program].map(({ status, updatedAt }) => ({
        status,
        at: updatedAt,
        actor: keyId,
      })),
    );
    assert.deepEqual(await current(program), resumed);
    assert.deepEqual(
      await auditOf(program),
      [
        ['createProgram', { after: withoutHistory(program) }],
        ['updateProgram', changeOf(program, launched, 'status', 'launchedAt', 'updatedAt')],
        ['updateProgram', changeOf(launched, paused, 'status', 'updatedAt')],
        ['updateProgram', changeOf(paused, resumed, 'status', 'updatedAt')],
      ].map(([action, detail]) => ({ action, actor: keyId, detail })),
    );
    const events = await eventsAbout(program);
    assert.deepEqual(
      events.map(({ type, passId, instanceId, actor, data, previous }) => ({
        type,
        passId,
        instanceId,
        actor,
        data,
        previous,
      })),
      [
        ['program.launched', program, launched],
        ['program.paused', launched, paused],
        ['program.launched', paused, resumed],
      ].map(([type, was, is]) => ({
        type,
        passId: program.passId,
        instanceId: null,
        actor: keyId,
        data: withoutHistory(is),
        previous: changeOf(was, is, ...(was === program ? ['launchedAt'] : []), 'status', 'updatedAt').before,
      })),
    );
  });

  it('stays as it is when it is active already', async () => {
    const program = await makeProgram();
    const launched = (await launch(program)).body;
    const before = await stateOf(program);
    app.advance(1_000);
    const replies = await inParallel(5, () => launch(program));
    for (const { status, body } of replies) assert.deepEqual([status, body], [200, launched]);
    assert.equal((await auditOf(program)).length, 2);
    assert.deepEqual(await stateOf(program), before);
    assert.equal((await eventsAbout(program)).length, 1);
  });

  it('is launched once by twenty at the same time', async () => {
    const program = await makeProgram();
    const replies = await inParallel(20, () => launch(program));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.deepEqual(historyOf(await current(program)), ['active', 'not_launched']);
  });

  for (const passStatus of ['draft', 'archived']) {
    it(`needs a published pass to become active: not one that is ${passStatus}`, async () => {
      const program = await makeProgram(points, passStatus);
      const refused = await patch(program, { status: 'active', reward: { title: 'Free tea' } });
      const extra = { reason: 'publish_pass_first' };
      assertRefused(
        refused,
        'program_state_conflict',
        new RegExp(`PATCH /passes/${program.passId} first`),
        extra,
      );
      assert.equal(refused.status, 422);
      assert.deepEqual(await current(program), program);
      await client.patch(`/passes/${program.passId}`, { status: 'published' });
      assert.equal((await launch(program)).body.status, 'active');
    });
  }

  it('stays active when the pass is archived or drafted afterwards, and may then be paused, not resumed', async () => {
    const program = await makeProgram();
    await launch(program);
    for (const status of ['archived', 'draft']) {
      await client.patch(`/passes/${program.passId}`, { status });
      assert.equal((await current(program)).status, 'active');
      assertRefused(await launch(program), 'program_state_conflict', /Publish it/, {
        reason: 'publish_pass_first',
      });
    }
    assert.equal((await pause(program)).status, 200);
    assertRefused(await launch(program), 'program_state_conflict', /a draft/, {
      reason: 'publish_pass_first',
    });
  });

  it('is paused only when active', async () => {
    const extra = { reason: 'pause_requires_active' };
    const program = await makeProgram();
    const early = await patch(program, { status: 'paused', drawsStamps: false });
    assertRefused(early, 'program_state_conflict', /this one is not launched yet/, extra);
    assert.equal(early.status, 422);
    assert.deepEqual(await current(program), program);
    await launch(program);
    const paused = (await pause(program)).body;
    assertRefused(await pause(program), 'program_state_conflict', /this one is paused already/, extra);
    assert.deepEqual(await current(program), paused);
    const drafted = await makeProgram(points, 'draft');
    assertRefused(await pause(drafted), 'program_state_conflict', /Only an active/, extra);
  });

  it('is paused once by twenty at the same time', async () => {
    const program = await makeProgram();
    await launch(program);
    const replies = await inParallel(20, () => pause(program));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 1, 422: 19 });
    assert.deepEqual(historyOf(await current(program)), ['paused', 'active', 'not_launched']);
  });

  it('has a history of which the newest twenty are shown', async () => {
    const program = await makeProgram();
    for (let turn = 0; turn < 11; turn++) {
      await launch(program);
      await pause(program);
    }
    const { history } = await current(program);
    assert.equal(history.length, 20);
    assert.deepEqual(historyOf({ history }).slice(0, 3), ['paused', 'active', 'paused']);
  });
});

describe('what cards show', () => {
  it('is brought to them with the launch, and with what changes about it from then on', async () => {
    const program = await makeProgram(stamps);
    await install(program);
    const steps: [change: object, isShown: boolean][] = [
      [{ reward: { title: 'Tea' }, threshold: 8, pointName: { one: 'bean' }, drawsStamps: false }, false],
      [{ status: 'active' }, true],
      [{ reward: { title: 'Free tea' } }, true],
      [{ threshold: 9 }, true],
      [{ pointName: { other: 'beans' } }, true],
      [{ drawsStamps: true }, true],
      [{ threshold: 9, drawsStamps: true }, false],
      [{ expiry: { months: 3 }, earn: { perOrder: 2 }, limits: { perDay: 4 } }, false],
      [{ refundPolicy: 'within_balance' }, false],
      [{ status: 'paused' }, false],
      [{ reward: { title: 'Free cake' } }, true],
      [{ status: 'active' }, false],
      [{ status: 'active', threshold: 7 }, true],
    ];
    for (const [change, isShown] of steps) {
      const earlier = await stateOf(program);
      // No walk is under way that would only begin anew.
      await app.sql("update rollouts set stage = 'finished', finished_at = now() where stage <> 'finished'");
      const reply = await patch(program, change);
      assert.equal(reply.status, 200, reply.text);
      const later = await stateOf(program);
      const found = {
        revision: later.revision - earlier.revision,
        rollouts: later.rollouts - earlier.rollouts,
        isLater: later.modifiedAt > earlier.modifiedAt,
      };
      const expected = { revision: isShown ? 1 : 0, rollouts: isShown ? 1 : 0, isLater: isShown };
      assert.deepEqual(found, expected, JSON.stringify(change));
    }
  });

  it('is a new revision, and needs no push, while no card is installed', async () => {
    const program = await makeProgram();
    await makeCard(client, program.passId);
    const earlier = await stateOf(program);
    await launch(program);
    const later = await stateOf(program);
    assert.deepEqual([later.revision - earlier.revision, later.rollouts], [1, 0]);
  });
});

describe('who may see and change a program', () => {
  it('only keys of its workspace that reach its pass', async () => {
    const program = await makeProgram();
    const other = await makeProgram();
    const { client: stranger } = await app.newWorkspace();
    const reader = (await makeKey(client, { access: 'read' })).client;
    const restricted = (await makeKey(client, { passIds: [program.passId] })).client;
    const change = { reward: { cost: 3 } };
    for (const path of [pathOf(program), `${pathOf(program)}/summary`]) {
      assertRefused(await stranger.get(path), 'forbidden', /belongs to another account/);
      for (const by of [client, reader, restricted]) assert.equal((await by.get(path)).status, 200);
    }
    for (const path of [pathOf(other), `${pathOf(other)}/summary`])
      assertRefused(await restricted.get(path), 'insufficient_scope');
    assertRefused(await stranger.patch(pathOf(program), change), 'forbidden');
    assertRefused(await reader.patch(pathOf(program), change), 'insufficient_scope');
    assertRefused(await restricted.patch(pathOf(other), change), 'insufficient_scope');
    assert.deepEqual([await current(program), await current(other)], [program, other]);
    assert.equal((await restricted.patch(pathOf(program), change)).body.reward.cost, 3);
  });

  it('no card, when there is none', async () => {
    for (const programId of [encodeId('prog', newUuidV7()), 'prog_1', encodeId('pass', newUuidV7())]) {
      const none = { programId };
      assertRefused(
        await client.get(pathOf(none)),
        'program_not_found',
        /GET \/loyalty\/programs lists yours/,
      );
      assertRefused(await client.get(`${pathOf(none)}/summary`), 'program_not_found');
      assertRefused(await launch(none), 'program_not_found');
    }
  });
});

import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makeCard, makeKey, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { makeProgram } from '../loyalty/account.fixture.ts';
import { Browser, makePerson, pairTill, sameOrigin, signInAs, signInAtTill } from './people.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
const { client } = await app.newWorkspace();

/** A person who can sign in at a till. */
async function withPin(by: Client, role: 'owner' | 'staff' = 'staff', more: object = {}): Promise<string> {
  const { personId } = await makePerson(by, role, more);
  assert.equal((await by.patch(`/people/${personId}`, { pin: '2580' })).status, 200);
  return personId;
}

describe('a shared till', () => {
  it('is paired once, and knows the names of the people who can sign in', async () => {
    const { client: own } = await app.newWorkspace();
    const personId = await withPin(own, 'staff', { name: 'Ada' });
    await makePerson(own, 'staff', { name: 'Without a PIN' });
    const code = String((await own.post('/devices', { name: 'Till by the door' })).body.code);
    const replies = await inParallel(5, () => app.anyone.post('/devices/pair', { code }));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 1, 401: 4 });
    const paired = replies.find(({ status }) => status === 201);
    assert.deepEqual(paired?.body.people, [{ personId, name: 'Ada' }]);
    assert.match(paired?.headers.get('set-cookie') ?? '', /^__Host-punchcard-till=pkd_\w{36}; .*HttpOnly/);
    const [shown] = (await own.get('/devices')).body.data;
    assert.deepEqual([shown.name, shown.paired], ['Till by the door', true]);
    const late = (await own.post('/devices', { name: 'Late' })).body.code;
    app.advance(900_000);
    assertRefused(await app.anyone.post('/devices/pair', { code: late }), 'invalid_link');
    const dump = (await app.dump()).toLowerCase();
    const typed = code.toLowerCase();
    for (const secret of [typed, typed.replace('-', ''), '2580$', 'pkd_'])
      assert.ok(!dump.includes(secret), secret);
  });

  it('lets people in by the PIN of their invitation, before they have joined', async () => {
    const { client: own } = await app.newWorkspace();
    const body = { email: 'ada@example.com', name: 'Ada', role: 'staff', pin: '2580' };
    const headers = { 'idempotency-key': 'invite-ada' };
    const first = await own.post('/people', body, { headers });
    const again = await own.post('/people', body, { headers });
    assert.deepEqual([first.status, again.status], [201, 201]);
    assert.deepEqual([first.body.hasPin, again.body.personId], [true, first.body.personId]);
    const { till } = await pairTill(app, own);
    const { personId } = first.body;
    assert.equal((await till.post('/sessions', { personId, pin: '2580' })).status, 201);
    for (const [more, problem] of [
      [{ pin: '1234' }, 'reserved'],
      [{ pin: '12a4' }, 'pattern'],
      [{ role: 'viewer' }, 'excluded'],
    ] as const) {
      const refused = await own.post('/people', { ...body, email: 'bob@example.com', ...more });
      assertRefused(refused, 'invalid_request', /^pin\b/);
      assert.equal(refused.body.problems[0].rule, problem);
    }
    assert.ok(!(await app.dump()).includes('2580$'));
  });

  it('takes its code as people type it', async () => {
    const { client: own } = await app.newWorkspace();
    const pair = (code: string) => app.anyone.post('/devices/pair', { code });
    const made = async (): Promise<string> => (await own.post('/devices', { name: 'Typed' })).body.code;
    assert.match(await made(), /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    const typed: ((code: string) => string)[] = [
      (code) => code.toLowerCase(),
      (code) => ` ${code.replace('-', '')} `,
      (code) => code.replaceAll('0', 'o').replaceAll('1', 'l'),
      (code) => code.replace('-', ' \u2013 ').replaceAll('1', 'I'),
    ];
    for (const as of typed) assert.equal((await pair(as(await made()))).status, 201);
  });

  it('lists them as people sort names, whatever the locale of the database', async () => {
    const { client: own } = await app.newWorkspace();
    for (const name of ['Zoe', 'Ärmel', 'anna']) await withPin(own, 'staff', { name });
    const { code } = (await own.post('/devices', { name: 'Till by the door' })).body;
    const { people } = (await app.anyone.post('/devices/pair', { code })).body;
    assert.deepEqual(
      people.map(({ name }: { name: string }) => name),
      ['anna', 'Ärmel', 'Zoe'],
    );
  });

  it('enters for its partner and names who signed in, whatever else they may do', async () => {
    const { client: own } = await app.newWorkspace();
    const partnerId = (await own.post('/partners', { name: 'Harbour' })).body.partnerId;
    const { pass } = await makeProgram(own);
    const card = await makeCard(own, pass.passId);
    const { browser, reply } = await signInAtTill(app, 'owner', own, { partnerId });
    assert.deepEqual(
      reply.body.workspaces.map(({ role }: { role: string }) => role),
      ['staff'],
    );
    const award = { passId: pass.passId, instanceId: card.instanceId, points: 2 };
    const { entryId } = (await browser.post('/loyalty/points', award)).body;
    const entry = (await own.get(`/loyalty/entries/${entryId}`)).body;
    assert.deepEqual([entry.actor, entry.partnerId], [browser.personId, partnerId]);
    const [device] = (await own.get('/devices')).body.data;
    assert.equal(entry.deviceId, device.deviceId);
    assertRefused(await browser.get('/people'), 'role_required');
  });

  it('can be asked what was entered at it, and by whom', async () => {
    const { client: own } = await app.newWorkspace();
    const { pass } = await makeProgram(own, { mode: 'STAMPS', reward: { title: 'Coffee' }, threshold: 2 });
    const card = await makeCard(own, pass.passId, { holder: { name: 'Ana Kovač' } });
    const nameless = await makeCard(own, pass.passId, { holder: { identifier: 'c-1' } });
    const { browser } = await signInAtTill(app, 'staff', own);
    const elsewhere = await signInAs(app, 'owner', own);
    const award = async (by: Client, { instanceId }: Json, points: number) =>
      assert.equal(
        (await by.post('/loyalty/points', { passId: pass.passId, instanceId, points })).status,
        200,
      );
    await award(own, card, 1);
    await award(browser, card, 1);
    await award(elsewhere, nameless, 1);
    await award(browser, nameless, 1);
    const [{ deviceId }] = (await own.get('/devices')).body.data;
    const found = async (filter: string) => {
      const { body, status, text } = await own.get(
        `/loyalty/entries?passId=${pass.passId}&include=holder&${filter}`,
      );
      assert.equal(status, 200, text);
      return body.data.map((entry: Json) => `${entry.holderName} ${entry.kind} ${entry.points}`);
    };
    const atTill = ['c-1 unlock -2', 'c-1 earn 1', 'Ana Kovač unlock -2', 'Ana Kovač earn 1'];
    assert.deepEqual(await found(`deviceId=${deviceId}`), atTill);
    assert.deepEqual(await found(`personId=${browser.personId}`), atTill);
    assert.deepEqual(await found(`personId=${elsewhere.personId}`), ['c-1 earn 1']);
    assert.deepEqual(await found(`deviceId=${deviceId}&kind=earn&limit=1`), ['c-1 earn 1']);
    assert.deepEqual(await found(`deviceId=${deviceId}&personId=${elsewhere.personId}`), []);
    assert.equal((await found('kind=earn')).length, 4);
    assert.deepEqual(await found('personId=key_0'), []);
    const { client: strangers } = await app.newWorkspace();
    const { pass: theirs } = await makeProgram(strangers);
    const { body } = await strangers.get(`/loyalty/entries?passId=${theirs.passId}&deviceId=${deviceId}`);
    assert.deepEqual(body.data, []);
  });

  it('gives no way to more: no password, no other sessions, no other workspace', async () => {
    const { browser } = await signInAtTill(app, 'owner', client);
    const set = await browser.post('/sessions/current/password', { password: 'correct horse battery' });
    assertRefused(set, 'role_required', /shared till/);
    assertRefused(await browser.post('/api-keys', { name: 'Mine', access: 'full' }), 'role_required');
    assertRefused(await browser.delete(`/sessions/${encodeId('session', newUuidV7())}`), 'role_required');
    const { workspaceId } = await app.newWorkspace();
    assertRefused(await browser.in(workspaceId).get('/me'), 'role_required');
    assert.equal((await browser.delete('/sessions/current')).status, 204);
  });

  it('that is stolen and revoked is none within a second, in every process', async () => {
    const { browser, device, till } = await signInAtTill(app, 'staff', client);
    const there = new Browser(await app.twin(), browser.headers, browser.personId);
    for (const who of [browser, there]) assert.equal((await who.get('/me')).status, 200);
    assert.equal((await client.delete(`/devices/${device.deviceId}`)).status, 204);
    assertRefused(await browser.get('/me'), 'invalid_session');
    await sleep(1_001);
    assertRefused(await there.get('/me'), 'invalid_session');
    assertRefused(await till.get('/devices/current'), 'invalid_session');
    const repeat = await till.post('/sessions', { personId: browser.personId, pin: '2580' });
    assertRefused(repeat, 'invalid_session');
  });

  it('signs out by itself after twelve hours', async () => {
    const { browser } = await signInAtTill(app, 'staff', client);
    app.advance(12 * 3_600_000);
    assertRefused(await browser.get('/me'), 'invalid_session');
  });

  it('is made and revoked by a manager, not by staff nor by a restricted key', async () => {
    const manager = await signInAs(app, 'manager', client);
    const { deviceId } = (await manager.post('/devices', { name: 'Till' })).body;
    const staff = await signInAs(app, 'staff', client);
    assertRefused(await staff.post('/devices', { name: 'Till' }), 'role_required');
    assertRefused(await staff.delete(`/devices/${deviceId}`), 'role_required');
    const { passId } = (await makeProgram(client)).pass;
    const restricted = await makeKey(client, { passIds: [passId] });
    assertRefused(await restricted.client.post('/devices', { name: 'Till' }), 'insufficient_scope');
    assert.equal((await manager.delete(`/devices/${deviceId}`)).status, 204);
  });
});

describe('a PIN', () => {
  it('signs in at a paired till alone, and not for another site', async () => {
    const personId = await withPin(client);
    const pin = '2580';
    assertRefused(await app.anyone.post('/sessions', { personId, pin }), 'invalid_session');
    const { till } = await pairTill(app, client);
    const foreign = till.with({ 'sec-fetch-site': 'cross-site' });
    assertRefused(await foreign.post('/sessions', { personId, pin }), 'invalid_request', /site/);
    const { till: strangers } = await pairTill(app, (await app.newWorkspace()).client);
    assertRefused(await strangers.post('/sessions', { personId, pin }), 'invalid_credentials', /./, {
      triesLeft: 4,
    });
    assert.equal((await till.post('/sessions', { personId, pin })).status, 201);
  });

  it('takes the same work and gets the same answer for an unknown person, for a person without one, and when it is wrong', async () => {
    const { till } = await pairTill(app, client);
    const without = (await makePerson(client, 'staff')).personId;
    const right = await withPin(client);
    let derived = 0;
    const hook = createHook({
      init(_id, type) {
        if (type === 'SCRYPTREQUEST') derived += 1;
      },
    });
    const answers = [];
    for (const personId of [encodeId('person', newUuidV7()), 'nobody', without, right]) {
      derived = 0;
      hook.enable();
      const { status, body } = await till.post('/sessions', { personId, pin: '0000' });
      hook.disable();
      answers.push([status, body.code, body.error, derived, body.triesLeft]);
    }
    assert.deepEqual(answers, Array(4).fill(answers[0]));
    assert.deepEqual([answers[0]?.[1], ...(answers[0]?.slice(3) ?? [])], ['invalid_credentials', 1, 4]);
  });

  it('is guessed five times, and the right one then comes too late', async () => {
    const personId = await withPin(client);
    const { till } = await pairTill(app, client);
    const tries = await inParallel(8, (n) => till.post('/sessions', { personId, pin: `000${n}` }));
    assert.deepEqual(tally(tries.map(({ status }) => status)), { 401: 5, 429: 3 });
    // Each says how many are left, down to none.
    assert.deepEqual(tries.flatMap(({ body }) => body.triesLeft ?? []).sort(), [0, 1, 2, 3, 4]);
    assertRefused(await till.post('/sessions', { personId, pin: '2580' }), 'rate_limited');
    const colleague = await withPin(client);
    assert.equal((await till.post('/sessions', { personId: colleague, pin: '2580' })).status, 201);
  });

  it('is never shown, goes with the role of a viewer, and is taken away', async () => {
    const personId = await withPin(client);
    const shown = (await client.get(`/people/${personId}`)).body;
    assert.deepEqual([shown.hasPin, JSON.stringify(shown).includes('scrypt')], [true, false]);
    for (const pin of ['123', '123456789', '12a4', '١٢٣٤'])
      assertRefused(await client.patch(`/people/${personId}`, { pin }), 'invalid_request', /pin/);
    assert.equal((await client.patch(`/people/${personId}`, { role: 'viewer' })).body.hasPin, false);
    assertRefused(await client.patch(`/people/${personId}`, { pin: '2580' }), 'invalid_request', /viewers/);
    const other = await withPin(client);
    assert.equal((await client.patch(`/people/${other}`, { pin: null })).body.hasPin, false);
    const { till } = await pairTill(app, client);
    assertRefused(
      await till.post('/sessions', { personId: other, pin: '2580' }),
      'invalid_credentials',
      /./,
      {
        triesLeft: 4,
      },
    );
  });

  it('changes with a key once, and the key keeps nothing of it', async () => {
    const personId = await withPin(client);
    const headers = { ...sameOrigin, 'idempotency-key': 'new-pin' };
    const first = await client.patch(`/people/${personId}`, { pin: '1470' }, { headers });
    assert.equal((await client.patch(`/people/${personId}`, { pin: '1470' }, { headers })).text, first.text);
    assert.ok(!(await app.dump()).includes('"1470"'));
  });
});

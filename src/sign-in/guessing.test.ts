import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Client } from '../../test/client.ts';
import { inParallel, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { makePerson, pairTill, signIn } from './people.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });

async function withPins(client: Client, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { personId } = await makePerson(client, 'staff');
    assert.equal((await client.patch(`/people/${personId}`, { pin: '2580' })).status, 200);
    ids.push(personId);
  }
  return ids;
}

describe('PINs', () => {
  it('are guessed ten times at a till, for any person, and the right ones are not counted', async () => {
    const { client } = await app.newWorkspace();
    const people = await withPins(client, 4);
    const { till } = await pairTill(app, client);
    for (let n = 0; n < 12; n += 1) {
      const reply = await till.post('/sessions', { personId: people[n % 4], pin: '2580' });
      assert.equal(reply.status, 201, reply.text);
    }
    const guesses = people.flatMap((personId) => [1, 2, 3, 4].map((n) => ({ personId, pin: `739${n}` })));
    const replies = await Promise.all(guesses.map((guess) => till.post('/sessions', guess)));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 401: 10, 429: 6 });
    const { till: next } = await pairTill(app, client);
    const last = people.at(-1);
    assert.equal((await next.post('/sessions', { personId: last, pin: '2580' })).status, 201);
  });

  it('of a person are guessed five times at all tills together', async () => {
    const { client } = await app.newWorkspace();
    const [personId] = await withPins(client, 1);
    const tills = [await pairTill(app, client), await pairTill(app, client), await pairTill(app, client)];
    const replies = await Promise.all(
      tills.flatMap(({ till }) => [1, 2, 3].map((n) => till.post('/sessions', { personId, pin: `739${n}` }))),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 401: 5, 429: 4 });
  });

  it('that would be tried first are refused', async () => {
    const { client } = await app.newWorkspace();
    const { personId } = await makePerson(client, 'staff');
    const weak = ['0000', '1111', '1234', '4321', '0123', '7890', '0987', '1212', '1122', '1984'];
    for (const pin of [...weak, '2026', '123123', '112233', '99999999', '12345678', '87654321', '20202020'])
      assertRefused(
        await client.patch(`/people/${personId}`, { pin }),
        'invalid_request',
        /pin: .*tried first/,
      );
    assert.equal((await client.get(`/people/${personId}`)).body.hasPin, false);
  });
});

describe('a password that would be tried first', () => {
  it('is refused however it is dressed up', async () => {
    const { client } = await app.newWorkspace();
    const { link } = await makePerson(client, 'owner', { name: 'Augusta Lovelace' });
    const { browser } = await signIn(app, link);
    const set = (password: string) => browser.post('/sessions/current/password', { password });
    const weak = [
      'Password1!',
      '0123456789',
      '9876543210',
      'Qwertyuiop1',
      'P@ssw0rd2024!',
      'Pa$$w0rd!!',
      'passwordpassword',
    ];
    const rows = [
      '1q2w3e4r5t',
      'asdfghjkl;',
      'abcdefghij',
      'QWERTZUIOP',
      '1qaz2wsx3edc',
      'iloveyou1234',
      '!!letmein123!!',
    ];
    const own = ['BlueBean2026!', 'blue-bean-1', 'Punchcard1!', 'Lovelace1815', 'ｐａｓｓｗｏｒｄ１２'];
    for (const password of [...weak, ...rows, ...own])
      assertRefused(await set(password), 'invalid_request', /^password:/);
    for (const password of ['correct horse battery', 'another horse', 'Caf\u00e9 au lait', 'pKx7-vrQ2-mwz'])
      assert.equal((await set(password)).status, 204, password);
  });
});

describe('one workspace that derives keys without end', () => {
  it('keeps its own line alone waiting, which is bounded', async () => {
    const { client } = await app.newWorkspace();
    const { client: other } = await app.newWorkspace();
    const [personId] = await withPins(client, 1);
    const [theirs] = await withPins(other, 1);
    const { till } = await pairTill(app, other);
    let done = 0;
    const flood = inParallel(60, async () => {
      const reply = await client.impatient.patch(`/people/${personId}`, { pin: '7391' });
      if (reply.status === 200) done += 1;
      else assert.equal(reply.headers.get('retry-after'), '2');
      return reply;
    });
    // All are there once some are refused.
    const first = await till.post('/sessions', { personId: theirs, pin: '2580' });
    assert.equal(first.status, 201);
    const before = done;
    const { 200: taken = 0, 503: away = 0 } = tally((await flood).map(({ status }) => status));
    assert.ok(taken + away === 60 && away > 0, `${taken} ${away}`);
    assert.ok(before < 17, `${before} of the flood were first`);
    const missing = await client.impatient.patch('/people/person_missing', { pin: '7391' });
    assertRefused(missing, 'person_not_found');
  });
});

describe('codes that pair a till', () => {
  it('are guessed ten times from an address, and the right ones are not counted', async () => {
    const { client } = await app.newWorkspace();
    for (let n = 0; n < 12; n += 1) await pairTill(app, client);
    const replies = await inParallel(14, () => app.anyone.post('/devices/pair', { code: '0000-0000' }));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 401: 10, 429: 4 });
    const { code } = (await client.post('/devices', { name: 'Till' })).body;
    assertRefused(await app.anyone.post('/devices/pair', { code }), 'rate_limited');
  });
});

import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { describe, it } from 'node:test';
import { assertRefused } from '../../test/client.ts';
import { inParallel, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { makePerson, sameOrigin, signIn } from './people.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
const { client } = await app.newWorkspace();
const password = 'correct horse battery';

const signInWith = (email: string, tried = password, headers: Record<string, string> = sameOrigin) =>
  app.anyone.post('/sessions', { email, password: tried }, { headers });

/** A person with a password, and the browser in which it was set. */
async function withPassword(more: object = {}) {
  const person = await makePerson(client, 'owner', more);
  const { browser } = await signIn(app, person.link);
  const set = await browser.post('/sessions/current/password', { password });
  assert.equal(set.status, 204, set.text);
  return { person, browser, email: String(person.email) };
}

describe('a password', () => {
  it('signs in with the address, however that is written, and links do as before', async () => {
    const { person, email } = await withPassword();
    const { status, body } = await signInWith(` ${email.toUpperCase()} `);
    assert.deepEqual([status, body.person?.personId], [201, person.personId]);
    const { link } = (await client.post(`/people/${person.personId}/links`)).body;
    assert.equal((await app.anyone.post('/sessions', { link })).status, 201);
  });

  it('counts the same however its letters are put together, and no other does', async () => {
    const { browser, email } = await withPassword();
    await browser.post('/sessions/current/password', { password: 'Caf\u00e9 au lait' });
    assert.equal((await signInWith(email, 'Cafe\u0301 au lait')).status, 201);
    for (const wrong of ['caf\u00e9 au lait', 'Caf\u00e9 au lait ', password])
      assertRefused(await signInWith(email, wrong), 'invalid_credentials');
  });

  it('that would be tried first is refused', async () => {
    const email = `ada-${newUuidV7()}@example.com`;
    const { browser } = await withPassword({ email });
    for (const weak of ['short-one', 'Password123', 'QWERTYUIOP', 'aaaaaaaaaaaa', '121212121212', email])
      assertRefused(
        await browser.post('/sessions/current/password', { password: weak }),
        'invalid_request',
        /password/,
      );
    assert.equal((await signInWith(email)).status, 201);
  });

  it('is kept as scrypt of it, and shown nowhere', async () => {
    const { email } = await withPassword();
    const [row] = await app.sql<{ password: string }>('select password from people where email = $1', [
      email,
    ]);
    assert.match(row?.password ?? '', /^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    assert.ok(!(await app.dump()).includes(password));
    assert.ok(!(await client.get('/people')).text.includes('scrypt'));
  });

  it('ends the other sessions and links of its person when it is set', async () => {
    const { person, browser, email } = await withPassword();
    const { link } = (await client.post(`/people/${person.personId}/links`)).body;
    const other = await signInWith(email);
    const cookie = other.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    await browser.post('/sessions/current/password', { password: 'another horse' });
    assertRefused(await app.anyone.with({ ...sameOrigin, cookie }).get('/me'), 'invalid_session');
    assertRefused(await app.anyone.post('/sessions', { link }), 'invalid_link');
    assert.equal((await browser.get('/me')).status, 200);
    assertRefused(await signInWith(email), 'invalid_credentials');
  });

  it('is set within ten minutes of signing in, by who has an address', async () => {
    const { browser } = await withPassword();
    app.advance(601_000);
    const late = await browser.post('/sessions/current/password', { password: 'another horse' });
    assertRefused(late, 'recent_sign_in_required');
    const form = await browser.post('/account', { password: 'another horse' });
    assert.equal(form.status, 403);
    const { personId, link } = await makePerson(client, 'owner');
    const { browser: nameless } = await signIn(app, link);
    await app.sql('update people set email = null where email = $1', [
      (await client.get(`/people/${personId}`)).body.email,
    ]);
    app.running.app.sessionCache.clear();
    assertRefused(
      await nameless.post('/sessions/current/password', { password }),
      'invalid_request',
      /no address/,
    );
  });

  it('is set and used on the pages, without a script', async () => {
    const person = await makePerson(client, 'manager');
    const { browser } = await signIn(app, person.link);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const page = await browser.post('/account', 'password=a+horse+and+a+half', { headers: type });
    assert.match(page.text, /Your password is set/);
    const form = `email=${encodeURIComponent(person.email)}&password=a+horse+and+a+half`;
    const signed = await app.anyone.post('/sign-in', form, { headers: { ...type, ...sameOrigin } });
    assert.deepEqual([signed.status, signed.headers.get('location')], [303, '/console']);
    const foreign = { ...type, 'sec-fetch-site': 'cross-site' };
    assert.equal((await app.anyone.post('/sign-in', form, { headers: foreign })).status, 400);
    assert.equal((await browser.post('/account', 'password=mine+for+now', { headers: foreign })).status, 401);
  });
});

describe('guessing', () => {
  it('gets the same answer for an unknown address, for a person without a password, and for a wrong one, after the same work', async () => {
    const { email } = await withPassword();
    const { email: without } = await makePerson(client, 'viewer');
    let derived = 0;
    const hook = createHook({
      init(_id, type) {
        if (type === 'SCRYPTREQUEST') derived += 1;
      },
    });
    const answers = [];
    for (const sought of [`${newUuidV7()}@example.com`, without, email]) {
      derived = 0;
      hook.enable();
      const { status, body } = await signInWith(sought, 'not this one');
      hook.disable();
      answers.push({ status, code: body.code, error: body.error, derived });
    }
    assert.deepEqual(answers[0], { ...answers[0], status: 401, code: 'invalid_credentials', derived: 1 });
    assert.deepEqual(answers, [answers[0], answers[0], answers[0]]);
  });

  it('is stopped after ten tries for an address, known or not, and leaves the link as a way in', async () => {
    const { person, email } = await withPassword();
    for (const sought of [email, `${newUuidV7()}@example.com`]) {
      const replies = await inParallel(14, () => signInWith(sought, 'not this one'));
      assert.deepEqual(tally(replies.map(({ status }) => status)), { 401: 10, 429: 4 });
    }
    // The right one comes too late, too.
    assertRefused(await signInWith(email), 'rate_limited');
    const { link } = (await client.post(`/people/${person.personId}/links`)).body;
    assert.equal((await app.anyone.post('/sessions', { link })).status, 201);
  });

  it('is stopped after fifty tries from an address, for all persons together', async () => {
    const replies = await inParallel(60, () => signInWith(`${newUuidV7()}@example.com`, 'not this one'));
    const { 429: stopped = 0 } = tally(replies.map(({ status }) => status));
    assert.ok(stopped >= 10, String(stopped));
  });
});

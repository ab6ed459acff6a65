import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertRefused, type Client } from '../../test/client.ts';
import { inParallel, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { refuse, succeed } from '../../test/run-command.ts';
import { until } from '../../test/wallets.ts';
import { Authenticator } from '../../tools/fakes/authenticator.ts';
import { Mailbox } from '../../tools/fakes/mailbox.ts';
import { newUuidV7 } from '../kit/ids.ts';
import {
  addPasskey,
  firstOwner,
  mailedProof,
  makePerson,
  sameOrigin,
  signIn,
  signInAs,
  signInAtTill,
  signInWith,
} from './people.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
const address = () => `${newUuidV7()}@example.com`;
const password = 'correct horse battery';
const late = 3_600_000;
const own = '/sessions/current/person';

const grounds = async (client: Client) =>
  (await client.get('/audit')).body.data
    .filter(({ detail }: { detail?: { ground?: string } }) => detail?.ground !== undefined)
    .map(
      ({ action, detail }: { action: string; detail: { ground: string } }) => `${action}: ${detail.ground}`,
    );

describe('an owner who has no way to sign in yet', () => {
  it('sets name, address and password an hour after signing in, and gets back in by them', async () => {
    const { client, personId, link } = await firstOwner(app);
    const { reply, browser } = await signIn(app, link);
    const { waysIn, emailProved, mailServer } = reply.body;
    assert.deepEqual([waysIn, emailProved, mailServer], [[], false, false]);
    app.advance(late);
    const email = address();
    const changed = await browser.patch(own, { name: 'Ada', email: email.toUpperCase() });
    assert.deepEqual(changed.body, { personId, name: 'Ada', email, emailProved: false, mailedTo: null });
    assert.equal((await browser.post('/sessions/current/password', { password })).status, 204);
    assert.deepEqual((await browser.get('/sessions/current')).body.waysIn, ['password']);
    const again = await app.anyone.post('/sessions', { email, password }, { headers: sameOrigin });
    assert.deepEqual([again.status, again.body.person.name], [201, 'Ada']);
    assert.equal((await client.get(`/people/${personId}`)).body.email, email);
    assert.deepEqual((await grounds(client)).sort(), ['setPassword: none yet', 'updateOwnPerson: none yet']);
  });

  it('adds a first passkey at any time, and no second one by the same session', async () => {
    const { link } = await firstOwner(app);
    const { browser } = await signIn(app, link);
    app.advance(late);
    const options = (await browser.get('/passkeys/options')).body;
    const { authenticator } = await addPasskey(app, browser);
    assert.equal((await signInWith(app, authenticator)).status, 201);
    // Asked for while there was none.
    const second = new Authenticator(new URL(app.config.publicUrl).origin).create(options);
    assertRefused(await browser.post('/passkeys', second), 'recent_sign_in_required');
    assertRefused(await browser.get('/passkeys/options'), 'recent_sign_in_required');
    assertRefused(await browser.patch(own, { email: address() }), 'recent_sign_in_required');
    assert.deepEqual((await browser.get('/sessions/current')).body.waysIn, ['passkey']);
  });

  it('is the first once, of several who try at once', async () => {
    const { link } = await firstOwner(app);
    const { browser } = await signIn(app, link);
    await browser.patch(own, { email: address() });
    app.advance(late);
    const tries = await inParallel(4, (at) =>
      browser.post('/sessions/current/password', { password: `${password} ${at}` }),
    );
    assert.deepEqual(tally(tries.map(({ status }) => status)), { 204: 1, 403: 3 });
  });

  it('keeps the other sessions, and the links of the operator, when an old session sets a first one', async () => {
    const { link, personId, client } = await firstOwner(app);
    const { browser } = await signIn(app, link);
    await browser.patch(own, { email: address() });
    const further = (await client.post(`/people/${personId}/links`)).body.link;
    const other = (await signIn(app, further)).browser;
    const kept = (await client.post(`/people/${personId}/links`)).body.link;
    app.advance(late);
    assert.equal((await browser.post('/sessions/current/password', { password })).status, 204);
    assert.equal((await other.get('/sessions/current')).status, 200);
    assert.equal((await signIn(app, kept)).reply.status, 201);
  });

  it('is invited without a mail server, and no less able to set a first password', async () => {
    const { client } = await app.newWorkspace();
    const browser = await signInAs(app, 'staff', client);
    app.advance(late);
    assert.equal((await browser.post('/sessions/current/password', { password })).status, 204);
    const second = await browser.post('/sessions/current/password', { password: `${password} 2` });
    assertRefused(second, 'recent_sign_in_required');
  });
});

describe('what a session may not do', () => {
  it('is to replace a way in, however it is asked', async () => {
    const { link } = await firstOwner(app);
    const { browser } = await signIn(app, link);
    const email = address();
    await browser.patch(own, { email });
    await browser.post('/sessions/current/password', { password });
    assertRefused(await browser.patch(own, { email: address() }), 'invalid_request', /set-address person_/);
    app.advance(late);
    for (const refused of [
      browser.post('/sessions/current/password', { password: 'another horse battery' }),
      browser.get('/passkeys/options'),
      browser.post('/api-keys', { name: 'Late', access: 'read' }),
    ])
      assertRefused(await refused, 'recent_sign_in_required');
    assert.equal((await browser.patch(own, { name: 'Ada' })).status, 200);
    assert.equal((await browser.patch(own, { email })).status, 200);
  });

  it('is to name itself where it owns nothing, or at a till', async () => {
    const { client } = await app.newWorkspace();
    const manager = await signInAs(app, 'manager', client);
    assertRefused(await manager.patch(own, { name: 'Boss' }), 'role_required', /Ask one/);
    const { browser: atTill } = await signInAtTill(app, 'owner', client);
    assertRefused(await atTill.patch(own, { name: 'Boss' }), 'role_required', /shared till/);
    const body = { token: 'v1.0' };
    assertRefused(await atTill.post('/sessions/current/address', body), 'role_required', /shared till/);
  });
});

describe('the address of an owner, where a mail server is set', async () => {
  const mailbox = await Mailbox.start();
  const mailing = await startTestApp({
    WORKERS: 'off',
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'cards@shop.example',
  });
  after(() => mailbox.close());
  const confirm = (browser: Client, token: string) => browser.post('/sessions/current/address', { token });

  /** An owner with a proved address and a password. */
  async function withAddress() {
    const { link } = await firstOwner(mailing);
    const { browser } = await signIn(mailing, link);
    const email = address();
    assert.equal((await browser.patch(own, { email })).body.mailedTo, email);
    await browser.post('/sessions/current/password', { password });
    const { status } = await confirm(browser, await mailedProof(mailbox, email));
    assert.equal(status, 204);
    return { browser, email };
  }

  it('is proved by the link, once, and what signs in stays', async () => {
    const { browser, email } = await withAddress();
    const { body } = await browser.get('/sessions/current');
    assert.deepEqual([body.waysIn, body.emailProved, body.mailServer], [['password', 'mail'], true, true]);
    const again = await mailing.anyone.post('/sessions', { email, password }, { headers: sameOrigin });
    assert.equal(again.status, 201);
    const used = await mailedProof(mailbox, email);
    assertRefused(await confirm(browser, used), 'invalid_link');
  });

  it('is another one once that was proved, and the former one is warned', async () => {
    const { browser, email } = await withAddress();
    const next = address();
    const asked = (await browser.patch(own, { email: next })).body;
    assert.deepEqual([asked.email, asked.mailedTo], [email, next]);
    const token = await mailedProof(mailbox, next);
    const { browser: stranger } = await withAddress();
    assertRefused(await confirm(stranger, token), 'invalid_link');
    assert.equal((await confirm(browser, token)).status, 204);
    assert.equal((await browser.get('/sessions/current')).body.person.email, next);
    const warned = () =>
      mailbox.mails.some(({ recipients, text }) => recipients.includes(email) && /was set/.test(text));
    await until('the former address is warned', async () => warned());
    mailing.advance(late);
    assertRefused(await browser.patch(own, { email: address() }), 'recent_sign_in_required');
  });

  it('is not changed by a link whose session has ended, nor too late, nor to one that another has proved', async () => {
    const { browser, email } = await withAddress();
    const { email: taken } = await withAddress();
    await browser.patch(own, { email: taken });
    assertRefused(await confirm(browser, await mailedProof(mailbox, taken, 2)), 'person_exists', /proved/);
    const next = address();
    await browser.patch(own, { email: next });
    const token = await mailedProof(mailbox, next);
    const reply = await mailing.anyone.post('/sessions', { email, password }, { headers: sameOrigin });
    const cookie = reply.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const other = mailing.anyone.with({ ...sameOrigin, cookie });
    assert.equal((await browser.delete('/sessions/current')).status, 204);
    assertRefused(await confirm(other, token), 'invalid_link');
    await other.patch(own, { email: next });
    mailing.advance(1_800_000);
    assertRefused(await confirm(other, await mailedProof(mailbox, next, 2)), 'invalid_link');
  });

  it('that was wrong can be changed by who has no other way in, until they have', async () => {
    const { link } = await firstOwner(mailing);
    const { browser } = await signIn(mailing, link);
    await browser.patch(own, { email: address() });
    mailing.advance(late);
    const [stale, right] = [address(), address()];
    await browser.patch(own, { email: stale });
    await browser.patch(own, { email: right });
    const token = await mailedProof(mailbox, stale);
    assert.equal((await confirm(browser, await mailedProof(mailbox, right))).status, 204);
    assertRefused(await confirm(browser, token), 'invalid_link');
    assertRefused(await browser.patch(own, { email: stale }), 'recent_sign_in_required');
  });

  it('is warned of a first password that no sign-in has come before', async () => {
    const { link } = await firstOwner(mailing);
    const { browser } = await signIn(mailing, link);
    const email = address();
    await browser.patch(own, { email });
    mailing.advance(late);
    await browser.post('/sessions/current/password', { password });
    const warned = () =>
      mailbox.mails.some(({ recipients, text }) => recipients.includes(email) && /was set/.test(text));
    await until('the address is warned', async () => warned());
  });
});

describe('punchcard set-address', () => {
  const { publicUrl, dataDir } = app.config;
  const settings = { DATABASE_URL: app.databaseUrl, DATA_DIR: dataDir, PUBLIC_URL: publicUrl };

  it('gives a person another address, which an audit line says', async () => {
    const { client } = await app.newWorkspace();
    const { personId, email: taken } = await makePerson(client, 'owner');
    const { personId: other } = await makePerson(client, 'staff');
    const email = address();
    await succeed(['set-address', other, email], settings);
    assert.equal((await client.get(`/people/${other}`)).body.email, email);
    await refuse(new RegExp(personId), ['set-address', other, taken], settings);
    await refuse(/No person/, ['set-address', 'person_nobody', email], settings);
    const { data } = (await client.get('/audit')).body;
    assert.ok(
      data.some(
        ({ actor, action }: { actor: string; action: string }) =>
          `${actor} ${action}` === 'operator updatePerson',
      ),
    );
  });
});

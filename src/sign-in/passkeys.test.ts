import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { assertRefused, type Reply } from '../../test/client.ts';
import { inParallel, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { Authenticator } from '../../tools/fakes/authenticator.ts';
import { newUuidV7 } from '../kit/ids.ts';
import {
  addPasskey,
  type Browser,
  cookieOf,
  makePerson,
  sameOrigin,
  signIn,
  signInAs,
  signInAtTill,
  signInWith,
} from './people.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
const { client } = await app.newWorkspace();
const { origin } = new URL(app.config.publicUrl);

/** A person with a passkey, and the browser in which it was added. */
async function withPasskey() {
  const browser = await signInAs(app, 'owner', client);
  return { browser, ...(await addPasskey(app, browser)) };
}

const optionsToSignIn = async () => (await app.anyone.get('/sessions/options')).body;

async function create(
  browser: Browser,
  other: Parameters<Authenticator['create']>[1] = {},
  name?: string,
): Promise<Reply> {
  const options = (await browser.get('/passkeys/options')).body;
  const made = new Authenticator(origin).create(options, other);
  return browser.post('/passkeys', { ...made, ...(name && { name }) });
}

describe('a passkey', () => {
  it('is added, named, listed and removed by its person, and signs in until then', async () => {
    const browser = await signInAs(app, 'manager', client, { name: 'Ada' });
    const options = (await browser.get('/passkeys/options')).body;
    assert.deepEqual(options.rp, { name: 'Punchcard', id: 'cards.example.test' });
    assert.equal(options.user.displayName, 'Ada');
    assert.deepEqual(
      [options.attestation, options.authenticatorSelection.userVerification],
      ['none', 'required'],
    );
    const authenticator = new Authenticator(origin);
    const made = await browser.post('/passkeys', { ...authenticator.create(options), name: 'Telephone' });
    assert.equal(made.status, 201, made.text);
    const path = `/passkeys/${made.body.passkeyId}`;
    assert.deepEqual((await browser.get('/passkeys')).body.data, [made.body]);
    assert.equal((await browser.patch(path, { name: 'Old telephone' })).body.name, 'Old telephone');
    const signed = await signInWith(app, authenticator);
    assert.deepEqual([signed.status, signed.body.person?.personId], [201, browser.personId], signed.text);
    const [{ lastUsedAt, name }] = (await browser.get('/passkeys')).body.data;
    assert.ok(Date.parse(lastUsedAt) > 0);
    assert.equal(name, 'Old telephone');
    const excluded = (await browser.get('/passkeys/options')).body.excludeCredentials;
    assert.deepEqual(
      excluded.map(({ id }: { id: string }) => id),
      [authenticator.id],
    );
    assert.equal((await browser.delete(path)).status, 204);
    assertRefused(await signInWith(app, authenticator), 'invalid_credentials');
    assertRefused(await browser.delete(path), 'passkey_not_found');
    assertRefused(await browser.patch(path, { name: 'Gone' }), 'passkey_not_found');
  });

  it('counts as a sign-in of a short while ago, in a session of its own', async () => {
    const { browser, authenticator } = await withPasskey();
    app.advance(601_000);
    assertRefused(
      await browser.post('/api-keys', { name: 'Late', access: 'read' }),
      'recent_sign_in_required',
    );
    const signed = await signInWith(app, authenticator, browser.headers);
    assertRefused(await browser.get('/me'), 'invalid_session');
    const signedIn = app.anyone.with({ ...sameOrigin, cookie: cookieOf(signed) });
    assert.equal((await signedIn.post('/api-keys', { name: 'In time', access: 'read' })).status, 201);
  });

  it('is of its person alone', async () => {
    const { authenticator, passkeyId } = await withPasskey();
    const stranger = await signInAs(app, 'owner', client);
    for (const other of [
      await stranger.patch(`/passkeys/${passkeyId}`, { name: 'Mine' }),
      await stranger.delete(`/passkeys/${passkeyId}`),
    ])
      assertRefused(other, 'passkey_not_found');
    assert.deepEqual((await stranger.get('/passkeys')).body.data, []);
    const copied = new Authenticator(origin, authenticator.id);
    const options = (await stranger.get('/passkeys/options')).body;
    assertRefused(await stranger.post('/passkeys', copied.create(options)), 'invalid_request', /in use/);
    const handle = Buffer.from(options.user.id, 'base64url').toString('base64url');
    const pretended = authenticator.sign(await optionsToSignIn(), { userHandle: handle });
    assertRefused(await app.anyone.post('/sessions', pretended), 'invalid_credentials');
    assert.equal((await signInWith(app, authenticator)).status, 201);
  });

  it('goes with its person, and when the address is proved', async () => {
    const { link, personId, email } = await makePerson(client, 'viewer');
    const { browser } = await signIn(app, link);
    const { authenticator } = await addPasskey(app, browser);
    const { link: proving } = (await client.post(`/people/${personId}/links`)).body;
    await app.sql(
      'update sign_in_links set proves = $1 where person_id = (select person_id from people where email = $1)',
      [email],
    );
    assert.equal((await app.anyone.post('/sessions', { link: proving })).status, 201);
    assertRefused(await signInWith(app, authenticator), 'invalid_credentials');
    const { authenticator: own, browser: removed } = await withPasskey();
    assert.equal((await client.delete(`/people/${removed.personId}`)).status, 204);
    assertRefused(await signInWith(app, own), 'invalid_credentials');
  });

  it('is added and removed shortly after signing in, and not at a shared till', async () => {
    const { browser, passkeyId } = await withPasskey();
    const options = (await browser.get('/passkeys/options')).body;
    app.advance(601_000);
    const body = new Authenticator(origin).create(options);
    for (const late of [
      browser.get('/passkeys/options'),
      browser.post('/passkeys', body),
      browser.delete(`/passkeys/${passkeyId}`),
    ])
      assertRefused(await late, 'recent_sign_in_required');
    assert.equal((await browser.patch(`/passkeys/${passkeyId}`, { name: 'Still' })).status, 200);
    const { browser: atTill } = await signInAtTill(app, 'owner', client);
    for (const refused of [
      atTill.get('/passkeys/options'),
      atTill.get('/passkeys'),
      atTill.post('/passkeys', body),
      atTill.patch(`/passkeys/${passkeyId}`, { name: 'X' }),
      atTill.delete(`/passkeys/${passkeyId}`),
    ])
      assertRefused(await refused, 'role_required', /shared till/);
  });

  it('is one of twenty at most', async () => {
    const browser = await signInAs(app, 'viewer', client);
    for (let n = 0; n < 20; n++) assert.equal((await create(browser)).status, 201);
    assertRefused(await create(browser), 'invalid_request', /20 passkeys/);
  });
});

describe('what an authenticator makes is refused', () => {
  const cases: [string, Parameters<Authenticator['create']>[1]][] = [
    ['of another origin', { origin: 'https://evil.example' }],
    ['of plain http', { origin: origin.replace('https:', 'http:') }],
    ['for another host', { rpId: 'evil.example' }],
    ['without knowing its user', { isVerified: false }],
    ['as a signature', { type: 'webauthn.get' }],
    [
      'for a challenge that the service has not sealed',
      { challenge: Buffer.from('v1.0').toString('base64url') },
    ],
    ['with a certificate of its maker, which the service has not asked for', { vouchedBy: 'maker' }],
  ];
  for (const [name, other] of cases)
    it(name, async () => {
      const browser = await signInAs(app, 'viewer', client);
      assertRefused(await create(browser, other), 'invalid_request', /does not fit/);
      assert.deepEqual((await browser.get('/passkeys')).body.data, []);
    });

  it('but not where its own key vouches for it, as it may', async () => {
    const browser = await signInAs(app, 'viewer', client);
    assert.equal((await create(browser, { vouchedBy: 'itself' })).status, 201);
  });

  it('for another session, a second time, or too late', async () => {
    const browser = await signInAs(app, 'viewer', client);
    const other = await signInAs(app, 'viewer', client);
    const options = (await browser.get('/passkeys/options')).body;
    assertRefused(
      await other.post('/passkeys', new Authenticator(origin).create(options)),
      'invalid_request',
    );
    const replies = await inParallel(5, () =>
      browser.post('/passkeys', new Authenticator(origin).create(options)),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 1, 400: 4 });
    const late = (await browser.get('/passkeys/options')).body;
    app.advance(300_000);
    assertRefused(await browser.post('/passkeys', new Authenticator(origin).create(late)), 'invalid_request');
  });
});

describe('what a passkey has signed is refused', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cases: [string, Parameters<Authenticator['sign']>[1]][] = [
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another port', { origin: `${origin}:8443` }],
    ['for another host', { rpId: 'evil.example' }],
    ['without knowing its user', { isVerified: false }],
    ['as a new passkey', { type: 'webauthn.create' }],
    ['by another key', { privateKey }],
    [
      'for a challenge that the service has not sealed',
      { challenge: Buffer.from('v1.0').toString('base64url') },
    ],
  ];
  for (const [name, other] of cases)
    it(name, async () => {
      const { authenticator } = await withPasskey();
      const passkey = authenticator.sign(await optionsToSignIn(), other);
      assertRefused(await app.anyone.post('/sessions', passkey), 'invalid_credentials');
      assert.equal((await signInWith(app, authenticator)).status, 201);
    });

  it('for the challenge of a new passkey', async () => {
    const { browser, authenticator } = await withPasskey();
    const passkey = authenticator.sign((await browser.get('/passkeys/options')).body);
    assertRefused(await app.anyone.post('/sessions', passkey), 'invalid_credentials');
  });

  it('a second time, of many at once, or too late', async () => {
    const { authenticator } = await withPasskey();
    const passkey = authenticator.sign(await optionsToSignIn());
    const replies = await inParallel(5, () => app.anyone.post('/sessions', passkey));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 1, 401: 4 });
    const options = await optionsToSignIn();
    app.advance(300_000);
    const late = authenticator.sign(options);
    assertRefused(await app.anyone.post('/sessions', late), 'invalid_credentials');
  });

  it('when it says that it has signed no more often than before', async () => {
    const { authenticator } = await withPasskey();
    authenticator.signCount = 7;
    assert.equal((await signInWith(app, authenticator)).status, 201);
    for (const copied of [7, 6, 0]) {
      authenticator.signCount = copied;
      assertRefused(await signInWith(app, authenticator), 'invalid_credentials');
    }
    authenticator.signCount = 8;
    const both = await Promise.all([signInWith(app, authenticator), signInWith(app, authenticator)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 401]);
  });

  it('by an unknown one, in the same words, and ten times at once', async () => {
    const { authenticator } = await withPasskey();
    const missing = new Authenticator(origin);
    missing.create({ challenge: '', user: { id: Buffer.from(newUuidV7()).toString('base64url') } });
    const unknown = await signInWith(app, missing);
    const wrong = authenticator.sign(await optionsToSignIn(), { isVerified: false });
    assert.equal(unknown.body.error, (await app.anyone.post('/sessions', wrong)).body.error);
    const more = await inParallel(12, () => signInWith(app, missing));
    assert.deepEqual(tally(more.map(({ status }) => status)), { 401: 9, 429: 3 });
  });

  it('for another site', async () => {
    const { authenticator } = await withPasskey();
    const foreign = await signInWith(app, authenticator, { 'sec-fetch-site': 'cross-site' });
    assertRefused(foreign, 'invalid_request', /site/);
    const malformed = { ...authenticator.sign(await optionsToSignIn()), signature: 'not base64!' };
    assertRefused(await app.anyone.post('/sessions', malformed), 'invalid_request');
  });
});

it('the sign-in page has a script of our own, and nothing else', async () => {
  const page = await app.anyone.get('/sign-in');
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(
    policy,
    /default-src 'none'; style-src 'sha256-[^']+'; script-src 'self'; connect-src 'self'; base-uri 'none'/,
  );
  assert.match((await app.anyone.get('/sign-in/passkeys.js')).text, /navigator\.credentials\.get/);
});

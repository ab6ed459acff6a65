import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Client, type Reply } from '../../test/client.ts';
import { inParallel, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { FakeIdentityProvider, type Misbehaviour } from '../../tools/fakes/identity-provider.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { BrowserAway, leave, startProvider } from './oidc.fixture.ts';
import { addPasskey, cookieOf, led, makePerson, sameOrigin, signIn, signInWith } from './people.fixture.ts';

const { provider, authority } = await startProvider();
// No private network is open but to the provider that the operator has named.
const app = await startTestApp({ WORKERS: 'off', ...provider.settings });
const { client } = await app.newWorkspace();

/** A browser of a person with an account at the provider, who signs in with it. */
async function through(account: FakeIdentityProvider['account']): Promise<Reply> {
  provider.account = account;
  const { browser, back } = await leave(app);
  return browser.get(back);
}

function assertSignedIn(reply: Reply): Client {
  assert.deepEqual([reply.status, reply.headers.get('location')], [303, '/console'], reply.text);
  return app.anyone.with({ ...sameOrigin, cookie: cookieOf(reply) });
}

const accountOf = (email: string) => ({ sub: newUuidV7(), email, email_verified: true });
const people = async () => (await app.sql('select person_id from people')).length;

describe('signing in with a provider', () => {
  it('leads there and back, and signs in who was invited with that address', async () => {
    const { personId, email } = await makePerson(client, 'owner');
    const left = await app.anyone.get('/sign-in/oidc');
    const asked = new URL(left.headers.get('location') ?? '').searchParams;
    assert.deepEqual(
      ['scope', 'response_type', 'code_challenge_method', 'redirect_uri'].map((name) => asked.get(name)),
      ['openid email', 'code', 'S256', 'https://cards.example.test/sign-in/oidc/callback'],
    );
    assert.match(
      left.headers.get('set-cookie') ?? '',
      /^__Host-punchcard-oidc=v1\.[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    const browser = assertSignedIn(await through(accountOf(email.toUpperCase())));
    assert.equal((await browser.get('/me')).body.personId, personId);
    assert.equal((await browser.post('/api-keys', { name: 'In time', access: 'read' })).status, 201);
    const page = (await app.anyone.get('/sign-in')).text;
    assert.match(page, /href="\/sign-in\/oidc"><span>Sign in with <bdi>127\.0\.0\.1/);
    const [line] = (await client.get(`/audit?actor=${personId}&action=createSession`)).body.data;
    assert.deepEqual([line.action, line.detail], ['createSession', { by: 'oidc' }]);
  });

  it('goes to the page that was asked for, and to none elsewhere', async () => {
    provider.account = accountOf((await makePerson(client, 'owner')).email);
    for (const [next, page] of [
      ['%2Fconsole%2Fcards', '/console/cards'],
      ['https%3A%2F%2Fevil.example%2Fconsole', '/console'],
    ]) {
      const { browser, back } = await leave(app);
      const cookie = `${browser.headers.cookie}; punchcard-next=${next}`;
      assert.equal((await browser.with({ cookie }).get(back)).headers.get('location'), page);
    }
  });

  it('ends the session that the browser had', async () => {
    const { link, email } = await makePerson(client, 'viewer');
    await app.sql('update people set home_id = null where email = $1', [email]);
    const { browser: before } = await signIn(app, link);
    provider.account = accountOf(email);
    const { browser, back } = await leave(app);
    const cookie = `${browser.headers.cookie}; ${before.headers.cookie}`;
    assertSignedIn(await browser.with({ cookie }).get(back));
    assertRefused(await before.get('/me'), 'invalid_session');
  });

  it('makes no account, and lets no person in whose address the provider does not vouch for', async () => {
    const { email } = await makePerson(client, 'owner');
    const before = await people();
    for (const account of [
      accountOf(`${newUuidV7()}@example.com`),
      { sub: newUuidV7() },
      { sub: newUuidV7(), email },
      ...[false, 'true', 1, null].map((claim) => ({ sub: newUuidV7(), email, email_verified: claim })),
    ])
      assertRefused(await through(account), 'invalid_credentials', /does not vouch for/);
    assert.equal(await people(), before);
    assert.deepEqual(
      await app.sql(
        'select 1 from oidc_identities where person_id = (select person_id from people where email = $1)',
        [email],
      ),
      [],
    );
  });

  it('links no person by an invisible name', async () => {
    for (const sub of ['', ' ', '\t\n', '\u00a0\u2003', '\u200b', '\u0000']) {
      const [first, second] = [await makePerson(client, 'owner'), await makePerson(client, 'owner')];
      for (const { email } of [first, second])
        assertRefused(
          await through({ ...accountOf(email), sub }),
          'invalid_credentials',
          /does not vouch for/,
        );
    }
    assert.deepEqual(await app.sql("select subject from oidc_identities where subject !~ '[[:alnum:]]'"), []);
  });

  it('knows whom it has let in by what the provider calls them, not by an address that has moved on', async () => {
    const { personId, email } = await makePerson(client, 'owner');
    const account = accountOf(email);
    assertSignedIn(await through(account));
    for (const changed of [
      { email: 'elsewhere@example.com' },
      { email_verified: false },
      { email: (await makePerson(client, 'owner')).email },
    ]) {
      const browser = assertSignedIn(await through({ ...account, ...changed }));
      assert.equal((await browser.get('/me')).body.personId, personId);
    }
    // Another person has the address at the provider now.
    assertRefused(await through(accountOf(email)), 'invalid_credentials', /does not vouch for/);
    assert.equal((await client.delete(`/people/${personId}`)).status, 204);
    assertRefused(await through(account), 'invalid_credentials');
  });

  it('takes the ways in away that a person had before the address was proved', async () => {
    const { link, email } = await makePerson(client, 'owner');
    const { browser } = await signIn(app, link);
    const { authenticator } = await addPasskey(app, browser);
    assertSignedIn(await through(accountOf(email)));
    assertRefused(await browser.get('/me'), 'invalid_session');
    assertRefused(await signInWith(app, authenticator), 'invalid_credentials');
  });
});

describe('what comes back from the provider is refused', () => {
  const cases: [string, Misbehaviour][] = [
    ['with another nonce', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['for another client', { claims: { aud: 'another' } }],
    ['for us and another client, without saying whose it is', { claims: { aud: ['punchcard', 'another'] } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['signed with another key', { isForged: true }],
    ['without a signature', { isUnsigned: true }],
    ['that is over', { claims: { exp: 1_000_000_000 } }],
    ['from another provider, as the browser says (mix-up)', { iss: 'https://evil.example' }],
    ['from no issuer, where the provider says who it is', { iss: null }],
  ];
  for (const [name, misbehaviour] of cases)
    it(name, async () => {
      const account = accountOf((await makePerson(client, 'owner')).email);
      provider.misbehaviour = misbehaviour;
      const refused = await through(account).finally(() => {
        provider.misbehaviour = {};
      });
      assertRefused(refused, 'invalid_credentials', /does not vouch for/);
      assert.equal(refused.headers.get('set-cookie'), null);
      assertSignedIn(await through(account));
    });

  it('in another browser, in one that has left anew, or in none that has left', async () => {
    provider.account = accountOf((await makePerson(client, 'owner')).email);
    const { browser, back } = await leave(app);
    const { browser: other } = await leave(app);
    const elsewhere = [
      other,
      new BrowserAway(app, led),
      browser.with({ cookie: `${browser.headers.cookie}; ${other.headers.cookie}` }),
    ];
    for (const one of elsewhere)
      assertRefused(await one.get(back), 'invalid_credentials', /not begun in this browser/);
    for (const state of ['', '&state=', `&state=another`])
      assertRefused(
        await browser.get(`/sign-in/oidc/callback?code=made-up${state}`),
        'invalid_credentials',
        /not begun/,
      );
    assertSignedIn(await browser.get(back));
  });

  it('a second time, of many at once, or after ten minutes', async () => {
    provider.account = accountOf((await makePerson(client, 'owner')).email);
    provider.misbehaviour = { takesAnyCode: true };
    try {
      const { browser, back } = await leave(app);
      const replies = await inParallel(5, () => browser.get(back));
      assert.deepEqual(tally(replies.map(({ status }) => status)), { 303: 1, 401: 4 });
      const late = await leave(app);
      app.advance(600_000);
      assertRefused(await late.browser.get(late.back), 'invalid_credentials', /took too long/);
    } finally {
      provider.misbehaviour = {};
    }
  });

  it('with the code of another browser, even where the provider takes it from any', async () => {
    provider.account = accountOf((await makePerson(client, 'owner')).email);
    for (const misbehaviour of [{}, { takesAnyCode: true }]) {
      provider.misbehaviour = misbehaviour;
      const victim = await leave(app);
      const code = new URL(victim.back, app.url).searchParams.get('code') ?? '';
      const { browser, back } = await leave(app);
      const injected = new URL(back, app.url);
      injected.searchParams.set('code', code);
      assertRefused(await browser.get(`${injected.pathname}${injected.search}`), 'invalid_credentials');
    }
    provider.misbehaviour = {};
  });

  it('when it says no, or says two things at once', async () => {
    for (const answer of ['error=access_denied', 'code=a&error=access_denied']) {
      const { browser, back } = await leave(app);
      const { searchParams } = new URL(back, app.url);
      const said = `/sign-in/oidc/callback?${answer}&state=${searchParams.get('state')}&iss=${encodeURIComponent(provider.issuer)}`;
      assertRefused(await browser.get(said), 'invalid_credentials');
    }
    const { browser, back } = await leave(app);
    assertRefused(await browser.get(`${back}&code=another`), 'invalid_request', /code/);
  });

  it('in a frame, or fetched by another site', async () => {
    const framed: Record<string, string>[] = [{ 'sec-fetch-dest': 'iframe' }, { 'sec-fetch-mode': 'cors' }];
    provider.account = accountOf((await makePerson(client, 'owner')).email);
    const { browser, back } = await leave(app);
    for (const says of framed)
      assertRefused(await browser.with(says).get(back), 'invalid_credentials', /not begun in this browser/);
  });
});

describe('a provider', () => {
  it('that does not answer keeps no person from signing in otherwise, and is asked again', async () => {
    const settings = { WORKERS: 'off', ...provider.settings };
    const own = await startTestApp(settings);
    provider.server.fail({ matching: /^GET \/\.well-known/, outcome: { status: 500 } });
    const refused = await own.anyone.get('/sign-in/oidc');
    assertRefused(refused, 'provider_unavailable');
    assert.equal(refused.headers.get('retry-after'), '60');
    provider.server.recover();
    assert.equal((await own.anyone.get('/sign-in/oidc')).status, 303);
  });

  it('is asked at no private address but its own', async () => {
    const neighbour = await FakeIdentityProvider.start(authority);
    try {
      provider.misbehaviour = { tokenEndpoint: `${neighbour.issuer}/token` };
      const own = await startTestApp({ WORKERS: 'off', ...provider.settings });
      const { browser, back } = await leave(own);
      assertRefused(await browser.get(back), 'provider_unavailable');
      assert.deepEqual(neighbour.server.requests, []);
    } finally {
      provider.misbehaviour = {};
      await neighbour.server.close();
    }
  });

  it('that the operator has not named is none: its button and its pages lead to the page of signing in', async () => {
    const without = await startTestApp({ WORKERS: 'off' });
    const reply = await without.anyone.get('/sign-in/oidc');
    assert.deepEqual([reply.status, reply.headers.get('location')], [303, '/sign-in']);
    assert.doesNotMatch((await without.anyone.get('/sign-in')).text, /sign-in\/oidc/);
    assertRefused(await without.anyone.get('/sign-in/oidc/callback?code=a&state=b'), 'invalid_credentials');
  });

  it('hears its secret, and no other host does', async () => {
    const secret = provider.clientSecret;
    assert.ok(!(await app.dump()).includes(secret));
    assert.ok(!(await app.anyone.get('/sign-in')).text.includes(secret));
  });
});

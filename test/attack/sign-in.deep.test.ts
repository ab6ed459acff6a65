import assert from 'node:assert/strict';
import { get, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import {
  type Browser,
  cookieOf,
  makePerson,
  navigate,
  pairTill,
  sameOrigin,
  signIn,
  signInAs,
} from '../../src/sign-in/people.fixture.ts';
import { assertRefused, type Client } from '../client.ts';
import { inParallel, tally } from '../factories.ts';
import { startTestApp } from '../harness.ts';

const app = await startTestApp({ WORKERS: 'off' });
const { client, workspaceId } = await app.newWorkspace();
const newLink = async () => String((await makePerson(client, 'manager')).link);
const pathOf = (link: string) => new URL(link).pathname;

/** A browser as `fetch` of Node sends nothing of what browsers say. */
const asBrowser = (cookie: string, says: Record<string, string>): Client =>
  app.anyone.with({ cookie, ...says });

describe('a sign-in link', () => {
  it('is used once, of many who try at once', async () => {
    const link = await newLink();
    const replies = await inParallel(10, () => app.anyone.post('/sessions', { link }));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 1, 401: 9 });
  });

  it('that a mail scanner opens, as often as it likes, still signs in', async () => {
    const link = await newLink();
    for (const method of ['GET', 'HEAD', 'GET']) {
      const reply = await fetch(`${app.url}${pathOf(link)}`, { method });
      assert.deepEqual([reply.status, reply.headers.get('set-cookie')], [200, null]);
      assert.match(reply.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    }
    const pressed = await app.anyone.post(pathOf(link), '', {
      headers: { ...sameOrigin, 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.deepEqual([pressed.status, pressed.headers.get('location')], [303, '/console']);
    assert.match(
      pressed.headers.get('set-cookie') ?? '',
      /^__Host-punchcard=pks_\w{36}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
    );
    const page = await fetch(`${app.url}/console`, { headers: { cookie: cookieOf(pressed) } });
    assert.match(await page.text(), /<div id="app">/);
  });

  it('is over after seven days, one that was asked for after 30 minutes, and an older one when a newer is used', async () => {
    const { personId, link } = await makePerson(client, 'viewer');
    const newer = (await client.post(`/people/${personId}/links`)).body.link;
    await signIn(app, newer);
    assertRefused(await app.anyone.post('/sessions', { link }), 'invalid_link');
    const late = await newLink();
    app.advance(7 * 86_400_000);
    assertRefused(await app.anyone.post('/sessions', { link: late }), 'invalid_link');
  });

  it('that is guessed, cut or changed opens nothing', async () => {
    const link = await newLink();
    for (const wrong of [link.slice(0, -1), `${link}0`, link.toUpperCase(), 'link_', `${link} `])
      assertRefused(await app.anyone.post('/sessions', { link: wrong }), 'invalid_link');
    assert.equal((await app.anyone.post('/sessions', { link })).status, 201);
  });

  it('of a person who was removed opens nothing', async () => {
    const { personId, link } = await makePerson(client, 'viewer');
    await client.delete(`/people/${personId}`);
    assertRefused(await app.anyone.post('/sessions', { link }), 'invalid_link');
  });
});

describe('a session', () => {
  it('is a new one at each sign-in, and ends the one that the browser had: nothing is fixed beforehand', async () => {
    const { browser: planted } = await signIn(app, await newLink());
    const { reply } = await signIn(app, await newLink(), { ...sameOrigin, ...planted.headers });
    assert.notEqual(cookieOf(reply), planted.headers.cookie);
    assertRefused(await planted.get('/sessions/current'), 'invalid_session');
  });

  it('is a new one with a password and with a PIN too, and ends the one that was planted', async () => {
    const { link, email } = await makePerson(client, 'owner');
    const { browser } = await signIn(app, link);
    const password = 'correct horse battery';
    await browser.post('/sessions/current/password', { password });
    const { browser: planted } = await signIn(app, await newLink());
    const headers = { ...sameOrigin, ...planted.headers };
    const signed = await app.anyone.post('/sessions', { email, password }, { headers });
    assert.deepEqual([signed.status, cookieOf(signed) === planted.headers.cookie], [201, false]);
    assertRefused(await planted.get('/sessions/current'), 'invalid_session');
    const { till } = await pairTill(app, client);
    const { personId } = await makePerson(client, 'staff');
    await client.patch(`/people/${personId}`, { pin: '2580' });
    const { browser: second } = await signIn(app, await newLink());
    const both = till.with({ cookie: `${till.headers.cookie}; ${second.headers.cookie}` });
    assert.equal((await both.post('/sessions', { personId, pin: '2580' })).status, 201);
    assertRefused(await second.get('/sessions/current'), 'invalid_session');
  });

  it('is kept as a hash, and never shown', async () => {
    const { browser } = await signIn(app, await newLink());
    const secret = String(browser.headers.cookie).split('=')[1] ?? '';
    assert.match(secret, /^pks_\w{36}$/);
    assert.ok(!(await app.dump()).includes(secret));
    for (const path of ['/sessions', '/sessions/current', '/me'])
      assert.ok(!(await browser.get(path)).text.includes(secret));
  });

  it('is listed and ended from another browser, and none of another person is', async () => {
    const { personId, link } = await makePerson(client, 'viewer');
    const { browser: one } = await signIn(app, link);
    const { link: next } = (await client.post(`/people/${personId}/links`)).body;
    const { browser: other, reply } = await signIn(app, next);
    const { data } = (await one.get('/sessions')).body;
    assert.deepEqual(
      data.map(({ current }: { current: boolean }) => current),
      [false, true],
    );
    const stranger = await signInAs(app, 'owner', client);
    assertRefused(await stranger.delete(`/sessions/${reply.body.sessionId}`), 'session_not_found');
    assert.equal((await one.delete(`/sessions/${reply.body.sessionId}`)).status, 204);
    assertRefused(await other.get('/me'), 'invalid_session');
    assert.equal((await one.delete('/sessions/current')).status, 204);
    assertRefused(await one.get('/me'), 'invalid_session');
  });

  it('ends after 30 days', async () => {
    const { browser } = await signIn(app, await newLink());
    app.advance(30 * 86_400_000 - 60_000);
    assert.equal((await browser.get('/me')).status, 200);
    app.advance(60_000);
    assertRefused(await browser.get('/me'), 'invalid_session');
  });

  it('opens keys, people and exports for ten minutes after signing in', async () => {
    const owner = await signInAs(app, 'owner', client);
    const newKey = (name: string) => owner.post('/api-keys', { name, access: 'read' });
    assert.equal((await newKey('At once')).status, 201);
    app.advance(601_000);
    const { personId } = await makePerson(client, 'viewer');
    for (const late of [
      newKey('Too late'),
      owner.patch(`/people/${personId}`, { role: 'owner' }),
      owner.delete(`/people/${personId}`),
      owner.get('/loyalty/programs/prog_0/balances.csv'),
    ])
      assertRefused(await late, 'recent_sign_in_required');
    assert.equal((await owner.patch('/workspace', { name: 'Blue Bean' })).status, 200);
  });

  it('of another workspace reaches nothing of this one', async () => {
    const stranger = await signInAs(app, 'owner', (await app.newWorkspace()).client);
    for (const path of ['/workspace', '/passes', '/people'])
      assertRefused(await stranger.in(workspaceId).get(path), 'role_required');
  });
});

describe('a cookie', () => {
  let browser: Browser;
  let cookie = '';
  before(async () => {
    ({ browser } = await signIn(app, await newLink()));
    cookie = String(browser.headers.cookie);
  });
  const host = new URL(app.url).host;
  const crossSite = { 'sec-fetch-site': 'cross-site' };
  const document = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const change = { name: 'Taken over' };
  const passkey = { id: 'aWQ', clientDataJSON: 'e30', attestationObject: 'oA' };

  const others: [string, Record<string, string>][] = [
    ['a form of another site', { ...crossSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
    ['fetch of another site', { ...crossSite, 'sec-fetch-mode': 'cors', origin: 'https://evil.example' }],
    ['an image of another site', { ...crossSite, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a WebSocket of another site', { ...crossSite, 'sec-fetch-mode': 'websocket' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['another site without Sec-Fetch-Site', { origin: 'https://evil.example' }],
    ['another port of the same host', { origin: `http://${host.split(':')[0]}:8000` }],
    ['plain http, where the service has https', { origin: `http://${host}` }],
    ['a page without an origin', { origin: 'null' }],
    ['what says nothing of itself', {}],
  ];
  for (const [name, says] of others) {
    it(`that comes with ${name} changes nothing`, async () => {
      const reply = await asBrowser(cookie, says).patch('/workspace', change);
      assertRefused(reply, 'missing_authorization');
      for (const refused of [
        asBrowser(cookie, says).delete('/sessions/current'),
        asBrowser(cookie, says).post('/sessions/current/password', { password: 'correct horse battery' }),
        asBrowser(cookie, says).post('/passkeys', passkey),
      ])
        assertRefused(await refused, 'invalid_session');
      const out = await asBrowser(cookie, says).post('/sign-out');
      assert.deepEqual([out.status, out.headers.get('set-cookie')], [303, null]);
      assert.equal((await browser.get('/sessions/current')).status, 200);
    });
  }

  for (const [name, says] of others.filter(
    ([, says]) => says['sec-fetch-site'] !== undefined || says.origin,
  )) {
    it(`reads nothing for ${name}`, async () => {
      const reply = await asBrowser(cookie, says).get('/workspace');
      assertRefused(reply, 'missing_authorization');
      assert.equal(reply.headers.get('access-control-allow-origin'), null);
      for (const path of ['/sessions/current', '/passkeys', '/passkeys/options'])
        assertRefused(await asBrowser(cookie, says).get(path), 'invalid_session');
    });
  }

  for (const [name, says] of [
    ['a page of ours', sameOrigin],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['a page of ours, of which an old browser names the origin', { origin: app.config.publicUrl }],
  ] as [string, Record<string, string>][]) {
    it(`counts for ${name}`, async () => {
      assert.equal((await asBrowser(cookie, says).patch('/workspace', { name: 'Blue Bean' })).status, 200);
    });
  }

  it('counts for a page that a link of another site opens, which no other site can frame', async () => {
    const open = (dest: string) =>
      new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }>((resolve) => {
        const headers = { cookie, ...crossSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': dest };
        // As a browser sends it: `fetch` says of itself that it is no navigation.
        get(`${app.url}/console`, { headers }, async (reply) =>
          resolve({ status: reply.statusCode, headers: reply.headers, text: await text(reply) }),
        );
      });
    const page = await open('document');
    assert.match(page.text, /<div id="app">/);
    assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/);
    const framed = await open('iframe');
    assert.deepEqual([framed.status, framed.headers.location], [303, '/sign-in']);
  });

  it('counts for no WebSocket, and a till by itself opens nothing', async () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const says = { cookie, ...crossSite, 'sec-fetch-mode': 'websocket', origin: 'https://evil.example' };
    const reply = await navigate(app, '/me', {
      ...says,
      ...upgrade,
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    });
    assertRefused(reply, 'missing_authorization');
    const { till } = await pairTill(app, client);
    for (const path of ['/me', '/passes', '/people'])
      assertRefused(await till.get(path), 'missing_authorization');
    assertRefused(await till.get('/sessions/current'), 'invalid_session');
  });

  it('has no page that another site could frame', async () => {
    const paths = [
      '/sign-in',
      pathOf(await newLink()),
      '/account',
      '/console',
      '/sign-in/link_0',
      '/sign-in/oidc/callback',
    ];
    for (const path of paths) {
      const reply = await navigate(app, path, { cookie, ...sameOrigin, accept: 'text/html', ...document });
      assert.match(reply.text, /<!doctype html>/i, path);
      assert.match(reply.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path);
    }
  });

  it('next to one that another origin of the host has set does not count, nor does the other', async () => {
    const planted = (await signIn(app, await newLink())).browser.headers.cookie;
    const both = asBrowser(`${cookie}; ${planted}`, sameOrigin);
    assertRefused(await both.get('/me'), 'missing_authorization');
  });

  it('under the name that plain http has, counts for nothing here', async () => {
    const plain = asBrowser(cookie.replace('__Host-', ''), sameOrigin);
    assertRefused(await plain.get('/me'), 'missing_authorization');
  });

  it('does not count next to a key', async () => {
    const { status, body } = await client.get('/me', { headers: { cookie, ...sameOrigin } });
    assert.deepEqual([status, body.personId], [200, null]);
    assertRefused(
      await client.as('nonsense').get('/me', { headers: { cookie, ...sameOrigin } }),
      'invalid_api_key',
    );
  });

  it('that another site would have a browser get is not given', async () => {
    const link = await newLink();
    for (const [name, says] of others.slice(0, 9)) {
      assertRefused(
        await app.anyone.post('/sessions', { link }, { headers: says }),
        'invalid_request',
        /site/,
      );
      const pressed = await app.anyone.post(pathOf(link), undefined, { headers: says });
      assert.deepEqual([pressed.status, pressed.headers.get('set-cookie')], [400, null], name);
    }
    assert.equal((await app.anyone.post('/sessions', { link })).status, 201);
  });

  it('that was made up is refused without asking the database', async () => {
    const made = asBrowser(`__Host-punchcard=pks_${'a'.repeat(36)}`, sameOrigin);
    assertRefused(await made.get('/me'), 'missing_authorization');
  });
});

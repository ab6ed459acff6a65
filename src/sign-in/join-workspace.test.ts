import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { Mailbox } from '../../tools/fakes/mailbox.ts';
import { decodeId, newUuidV7 } from '../kit/ids.ts';
import { addPasskey, makePerson, navigate, pairTill, sameOrigin, signIn } from './people.fixture.ts';

const mailbox = await Mailbox.start();
const app = await startTestApp({ WORKERS: 'off', SMTP_URL: mailbox.url, MAIL_FROM: 'cards@shop.example' });
after(() => mailbox.close());
const address = (name: string) => `${name}-${newUuidV7()}@example.com`;
const password = 'correct horse battery';

/** The link of the newest mail to an address, after so many of them. */
async function mailedLink(email: string, count = 1): Promise<string> {
  const mails = () => mailbox.mails.filter(({ recipients }) => recipients.includes(email));
  await until(`mail ${count} to ${email}`, async () => mails().length >= count);
  return /https:\S+\/sign-in\/\S+/.exec(mails().at(-1)?.text ?? '')?.[0] ?? assert.fail('no link');
}

/** A person who has joined a workspace, with the browser in which they are signed in. */
async function member(client: Client, role: 'owner' | 'staff' = 'owner', more: Json = {}) {
  const email = address('ada');
  const { personId } = await makePerson(client, role, { email, name: 'Ada', ...more });
  const { browser, reply } = await signIn(app, await mailedLink(email));
  return { email, personId, browser, reply };
}

const currentOf = async (browser: Client) => (await browser.get('/sessions/current')).body;

describe('a person invited by another workspace', async () => {
  const { client: first } = await app.newWorkspace();
  const { client: other, workspaceId } = await app.newWorkspace();

  it('is invited alike, whether or not the address has an account', async () => {
    const known = await member(first);
    const [one, two] = [
      await other.post('/people', { email: known.email, name: 'Eve', role: 'viewer' }),
      await other.post('/people', { email: address('nobody'), name: 'Eve', role: 'viewer' }),
    ];
    const plain = ({ status, body }: typeof one) => ({
      status,
      ...body,
      personId: '',
      email: '',
      createdAt: '',
    });
    assert.deepEqual(plain(one), plain(two));
    assert.deepEqual([one.body.pending, one.body.hasPin, one.body.link], [true, false, null]);
    assert.notEqual(one.body.personId, known.personId);
    assert.ok(one.body.createdAt >= (await first.get(`/people/${known.personId}`)).body.createdAt);
    const lines = (await other.get('/audit?limit=100')).text;
    assert.ok(!lines.includes(known.personId));
  });

  it('goes on as before: no ambiguous calls, their own name, their sessions', async () => {
    const { browser, email, personId } = await member(first);
    const invited = await makePerson(other, 'owner', { email, name: 'Mallory' });
    await other.patch(`/people/${invited.personId}`, { name: 'Mallory the second', pin: '2580' });
    app.running.app.sessionCache.clear();
    assert.equal((await browser.get('/me')).body.personId, personId);
    const { person, workspaces, invitations } = await currentOf(browser);
    assert.deepEqual([person.name, person.personId, workspaces.length], ['Ada', personId, 1]);
    assert.deepEqual(
      invitations.map((one: Json) => [one.workspaceId, one.role]),
      [[workspaceId, 'owner']],
    );
    assertRefused(await browser.in(workspaceId).get('/workspace'), 'role_required');
    const log = (await other.get('/requests?limit=100')).text;
    assert.ok(!log.includes(personId));
  });

  it('is let in by a new link where a former version removed the account as one of no workspace', async () => {
    const email = address('ada');
    const invited = await makePerson(other, 'viewer', { email });
    const counted = await app.sql('delete from people where email = $1 returning 1', [email]);
    assert.equal(counted.length, 1);
    assert.equal((await other.post(`/people/${invited.personId}/links`)).status, 201);
    const { reply } = await signIn(app, await mailedLink(email, 2));
    assert.deepEqual(
      [reply.body.workspaces[0]?.personId, reply.body.workspaces[0]?.role],
      [invited.personId, 'viewer'],
    );
  });

  it('is signed out nowhere by what happens at the tills of another workspace', async () => {
    const { email } = await member(first);
    const { personId } = await makePerson(other, 'staff', { email });
    const { browser } = await signIn(app, await mailedLink(email, 2));
    await other.patch(`/people/${personId}`, { pin: '2580' });
    const { till, device } = await pairTill(app, other);
    // As if the person had signed in there sixty times since.
    await app.sql(
      `insert into sessions (session_id, secret_hash, person_id, device_id, signed_in_at, last_used_at, expires_at)
       select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, sha256((random()::text)::bytea), p.person_id, $2, now(),
         now(), now() + interval '12 hours' from people p, generate_series(1, 60) n where p.email = $1`,
      [email, decodeId('device', device.deviceId)],
    );
    assert.equal((await till.post('/sessions', { personId, pin: '2580' })).status, 201);
    assert.equal((await browser.get('/sessions/current')).status, 200);
    const [left] = await app.sql<{ count: string }>('select count(*) from sessions where device_id = $1', [
      decodeId('device', device.deviceId),
    ]);
    assert.equal(left?.count, '50');
  });

  it('joins by the link of the mail, with an id and a name there of its own', async () => {
    const { email, personId } = await member(first);
    const invited = await makePerson(other, 'viewer', { email, name: 'A. Lovelace' });
    const { browser, reply } = await signIn(app, await mailedLink(email, 2));
    const { person, workspaces, invitations } = reply.body;
    assert.deepEqual([person.personId, person.name, invitations], [personId, 'Ada', []]);
    assert.deepEqual(
      workspaces.map((one: Json) => [one.personId, one.personName, one.role]),
      [
        [invited.personId, 'A. Lovelace', 'viewer'],
        [personId, 'Ada', 'owner'],
      ],
    );
    assert.equal((await browser.in(workspaceId).get('/me')).body.personId, invited.personId);
    assert.equal((await other.get(`/people/${invited.personId}`)).body.pending, false);
    assertRefused(await other.get(`/people/${personId}`), 'person_not_found');
    assertRefused(await browser.get('/workspace'), 'invalid_request', /X-Workspace/);
    // What the other workspace takes away is there alone.
    assert.equal((await other.delete(`/people/${invited.personId}`)).status, 204);
    assert.equal((await browser.get('/me')).body.personId, personId);
    assert.equal((await other.post('/people', { email, name: 'Ada', role: 'viewer' })).status, 201);
  });

  it('joins or declines when signed in, of several who try at once once', async () => {
    const { browser, email } = await member((await app.newWorkspace()).client);
    await makePerson(other, 'viewer', { email });
    const join = () => browser.post('/sessions/current/workspaces', { workspaceId });
    const replies = await inParallel(4, join);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 404, 404, 404]);
    assert.deepEqual((await currentOf(browser)).workspaces.length, 2);
    assert.equal((await browser.delete(`/sessions/current/workspaces/${workspaceId}`)).status, 204);
    assert.equal((await browser.get('/me')).status, 200);
    assertRefused(await join(), 'invitation_not_found');
    assertRefused(
      await browser.delete(`/sessions/current/workspaces/${workspaceId}`),
      'invitation_not_found',
    );
    const rejoined = await makePerson(other, 'viewer', { email });
    assert.equal((await browser.delete(`/sessions/current/workspaces/${workspaceId}`)).status, 204);
    assertRefused(await other.get(`/people/${rejoined.personId}`), 'person_not_found');
    const { workspaces } = await currentOf(browser);
    const [own] = workspaces;
    assertRefused(await browser.delete(`/sessions/current/workspaces/${own.workspaceId}`), 'last_owner');
  });

  it('answers on the page of the account, without a script', async () => {
    const { browser, email } = await member(first);
    await makePerson(other, 'viewer', { email });
    const page = await browser.get('/account', { headers: { accept: 'text/html' } });
    assert.match(page.text, /Invitations[\s\S]*action="\/account\/workspaces"/);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = (answer: string) => `workspaceId=${workspaceId}&answer=${answer}`;
    const foreign = { ...type, 'sec-fetch-site': 'cross-site' };
    assert.equal(
      (await browser.post('/account/workspaces', form('accept'), { headers: foreign })).status,
      401,
    );
    const pressed = await browser.post('/account/workspaces', form('accept'), { headers: type });
    assert.deepEqual([pressed.status, pressed.headers.get('location')], [303, '/account']);
    assert.equal((await currentOf(browser)).workspaces.length, 2);
  });

  it('is no member there, although others invite them in their name, at a till or by a link of theirs', async () => {
    const { email } = await member(first);
    const invited = await makePerson(other, 'owner', { email });
    await other.patch(`/people/${invited.personId}`, { pin: '2580' });
    const { till } = await pairTill(app, other);
    const signed = await till.post('/sessions', { personId: invited.personId, pin: '2580' });
    assert.deepEqual(
      [signed.body.person.personId, signed.body.workspaces.length, signed.body.invitations],
      [invited.personId, 1, []],
    );
    assertRefused(await till.post('/sessions/current/workspaces', { workspaceId }), 'invalid_session');
    const { till: firsts } = await pairTill(app, first);
    const there = await firsts.post('/sessions', { personId: invited.personId, pin: '2580' });
    assertRefused(there, 'invalid_credentials', /./, { triesLeft: 4 });
  });

  it('learns of guesses at a till from the workspace of the till alone', async () => {
    const { email, personId } = await member(first);
    const invited = await makePerson(other, 'staff', { email });
    await signIn(app, await mailedLink(email, 2));
    await other.patch(`/people/${invited.personId}`, { pin: '2580' });
    const { till } = await pairTill(app, other);
    await inParallel(8, () => till.post('/sessions', { personId: invited.personId, pin: '7391' }));
    await until('a line of the guesses', async () =>
      (await other.get('/audit?actor=anyone')).text.includes(invited.personId),
    );
    assert.ok(!(await first.get('/audit?actor=anyone')).text.includes(personId));
  });
});

describe('an address that signs in first', () => {
  async function invitedByTwo() {
    const email = address('bob');
    const [one, two] = [await app.newWorkspace(), await app.newWorkspace()];
    for (const { client } of [one, two]) await makePerson(client, 'viewer', { email });
    await mailedLink(email, 2);
    return { email, one, two };
  }
  const ask = (email: string) => app.anyone.post('/people/links', { email });

  it('chooses among all who have invited it, in whatever order', async () => {
    const { email, one } = await invitedByTwo();
    await ask(email);
    const { browser, reply } = await signIn(app, await mailedLink(email, 3));
    assert.deepEqual([reply.body.workspaces, reply.body.invitations.length], [[], 2]);
    const console = await navigate(app, '/console', browser.headers);
    assert.deepEqual([console.status, console.headers.get('location')], [303, '/account']);
    await browser.post('/sessions/current/workspaces', { workspaceId: one.workspaceId });
    const { workspaces, invitations } = await currentOf(browser);
    assert.deepEqual([workspaces.length, invitations.length], [1, 1]);
    assert.equal((await browser.get('/me')).body.workspace.workspaceId, one.workspaceId);
  });

  it('joins the one whose link it follows, and may join the other', async () => {
    const { email } = await invitedByTwo();
    const { reply } = await signIn(app, await mailedLink(email, 2));
    assert.deepEqual(
      [reply.body.workspaces, reply.body.invitations].map((list) => list.length),
      [1, 1],
    );
  });

  it('joins the only one that has invited it, when it asks for a link', async () => {
    const email = address('carl');
    const { client, workspaceId } = await app.newWorkspace();
    await makePerson(client, 'viewer', { email });
    await mailedLink(email);
    await ask(email);
    const { browser } = await signIn(app, await mailedLink(email, 2));
    assert.equal((await browser.get('/me')).body.workspace.workspaceId, workspaceId);
  });

  it('has a last owner who has joined, despite later invitations', async () => {
    const { client } = await app.newWorkspace();
    const { browser, personId } = await member(client);
    await makePerson(client, 'owner');
    assertRefused(await client.delete(`/people/${personId}`), 'last_owner');
    assertRefused(await browser.patch(`/people/${personId}`, { role: 'viewer' }), 'last_owner');
  });
});

describe('without a mail server', async () => {
  const plain = await startTestApp({ WORKERS: 'off' });
  const [first, other] = [(await plain.newWorkspace()).client, (await plain.newWorkspace()).client];

  it('an address that two workspaces have invited has a person and a password in each', async () => {
    const email = address('dora');
    const people = [];
    for (const client of [first, other]) {
      const { link, personId } = await makePerson(client, 'owner', { email });
      const { browser } = await signIn(plain, link);
      people.push({ personId, browser });
    }
    const words = [`${password} of the first`, `${password} of the other`];
    for (const [at, { browser }] of people.entries())
      assert.equal(
        (await browser.post('/sessions/current/password', { password: words[at] ?? '' })).status,
        204,
      );
    for (const [at, { personId }] of people.entries()) {
      const body = { email, password: words[at] };
      const reply = await plain.anyone.post('/sessions', body, { headers: sameOrigin });
      assert.equal(reply.body.person?.personId, personId, reply.text);
    }
    const wrong = { email, password: 'neither of these two' };
    assertRefused(
      await plain.anyone.post('/sessions', wrong, { headers: sameOrigin }),
      'invalid_credentials',
    );
  });

  it('joining revokes the credentials of the person who was shown the link of the other', async () => {
    const email = address('fay');
    const { link: theirs } = await makePerson(other, 'owner', { email });
    const { browser: shown } = await signIn(plain, theirs);
    const { authenticator } = await addPasskey(plain, shown);
    const { browser } = await signIn(plain, (await makePerson(first, 'owner', { email })).link);
    // As a mail that was answered does.
    await plain.sql(
      'update people set home_id = null where person_id = (select max(person_id::text)::uuid from people where email = $1)',
      [email],
    );
    const { invitations } = await currentOf(browser);
    assert.equal(invitations.length, 1);
    const workspaceId = invitations[0].workspaceId;
    assert.equal((await browser.post('/sessions/current/workspaces', { workspaceId })).status, 204);
    assertRefused(await shown.get('/sessions/current'), 'invalid_session');
    const options = (await plain.anyone.get('/sessions/options')).body;
    const signed = await plain.anyone.post('/sessions', authenticator.sign(options), { headers: sameOrigin });
    assertRefused(signed, 'invalid_credentials');
  });
});

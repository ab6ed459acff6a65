import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makeCard, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { Mailbox } from '../../tools/fakes/mailbox.ts';
import { award, makeProgram } from '../loyalty/account.fixture.ts';
import { Browser, makePerson, signIn, signInAs } from './people.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
const { client } = await app.newWorkspace();
const address = (name: string) => `${name}-${Math.random().toString(36).slice(2)}@example.com`;

describe('an invitation without a mail server', () => {
  it('shows a link that signs in as the person who was invited', async () => {
    const email = address('Ada.Lovelace');
    const person = await makePerson(client, 'manager', { email, name: 'Ada' });
    const { link, ...shown } = person;
    assert.deepEqual((await client.get(`/people/${person.personId}`)).body, shown);
    assert.equal(shown.email, email.toLowerCase());
    const { reply, browser } = await signIn(app, link);
    const { person: signedIn, workspaces } = reply.body;
    assert.deepEqual(signedIn, { personId: person.personId, email: email.toLowerCase(), name: 'Ada' });
    assert.deepEqual(
      workspaces.map(({ role, name, suspended }: { role: string; name: string; suspended: boolean }) => [
        role,
        name,
        suspended,
      ]),
      [['manager', 'Blue Bean', false]],
    );
    const me = (await browser.get('/me')).body;
    assert.deepEqual([me.keyId, me.personId, me.role], [null, person.personId, 'manager']);
  });

  it('is made once of several at once, and once for each workspace', async () => {
    const body = { email: address('bob'), name: 'Bob', role: 'staff' };
    const replies = await inParallel(5, () => client.post('/people', body));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 1, 409: 4 });
    const other = (await app.newWorkspace()).client;
    assert.equal((await other.post('/people', body)).status, 201);
  });

  it('shows the same link to a repeat with its key, and keeps it nowhere as it is', async () => {
    const body = { email: address('carl'), name: 'Carl', role: 'viewer' };
    const headers = { 'idempotency-key': 'invite-carl' };
    const first = await client.post('/people', body, { headers });
    const repeat = await client.post('/people', body, { headers });
    assert.equal(repeat.text, first.text);
    assert.ok(!(await app.dump()).includes(String(first.body.link).split('/').at(-1) ?? 'no link'));
  });

  it('of an address that another workspace knows leads to a person of its own', async () => {
    const email = address('eve');
    const other = (await app.newWorkspace()).client;
    const [one, two] = [
      await makePerson(client, 'owner', { email }),
      await makePerson(other, 'owner', { email }),
    ];
    assert.notEqual(one.personId, two.personId);
    const { reply } = await signIn(app, one.link);
    assert.equal(reply.body.workspaces.length, 1);
  });

  it('refuses addresses and partners that are none, and a partner for a person who is no staff', async () => {
    const partner = (await client.post('/partners', { name: 'Harbour' })).body;
    const body = { email: address('dora'), name: 'Dora', role: 'staff' };
    assertRefused(await client.post('/people', { ...body, email: 'dora' }), 'invalid_request', /email/);
    assertRefused(
      await client.post('/people', { ...body, role: 'manager', partnerId: partner.partnerId }),
      'invalid_request',
      /only staff/,
    );
    const strangers = (await (await app.newWorkspace()).client.post('/partners', { name: 'Harbour' })).body;
    assertRefused(
      await client.post('/people', { ...body, partnerId: strangers.partnerId }),
      'partner_not_found',
    );
  });
});

describe('roles', () => {
  it('a manager changes no people and no keys, and a viewer changes nothing', async () => {
    const manager = await signInAs(app, 'manager', client);
    const viewer = await signInAs(app, 'viewer', client);
    const body = { email: address('x'), name: 'X', role: 'owner' };
    assertRefused(await manager.post('/people', body), 'role_required', /manager/);
    assertRefused(await manager.post('/api-keys', { name: 'X', access: 'full' }), 'role_required');
    assert.equal((await manager.patch('/workspace', { name: 'Blue Bean' })).status, 200);
    assertRefused(await viewer.patch('/workspace', { name: 'Red Bean' }), 'role_required', /viewer/);
    assert.equal((await viewer.get('/people')).status, 200);
  });

  it('what is taken from a person is gone within a second, here and in another process', async () => {
    const twin = await app.twin();
    const { link, personId } = await makePerson(client, 'manager');
    const { browser: here } = await signIn(app, link);
    const there = new Browser(twin, here.headers, here.personId);
    const change = (who: Client) => who.patch('/workspace', { name: 'Blue Bean' });
    for (const who of [here, there]) assert.equal((await change(who)).status, 200);
    assert.equal((await client.patch(`/people/${personId}`, { role: 'viewer' })).status, 200);
    assertRefused(await change(here), 'role_required');
    await sleep(1_001);
    assertRefused(await change(there), 'role_required');
    assert.equal((await there.get('/workspace')).status, 200);
    assert.equal((await client.delete(`/people/${personId}`)).status, 204);
    assertRefused(await here.get('/workspace'), 'invalid_session');
    await sleep(1_001);
    assertRefused(await there.get('/workspace'), 'invalid_session');
    assertRefused(await client.get(`/people/${personId}`), 'person_not_found');
  });

  it('of the last two owners who leave at once, one stays', async () => {
    const { client: own } = await app.newWorkspace();
    const owners = [await makePerson(own, 'owner'), await makePerson(own, 'owner')];
    const replies = await Promise.all(
      owners.flatMap(({ personId }) => [
        own.delete(`/people/${personId}`),
        own.patch(`/people/${personId}`, { role: 'viewer' }),
      ]),
    );
    assert.ok(replies.some(({ body }) => body.code === 'last_owner'));
    const { data } = (await own.get('/people')).body;
    assert.equal(data.filter(({ role }: { role: string }) => role === 'owner').length, 1);
  });

  it('an address is given once, and never changed', async () => {
    const { client: own, workspaceId } = await app.newWorkspace();
    const { personId } = await makePerson(own, 'owner', { email: address('first') });
    assertRefused(
      await own.patch(`/people/${personId}`, { email: address('other') }),
      'invalid_request',
      /an address stays/,
    );
    assert.ok(workspaceId);
  });

  it('every change names the person who made it: audit, ledger and events', async () => {
    const { client: own } = await app.newWorkspace();
    const manager = await signInAs(app, 'manager', own);
    const { pass } = await makeProgram(own);
    const card = await makeCard(own, pass.passId);
    await manager.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: 'Gold' } });
    const { entryId } = await award(manager, card, 3);
    const actors = async (path: string) =>
      ((await own.get(path)).body.data as { actor: string }[]).map(({ actor }) => actor);
    assert.ok((await actors('/audit?action=updateFields')).includes(manager.personId));
    assert.equal((await own.get(`/loyalty/entries/${entryId}`)).body.actor, manager.personId);
    assert.ok((await actors('/events')).includes(manager.personId));
    const lines = await actors(`/audit?actor=${manager.personId}&action=updateFields`);
    assert.deepEqual(lines, [manager.personId]);
  });
});

describe('staff', async () => {
  const { client: own } = await app.newWorkspace();
  const { pass, program } = await makeProgram(own, { mode: 'POINTS', reward: { title: 'Coffee', cost: 5 } });
  const card = await makeCard(own, pass.passId);
  const [harbour, airport] = [
    (await own.post('/partners', { name: 'Harbour' })).body.partnerId,
    (await own.post('/partners', { name: 'Airport' })).body.partnerId,
  ];
  const target = { passId: pass.passId, instanceId: card.instanceId };
  const bound = await signInAs(app, 'staff', own, { partnerId: harbour });
  const entryOf = async ({ body }: { body: { entryId: string } }) =>
    (await own.get(`/loyalty/entries/${body.entryId}`)).body;

  it('look up, award and redeem, for their own partner alone', async () => {
    assert.equal((await bound.get(`/instances/lookup?barcode=${card.barcode}`)).status, 200);
    const earned = await entryOf(await bound.post('/loyalty/points', { ...target, points: 20 }));
    assert.deepEqual([earned.partnerId, earned.actor], [harbour, bound.personId]);
    const redeemed = await entryOf(await bound.post('/loyalty/redeem', { ...target, partnerId: harbour }));
    assert.equal(redeemed.partnerId, harbour);
    for (const path of ['/loyalty/points', '/loyalty/redeem'])
      assertRefused(
        await bound.post(path, {
          ...target,
          points: path.endsWith('points') ? 1 : undefined,
          partnerId: airport,
        }),
        'role_required',
        /own partner/,
      );
    const { results } = (
      await bound.post('/loyalty/points/batch', {
        awards: [
          { ...target, points: 1, partnerId: airport },
          { ...target, points: 1 },
        ],
      })
    ).body;
    assert.deepEqual([results[0].error.code, results[1].status], ['role_required', 200]);
  });

  it('find who stands before them by a whole address or number, with the entries of their card', async () => {
    const holder = { identifier: 'grace', email: 'grace@example.com', phone: '+491711234567' };
    const theirs = await makeCard(own, pass.passId, { holder });
    for (const [name, value] of Object.entries(holder)) {
      const { data } = (await bound.get(`/holders?${name}=${encodeURIComponent(value)}`)).body;
      assert.equal(data[0].cards[0].instanceId, theirs.instanceId, name);
    }
    assert.deepEqual((await bound.get('/holders?email=grace@example.co')).body.data, []);
    const { entryId } = (
      await bound.post('/loyalty/points', { ...target, instanceId: theirs.instanceId, points: 2 })
    ).body;
    for (const card of [`instanceId=${theirs.instanceId}`, `passId=${pass.passId}&identifier=grace`]) {
      const { data } = (await bound.get(`/loyalty/entries?${card}`)).body;
      assert.equal(data[0].entryId, entryId);
    }
  });

  it('undo what they have entered themselves, and nothing else', async () => {
    const ownEntry = (await bound.post('/loyalty/points', { ...target, points: 2 })).body.entryId;
    const others = (await own.post('/loyalty/points', { ...target, points: 2 })).body.entryId;
    assertRefused(await bound.post(`/loyalty/entries/${others}/reverse`), 'role_required', /themselves/);
    assert.equal((await bound.post(`/loyalty/entries/${ownEntry}/reverse`)).status, 200);
  });

  it('adjust nothing, and list no holders', async () => {
    const adjust = { ...target, points: 100, reason: 'Mine' };
    assertRefused(await bound.post('/loyalty/adjust', adjust), 'role_required');
    for (const q of ['a', 'ad', '.. a', ''])
      assert.ok([400, 403].includes((await bound.get(`/holders?q=${q}`)).status), q);
    assertRefused(await bound.get('/holders?q=ad'), 'role_required', /three letters/);
    assertRefused(await bound.get('/holders?q=anna&cursor=x'), 'role_required', /first page/);
  });

  it('find a customer by a word of the name, on one page, and not by the beginning of an address', async () => {
    for (let n = 0; n < 3; n += 1)
      await makeCard(own, pass.passId, {
        holder: { name: `Zora Quast ${n}`, email: `hidden${n}@a.example` },
      });
    const { body } = await bound.get('/holders?q=quast&limit=2');
    assert.deepEqual(
      [body.data.map(({ name }: Json) => name), body.nextCursor],
      [['Zora Quast 0', 'Zora Quast 1'], null],
    );
    assert.deepEqual((await bound.get('/holders?q=hidden')).body.data, []);
  });

  it('read no lists of all', async () => {
    for (const all of [`passId=${pass.passId}`, `programId=${program.programId}`])
      assertRefused(await bound.get(`/loyalty/entries?${all}`), 'role_required', /one card/);
    assertRefused(await bound.get('/people'), 'role_required');
  });

  it('are bound no more once they are something else', async () => {
    const { personId } = await makePerson(own, 'staff', { partnerId: airport });
    const changed = (await own.patch(`/people/${personId}`, { role: 'manager' })).body;
    assert.deepEqual([changed.role, changed.partnerId], ['manager', null]);
  });
});

describe('an invitation by mail', async () => {
  const mailbox = await Mailbox.start();
  const mailing = await startTestApp({
    WORKERS: 'off',
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'cards@shop.example',
  });
  after(() => mailbox.close());
  const { client: own } = await mailing.newWorkspace();

  /** The link of the newest mail to an address, after so many of them. */
  async function mailedLink(email: string, count = 1): Promise<string> {
    const mails = () => mailbox.mails.filter(({ recipients }) => recipients.includes(email));
    await until(`mail ${count} to ${email}`, async () => mails().length >= count);
    return /https:\S+\/sign-in\/\S+/.exec(mails().at(-1)?.text ?? '')?.[0] ?? assert.fail('no link');
  }

  it('shows no link, and lets who answers it belong to several workspaces', async () => {
    const email = address('ada');
    const person = await makePerson(own, 'manager', { email });
    assert.equal(person.link, null);
    await signIn(mailing, await mailedLink(email));
    const { client: other, workspaceId } = await mailing.newWorkspace();
    await makePerson(other, 'viewer', { email });
    const { browser } = await signIn(mailing, await mailedLink(email, 2));
    assertRefused(await browser.get('/workspace'), 'invalid_request', /X-Workspace/);
    assertRefused(await browser.in('ws_nobodys').get('/workspace'), 'role_required');
    assert.equal((await browser.in(workspaceId).get('/workspace')).body.workspaceId, workspaceId);
    assertRefused(await browser.in(workspaceId).patch('/workspace', { name: 'Mine' }), 'role_required');
  });

  it('ends whatever was begun before its address was proved', async () => {
    const email = address('victim');
    const { personId } = await makePerson(own, 'owner', { email });
    // As if there had been no mail server when the person was made: an owner was shown the link.
    const shown = (await mailedLink(email)) ?? '';
    await mailing.sql('update sign_in_links set proves = null');
    const { browser: early } = await signIn(mailing, shown);
    await own.post(`/people/${personId}/links`);
    await signIn(mailing, await mailedLink(email, 2));
    assertRefused(await early.get('/sessions/current'), 'invalid_session');
  });

  it('a request for a link sends one where the address is known, and the same answer where it is not', async () => {
    const email = address('bob');
    await makePerson(own, 'viewer', { email });
    await mailedLink(email);
    const answers = [];
    for (const sought of [address('nobody'), email.toUpperCase()])
      answers.push(await mailing.anyone.post('/people/links', { email: sought }));
    assert.deepEqual(tally(answers.map(({ status, text }) => `${status} ${text}`)), { '202 ': 2 });
    const { reply } = await signIn(mailing, await mailedLink(email, 2));
    assert.equal(reply.body.person.email, email);
    assert.equal(mailbox.mails.filter(({ recipients }) => recipients[0]?.startsWith('nobody')).length, 0);
  });

  it('mails an address only so often, whether or not a person has it', async () => {
    for (const email of [address('none'), (await makePerson(own, 'viewer')).email]) {
      const replies = await inParallel(8, () => mailing.anyone.post('/people/links', { email }));
      assert.deepEqual(tally(replies.map(({ status }) => status)), { 202: 5, 429: 3 });
    }
  });
});

import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client } from '../../test/client.ts';
import { inParallel, makeCard, makeKey, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { Mailbox } from '../../tools/fakes/mailbox.ts';
import { decodeId } from '../kit/ids.ts';
import { forgetInvitee } from './forget-invitee.ts';
import { invite, inviteByMail, inviteLinks, press } from './invites.fixture.ts';

const mailbox = await Mailbox.start();
after(() => mailbox.close());
const app = await startTestApp({
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'cards@shop.example',
  MAIL_PER_MINUTE: '100000',
});
let client: Client;
let workspaceId: string;
let passId: string;
let people = 0;
beforeEach(async () => {
  ({ client, workspaceId } = await app.newWorkspace());
  ({ passId } = await makePass(client));
});
const newAddress = () => `person-${++people}@example.com`;
const listed = async (query = '') => (await client.get(`/passes/${passId}/invites${query}`)).body.data;

describe('POST /passes/{passId}/invites', () => {
  it('queues an invitation, which is then sent', async () => {
    const email = newAddress();
    const invited = await invite(client, passId, { email: ` ${email.toUpperCase()} `, name: 'Ada' });
    assert.match(invited.inviteId, /^invite_/);
    assert.equal(invited.passId, passId);
    assert.equal(invited.status, 'queued');
    assert.equal(invited.email, email);
    assert.equal(invited.sentAt, null);
    await mailbox.mailTo(email);
    await until('it says so', async () => (await listed())[0].status === 'sent');
    const [row] = await listed();
    assert.equal(row.inviteId, invited.inviteId);
    assert.ok(Date.parse(row.sentAt) >= Date.parse(row.createdAt));
    const audits = await app.sql('select action, target, detail::text from audit_log where action = $1', [
      'createInvite',
    ]);
    assert.equal(audits.at(-1)?.target, invited.inviteId);
    assert.doesNotMatch(JSON.stringify(audits), /@/);
  });

  it('mails an address once a pass, however it is written and however many call', async () => {
    const email = newAddress();
    const replies = await inParallel(20, (at) =>
      client.post(`/passes/${passId}/invites`, { email: at % 2 === 0 ? email : email.toUpperCase() }),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 202: 20 });
    assert.equal(new Set(replies.map(({ body }) => body.inviteId)).size, 1);
    await mailbox.mailTo(email);
    const repeat = await invite(client, passId, { email });
    assert.equal(repeat.inviteId, replies[0]?.body.inviteId);
    await until('it is sent', async () => (await listed())[0].status === 'sent');
    assert.equal((await invite(client, passId, { email })).status, 'sent');
    // Another pass is another invitation.
    const other = await makePass(client);
    await invite(client, other.passId, { email });
    await until('both are there', () => mailbox.to(email).length === 2);
  });

  it('replays its answer, and shows no more than the key may see', async () => {
    const email = newAddress();
    const first = await client.post(`/passes/${passId}/invites`, { email, externalRef: 'ref-1' });
    await mailbox.mailTo(email);
    const repeat = await client.post(`/passes/${passId}/invites`, { email, externalRef: 'ref-1' });
    assert.equal(repeat.text, first.text);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    assertRefused(
      await client.post(`/passes/${passId}/invites`, { email: newAddress(), externalRef: 'ref-1' }),
      'external_ref_reused',
    );
    const other = await makePass(client);
    const restricted = await makeKey(client, { passIds: [other.passId] });
    assertRefused(
      await restricted.client.post(`/passes/${passId}/invites`, { email, externalRef: 'ref-1' }),
      'insufficient_scope',
    );
  });

  it('refuses passes that are not published, and impossible addresses', async () => {
    for (const status of ['draft', 'archived']) {
      const pass = await makePass(client, {}, status);
      assertRefused(
        await client.post(`/passes/${pass.passId}/invites`, { email: newAddress() }),
        'pass_not_active',
        status === 'draft' ? /a draft/ : /archived/,
      );
    }
    const wrong = [
      'x',
      'x@',
      '@x.example',
      'a b@x.example',
      'a@b',
      'a@b..example',
      'a@-b.example',
      'a@[127.0.0.1]',
      'a@1.2.3.4',
      '"a"@x.example',
      'a@x.example, b@x.example',
      'a@x.example>',
      '<a@x.example>',
      'a..b@x.example',
      '.a@x.example',
      `${'a'.repeat(65)}@x.example`,
      'a@x.example\r\nBcc: b@x.example',
    ];
    for (const email of wrong)
      assertRefused(await client.post(`/passes/${passId}/invites`, { email }), 'invalid_request');
    assert.deepEqual(await listed(), []);
  });

  it('does not mail who has a card already, by identifier or address', async () => {
    const [byNumber, byAddress] = [newAddress(), newAddress()];
    await makeCard(client, passId, { holder: { identifier: 'c1' } });
    await makeCard(client, passId, { holder: { identifier: 'c2', email: byAddress.toUpperCase() } });
    assert.equal(
      (await invite(client, passId, { email: byNumber, identifier: 'c1' })).status,
      'already_holder',
    );
    assert.equal((await invite(client, passId, { email: byAddress })).status, 'already_holder');
    const fresh = newAddress();
    await inviteByMail({ client, mailbox }, passId, { email: fresh });
    assert.deepEqual([mailbox.to(byNumber).length, mailbox.to(byAddress).length], [0, 0]);
    const [, second, first] = await listed();
    assert.deepEqual([first.status, second.status], ['already_holder', 'already_holder']);
  });

  it('mails who was a holder once, and is invited again', async () => {
    const email = newAddress();
    const card = await makeCard(client, passId, { holder: { identifier: 'c1', email } });
    const before = await invite(client, passId, { email });
    await client.post(`/instances/${card.instanceId}/void`);
    const repeat = await invite(client, passId, { email });
    assert.deepEqual([before.status, repeat.status], ['already_holder', 'queued']);
    assert.equal(repeat.inviteId, before.inviteId);
    await mailbox.mailTo(email);
  });

  it('does not mail who has unsubscribed, whatever the pass, and keeps nothing about them', async () => {
    const email = newAddress();
    const mail = await inviteByMail({ client, mailbox }, passId, { email });
    await press(app.anyone, inviteLinks(app, mail).unsubscribe);
    assert.equal((await invite(client, passId, { email })).status, 'suppressed');
    const other = await makePass(client);
    const refused = await invite(client, other.passId, { email, name: 'Ada', identifier: 'c1' });
    assert.deepEqual([refused.status, refused.email], ['suppressed', null]);
    // Another workspace has its own word with the person.
    const stranger = await app.newWorkspace();
    const theirs = await makePass(stranger.client);
    assert.equal((await invite(stranger.client, theirs.passId, { email })).status, 'queued');
    await until('they are mailed', () => mailbox.to(email).length === 2);
    const [row] = await app.sql('select email, name, identifier from invites where pass_id = $1', [
      decodeId('pass', other.passId),
    ]);
    assert.deepEqual(row, { email: null, name: null, identifier: null });
  });
});

describe('GET /passes/{passId}/invites', () => {
  it('lists the newest first, page by page, by status and by address', async () => {
    const emails = [newAddress(), newAddress(), newAddress()];
    for (const email of emails) await inviteByMail({ client, mailbox }, passId, { email });
    await until('all are sent', async () => (await listed('?status=sent')).length === 3);
    const page = (await client.get(`/passes/${passId}/invites?limit=2`)).body;
    const rest = (await client.get(`/passes/${passId}/invites?limit=2&cursor=${page.nextCursor}`)).body;
    assert.deepEqual(
      [...page.data, ...rest.data].map(({ email }) => email),
      emails.toReversed(),
    );
    assert.equal(rest.nextCursor, null);
    const [found] = await listed(`?email=${encodeURIComponent(emails[1]?.toUpperCase() ?? '')}`);
    assert.equal(found.email, emails[1]);
    assert.deepEqual(await listed('?status=failed'), []);
    assertRefused(
      await client.get(`/passes/${passId}/invites?status=sent&cursor=${page.nextCursor}`),
      'invalid_request',
    );
    const other = await app.newWorkspace();
    assertRefused(await other.client.get(`/passes/${passId}/invites`), 'forbidden');
  });
});

describe('a person who is forgotten', () => {
  const ctx = () => ({
    app: app.running.app,
    requestId: 'test',
    workspaceId: decodeId('ws', workspaceId) ?? '',
    actor: 'test',
    passIds: null,
  });
  const everything = async () => (await app.dump()).toLowerCase();

  it('leaves nothing but the hash by which they are not written to', async () => {
    const email = newAddress();
    const key = { externalRef: 'forget-1' };
    const { inviteId } = await invite(client, passId, { email, name: 'Ada Forgotten', ...key });
    const mail = await mailbox.mailTo(email);
    assert.match(await everything(), new RegExp(email));
    const [row] = await app.sql('select email_hash from invites where invite_id = $1', [
      decodeId('invite', inviteId),
    ]);
    await app.running.app.database.transaction((tx) =>
      forgetInvitee(tx, ctx(), { emailHash: row?.email_hash }),
    );
    const left = await everything();
    assert.doesNotMatch(left, new RegExp(email));
    assert.doesNotMatch(left, /ada forgotten/);
    const replay = await client.post(`/passes/${passId}/invites`, { email, name: 'Ada Forgotten', ...key });
    assert.deepEqual([replay.status, replay.body.email], [202, null]);
    assert.equal((await invite(client, passId, { email })).status, 'suppressed');
    const links = inviteLinks(app, mail);
    assertRefused(await app.anyone.get(links.claim), 'invite_not_found');
    assertRefused(await press(app.anyone, links.claim), 'invite_not_found');
    assert.equal((await press(app.anyone, links.unsubscribe)).status, 200);
  });

  it('is forgotten with the card that was made of the invitation', async () => {
    const email = newAddress();
    const links = inviteLinks(app, await inviteByMail({ client, mailbox }, passId, { email }));
    assert.equal((await press(app.anyone, links.claim)).status, 303);
    const [{ instanceId }] = await listed();
    assert.equal((await client.delete(`/instances/${instanceId}`)).status, 204);
    assert.doesNotMatch(await everything(), new RegExp(email));
    assertRefused(await press(app.anyone, links.claim), 'invite_not_found');
  });
});

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makeCard, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { Mailbox } from '../../tools/fakes/mailbox.ts';
import { type InviteLinks, invite, inviteByMail, inviteLinks, press } from './invites.fixture.ts';

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
before(async () => {
  ({ client, workspaceId } = await app.newWorkspace());
});
beforeEach(async () => {
  ({ passId } = await makePass(client, { details: 'Ten stamps' }));
});
const newAddress = () => `claimer-${++people}@example.com`;
const cards = async () => (await client.get(`/passes/${passId}/instances`)).body.data;
const invites = async () => (await client.get(`/passes/${passId}/invites`)).body.data;
const browser = { headers: { accept: 'text/html' } };

async function invited(person: { email: string; [more: string]: unknown }): Promise<InviteLinks> {
  return inviteLinks(app, await inviteByMail({ client, mailbox }, passId, person));
}

describe('GET /invites/{token}', () => {
  it('shows the card and one button, and changes nothing', async () => {
    const { claim } = await invited({ email: newAddress(), name: 'Zoë <b>&"' });
    for (let look = 0; look < 3; look++) {
      const page = await app.anyone.get(`${claim}?utm_source=mail`, browser);
      assert.equal(page.status, 200);
      assert.match(page.text, /Hello <bdi>Zoë &lt;b&gt;&amp;&quot;<\/bdi>/);
      assert.match(page.text, /Blue Bean Club/);
      assert.match(
        page.text,
        /<form class="act primary" method="post"><button class="button">Get your card</,
      );
      assert.doesNotMatch(page.text, /<script|http-equiv="refresh"/);
      const policy = page.headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none'; style-src 'sha256-/);
      assert.match(policy, /form-action 'self'; frame-ancestors 'none'$/);
      assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
      assert.equal(page.headers.get('cache-control'), 'private, no-cache');
    }
    assert.deepEqual(await cards(), []);
    assert.equal((await invites())[0].acceptedAt, null);
  });

  it('is in the language of the person, else of the shop', async () => {
    await client.patch('/workspace', { locale: 'de' });
    after(() => client.patch('/workspace', { locale: 'en' }));
    const french = await invited({ email: newAddress(), locale: 'fr-CA' });
    const unknown = await invited({ email: newAddress() });
    assert.match((await app.anyone.get(french.claim)).text, /<html lang="fr-CA">[\s\S]*Obtenir ma carte/);
    assert.match((await app.anyone.get(unknown.claim)).text, /<html lang="de">[\s\S]*Karte holen/);
    assert.match((await app.anyone.get(unknown.unsubscribe)).text, /<html lang="de">[\s\S]*Abmelden/);
  });

  it('refuses other tokens with a page, or the error body', async () => {
    const { claim, unsubscribe } = await invited({ email: newAddress() });
    const token = claim.split('/').at(-1) ?? '';
    const other = (await invited({ email: newAddress() })).claim.split('/').at(-1) ?? '';
    const card = await makeCard(client, passId);
    const wrong = [
      'x',
      'A'.repeat(64),
      `${token}A`,
      token.slice(0, 43) + other.slice(43),
      // Each link opens one thing.
      unsubscribe.split('/').at(-1),
      card.links.add.split('/').at(-1),
    ];
    for (const text of wrong) {
      for (const reply of [
        await app.anyone.get(`/invites/${text}`),
        await press(app.anyone, `/invites/${text}`),
      ])
        assertRefused(reply, 'invite_not_found');
      const page = await app.anyone.get(`/invites/${text}`, browser);
      assert.equal(page.status, 404);
      assert.match(page.text, /This link does not work/);
    }
    assertRefused(await app.anyone.get(`/unsubscribe/${token}`), 'invite_not_found');
    assertRefused(await press(app.anyone, `/unsubscribe/${token}`), 'invite_not_found');
  });
});

describe('POST /invites/{token}', () => {
  it('issues the card for the person, and leads to its page', async () => {
    const email = newAddress();
    const { claim } = await invited({ email, name: 'Ada', identifier: 'c77', locale: 'de_AT' });
    const taken = await press(app.anyone, claim);
    assert.equal(taken.status, 303);
    const [card] = await cards();
    assert.equal(taken.headers.get('location'), card.links.add);
    assert.match(taken.headers.get('cache-control') ?? '', /no-store/);
    assert.deepEqual(card.holder, { identifier: 'c77', name: 'Ada', email, phone: null, locale: 'de-AT' });
    assert.equal((await app.anyone.get(card.links.add)).status, 200);
    const [row] = await invites();
    assert.equal(row.instanceId, card.instanceId);
    assert.ok(row.acceptedAt);
    const page = await app.anyone.get(claim, browser);
    assert.match(page.text, /Das haben Sie schon/);
  });

  it('is the same card again, also for 20 at a time, and for who has one by other ways', async () => {
    const { claim } = await invited({ email: newAddress() });
    const replies = await inParallel(20, () => press(app.anyone, claim));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 303: 20 });
    assert.equal(new Set(replies.map(({ headers }) => headers.get('location'))).size, 1);
    assert.equal((await cards()).length, 1);

    const late = newAddress();
    const second = await invited({ email: late });
    const card = await makeCard(client, passId, { holder: { identifier: 'x', email: late.toUpperCase() } });
    assert.equal((await press(app.anyone, second.claim)).headers.get('location'), card.links.add);
    assert.equal((await cards()).length, 2);
    await assertInvariants(app.sql);
  });

  it('knows who has no number by the address, as an order of a guest does', async () => {
    const email = newAddress();
    const { claim } = await invited({ email });
    await press(app.anyone, claim);
    const repeat = await client.post(`/passes/${passId}/instances`, { holder: { identifier: email } });
    assert.equal(repeat.status, 200);
    assert.equal(repeat.body.holder.email, email);
  });

  it('stays with the card that it was turned into, also once that is void', async () => {
    const { claim } = await invited({ email: newAddress() });
    const first = await press(app.anyone, claim);
    const [card] = await cards();
    await client.post(`/instances/${card.instanceId}/void`);
    assert.equal((await press(app.anyone, claim)).headers.get('location'), first.headers.get('location'));
    assert.equal((await cards()).length, 1);
  });

  it('says why there is no card, and gives it out once there is one again', async () => {
    const { claim } = await invited({ email: newAddress() });
    const both = async (code: Parameters<typeof assertRefused>[1], title: RegExp) => {
      assertRefused(await app.anyone.get(claim), code);
      assertRefused(await press(app.anyone, claim), code);
      const page = await app.anyone.get(claim, browser);
      assert.match(page.text, title);
      assert.match(page.text, /<p class="shop"><bdi>Blue Bean<\/bdi><\/p>/);
      assert.match(page.text, /background: #10324a; color: #ffffff/);
    };
    await client.patch(`/passes/${passId}`, { colors: { background: '#10324a', foreground: '#ffffff' } });
    await client.patch(`/passes/${passId}`, { status: 'archived' });
    await both('pass_archived', /not available at the moment/);
    await client.patch(`/passes/${passId}`, { status: 'draft' });
    await both('pass_not_active', /not available at the moment/);
    await client.patch(`/passes/${passId}`, { status: 'published' });
    await app.operator.patch(`/operator/workspaces/${workspaceId}`, { suspended: true });
    await both('workspace_suspended', /cards are paused/);
    await app.operator.patch(`/operator/workspaces/${workspaceId}`, { suspended: false });
    assert.equal((await press(app.anyone, claim)).status, 303);

    const pool = await makePass(client, { barcode: { mode: 'pool' } });
    passId = pool.passId;
    const empty = await invited({ email: newAddress() });
    assertRefused(await press(app.anyone, empty.claim), 'pool_exhausted');
    await app.fillPool(passId, ['CODE-1']);
    assert.equal((await press(app.anyone, empty.claim)).status, 303);
  });

  it('takes a form with fields, a form in parts, JSON, or nothing', async () => {
    for (const [body, type] of [
      ['a=b', 'application/x-www-form-urlencoded; charset=utf-8'],
      ['--x\r\n\r\n\r\n--x--', 'multipart/form-data; boundary=x'],
      ['{"a":', 'application/json'],
      [undefined, undefined],
    ] as const) {
      const { claim } = await invited({ email: newAddress() });
      const reply = await app.anyone.send('POST', claim, body, {
        ...(type !== undefined && { headers: { 'content-type': type } }),
      });
      assert.equal(reply.status, 303, `${type}: ${reply.text}`);
    }
  });
});

describe('/unsubscribe/{token}', () => {
  it('asks first, and changes nothing by that', async () => {
    const email = newAddress();
    const { unsubscribe } = await invited({ email });
    const page = await app.anyone.get(unsubscribe, browser);
    assert.match(page.text, /<p class="shop"><bdi>Blue Bean<\/bdi><\/p>/);
    assert.match(page.text, /No more mail from <bdi>Blue Bean<\/bdi>\?/);
    assert.match(page.text, /<form method="post"><button class="button">Unsubscribe</);
    assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self'/);
    const other: Json = await makePass(client);
    assert.equal((await invite(client, other.passId, { email })).status, 'queued');
  });

  it('takes one click of a mail program, without anything else, and again', async () => {
    const email = newAddress();
    const { unsubscribe } = await invited({ email });
    for (let click = 0; click < 2; click++) {
      // RFC 8058 §3.2: no cookies, no other headers, no redirect.
      const reply = await fetch(`${app.url}${unsubscribe}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      });
      assert.equal(reply.status, 200);
      assert.equal(reply.headers.get('set-cookie'), null);
      assert.match(await reply.text(), /You are unsubscribed/);
    }
    assert.match((await app.anyone.get(unsubscribe)).text, /You are unsubscribed/);
    assert.equal((await invite(client, passId, { email })).status, 'suppressed');
    const stored = await app.sql('select reason, encode(email_hash, $1) as hash from suppressions', ['hex']);
    assert.ok(stored.some(({ reason }) => reason === 'unsubscribed'));
    assert.doesNotMatch(JSON.stringify(stored), /@/);
  });

  it('works for ever, also once the pass is deleted', async () => {
    const email = newAddress();
    const { claim, unsubscribe } = await invited({ email });
    assert.equal((await client.delete(`/passes/${passId}`)).status, 204);
    assertRefused(await app.anyone.get(claim), 'invite_not_found');
    assertRefused(await press(app.anyone, claim), 'invite_not_found');
    app.advance(400 * 24 * 3_600_000);
    assert.equal((await app.anyone.get(unsubscribe)).status, 200);
    assert.equal((await press(app.anyone, unsubscribe)).status, 200);
    const other: Json = await makePass(client);
    assert.equal((await invite(client, other.passId, { email })).status, 'suppressed');
  });

  it('takes 20 at a time', async () => {
    const { unsubscribe } = await invited({ email: newAddress() });
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    const replies = await inParallel(20, () =>
      fetch(`${app.url}${unsubscribe}`, { method: 'POST', body: form }),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 20 });
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeJoinPass, proofLink, sendForm, stranger } from '../src/enrolment/join.fixture.ts';
import { errors } from '../src/errors.ts';
import { inviteByMail, inviteLinks } from '../src/invitations/invites.fixture.ts';
import { languages } from '../src/locales/languages.ts';
import { errorPage } from '../src/rendering/error-page.ts';
import { routes } from '../src/routes.ts';
import {
  addPasskey,
  Browser,
  cookieOf,
  makePerson,
  navigate,
  sameOrigin,
} from '../src/sign-in/people.fixture.ts';
import { emitEvents, makeWebhook, startReceiver, startWebhookApp } from '../src/webhooks/webhooks.fixture.ts';
import { Mailbox } from '../tools/fakes/mailbox.ts';
import { linksOf, type ReceivedMail } from '../tools/fakes/received-mail.ts';
import type { Client, Reply } from './client.ts';
import { makeCard, makePass } from './factories.ts';
import { assertWhole, assertWholeText } from './page-words.ts';
import { until } from './wallets.ts';

const mailbox = await Mailbox.start();
after(() => mailbox.close());
const app = await startWebhookApp({
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'cards@shop.example',
  MAIL_PER_MINUTE: '9999',
  TRUST_PROXY: '127.0.0.1/32',
});
let client: Client;
before(async () => {
  ({ client } = await app.newWorkspace());
  await client.patch('/workspace', { name: 'Qxbean' });
});

/** The shop's own words, which no language has. */
const own = ['Qxbean', 'Qxclub', 'Qxada', 'Qxkey'];
const translations = Object.fromEntries(
  Object.keys(languages).flatMap((tag) => (tag === 'en' ? [] : [[tag, { title: 'Qxclub' }]])),
);
const design = { title: 'Qxclub', fields: [], translations };

/** The reference is for developers, in English. */
const notTranslated = ['getReference', 'searchReference', 'getReferencePage'];
const isTranslated = (op: string) => !notTranslated.includes(op);
/** Every operation that answers a page, and every one whose errors are pages. */
const pageOps = routes
  .filter(({ endpoint }) => Object.values(endpoint.answers).includes('text/html'))
  .map(({ endpoint }) => endpoint.op)
  .filter(isTranslated);
const errorPageRoutes = routes.filter(({ endpoint }) => endpoint.page === true && isTranslated(endpoint.op));

/** The operation behind a path, as the router finds it: a name before a parameter. */
function opOf(method: string, path: string): string | undefined {
  const { pathname } = new URL(path, app.config.publicUrl);
  const names = (pattern: string) => pattern.split('/').filter((part) => !part.startsWith('{')).length;
  return routes
    .filter((route) => route.method === method)
    .filter(({ path: pattern }) => new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
    .sort((one, other) => names(other.path) - names(one.path))[0]?.endpoint.op;
}

/** A person who reads a language, and checks every page and mail that they get to see. */
class Reader {
  readonly language: string;
  /** The operations whose pages they have seen. */
  readonly seen = new Set<string>();
  readonly browser: Client;

  constructor(language: string) {
    this.language = language;
    this.browser = stranger(app).with({ accept: 'text/html', 'accept-language': language });
  }

  async look(path: string, status = 200, more: Record<string, string> = {}): Promise<void> {
    this.judge('GET', path, await this.browser.with(more).get(path), status);
  }

  async send(path: string, body: string, status = 200, more: Record<string, string> = {}): Promise<void> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await this.browser.with({ ...sameOrigin, ...more }).send('POST', path, body, { headers });
    this.judge('POST', path, sent, status);
  }

  judge(method: string, path: string, reply: Reply, status: number): void {
    const what = `${method} ${path.slice(0, 100)}`;
    assert.equal(reply.status, status, `${what}: ${reply.text.slice(-600)}`);
    // The message of an error that has no page of its own is English.
    if (this.language === 'en' && status >= 400) assert.match(reply.text, /<html lang="en">/);
    else assertWhole(what, reply.text, this.language, own);
    if (status < 400) this.seen.add(opOf(method, path) ?? what);
  }

  read(what: string, mail: ReceivedMail): ReceivedMail {
    assertWhole(what, mail.html, this.language, own);
    assertWholeText(what, mail.text, this.language, own);
    assertWholeText(what, mail.headers.get('subject') ?? '', this.language, own);
    assert.equal(mail.headers.get('content-language'), this.language, what);
    return mail;
  }
}

async function readCards(reader: Reader): Promise<void> {
  const holder = { name: 'Qxada', locale: reader.language };
  for (const type of ['loyalty', 'coupon', 'eventTicket', 'giftCard']) {
    const pass = await makePass(client, { ...design, type });
    const card = await makeCard(client, pass.passId, { holder });
    for (const agent of ['iPhone', 'Android', ''])
      await reader.look(card.links.add, 200, { 'user-agent': agent });
    await reader.look(card.links.card);
    if (type !== 'coupon') continue;
    await client.post(`/instances/${card.instanceId}/void`);
    await reader.look(card.links.add);
    await reader.look(card.links.card);
  }
  const expiry = { kind: 'fixed', at: '2020-01-01T00:00:00Z' };
  const expired = await makePass(client, { ...design, expiry });
  await reader.look((await makeCard(client, expired.passId, { holder })).links.add);
}

async function readInvitation(reader: Reader): Promise<void> {
  const { passId } = await makePass(client, design);
  const email = `${reader.language}-invited@example.com`;
  const person = { email, name: 'Qxada', locale: reader.language };
  const mail = reader.read('an invitation', await inviteByMail({ client, mailbox }, passId, person));
  const links = inviteLinks(app, mail);
  await reader.look(links.claim);
  await reader.look(links.unsubscribe);
  await reader.send(links.unsubscribe, '');
  await client.patch(`/passes/${passId}`, { status: 'archived' });
  await reader.look(links.claim, 400);
  await reader.send(links.claim, '', 400);
}

async function readEnrolment(reader: Reader): Promise<void> {
  const fields = [{ key: 'name' }, { key: 'email' }, { key: 'phone' }];
  const { passId } = await makeJoinPass(client, { fields, consents: [] }, design);
  await reader.look(`/join/${passId}`);
  const email = `${reader.language}-joined@example.com`;
  reader.judge(
    'POST',
    `/join/${passId}`,
    await sendForm(reader.browser, passId, { name: 'Qxada', email }),
    200,
  );
  const proof = reader.read('the proof of an address', await mailbox.mailTo(email));
  await reader.look(proofLink(app, proof));
  await reader.look(`/join/${passId}/confirm/x`, 400);
  await reader.send(`/join/${passId}`, 'email=x', 400);
  await client.patch(`/passes/${passId}`, { join: { enabled: false } });
  await reader.look(`/join/${passId}`, 404);
}

async function readSignIn(reader: Reader): Promise<void> {
  const email = `${reader.language}-works@example.com`;
  const inviting = client.with({
    authorization: `Bearer ${client.secret}`,
    'accept-language': reader.language,
  });
  await makePerson(inviting, 'owner', { email, name: 'Qxada' });
  const invitation = reader.read('an invitation to work', await mailbox.mailTo(email));
  await reader.look('/sign-in');
  await reader.send('/sign-in', `email=${email}`);
  await until('a link is mailed', () => mailbox.to(email).length > 1);
  const mail = mailbox.to(email).find((one) => one !== invitation) ?? assert.fail();
  const [link = ''] = linksOf(reader.read('a sign-in link', mail));
  const path = new URL(link).pathname;
  await reader.look(path);
  const begun = await app.anyone.post('/sessions', { link }, { headers: sameOrigin });
  const cookie = cookieOf(begun);
  await addPasskey(app, new Browser(app.anyone, { ...sameOrigin, cookie }, begun.body.person.personId), {
    name: 'Qxkey',
  });
  await reader.look('/account', 200, { ...sameOrigin, cookie });
  await reader.send('/account', 'password=qwertyuiop', 400, { cookie });
  await reader.send('/account', 'password=correct+horse+battery', 200, { cookie });
  await reader.send('/sign-in', `email=${email}&password=wrong`, 401);
  await reader.send(path, '', 401);
  await reader.send('/account', 'password=correct+horse+battery', 401);
  await reader.send(path, '', 400, { 'sec-fetch-site': 'cross-site' });
}

async function readWebhookMail(reader: Reader): Promise<void> {
  const { client: other, workspaceId } = await app.newWorkspace();
  await other.patch('/workspace', { name: 'Qxbean', locale: reader.language });
  const email = `${reader.language}-owns@example.com`;
  await makePerson(other, 'owner', { email, name: 'Qxada' });
  const receiver = await startReceiver();
  receiver.answering = 410;
  await makeWebhook(other, receiver.url);
  await emitEvents(app, workspaceId);
  await until('the owner is mailed', () => mailbox.to(email).length > 1);
  for (const mail of mailbox.to(email)) reader.read('a mail to an owner', mail);
}

/** A request that an operation refuses whatever it is about. */
async function readRefusal(reader: Reader, { method, path }: (typeof routes)[number]): Promise<void> {
  const asked = path.replace(/\{\w+\}/g, 'x'.repeat(300));
  const headers = { 'content-type': 'application/xml' };
  const reply =
    method === 'GET'
      ? await reader.browser.get(`${asked}?${'x'.repeat(9_000)}`)
      : await reader.browser.send(method, asked, '<x/>', { headers });
  assert.ok(reply.status >= 400, `${method} ${asked} is not refused: ${reply.status}`);
  reader.judge(method, asked, reply, reply.status);
}

describe('every page and mail', () => {
  for (const language of Object.keys(languages))
    it(`is whole in ${language}`, async () => {
      const reader = new Reader(language);
      await readCards(reader);
      await readInvitation(reader);
      await readEnrolment(reader);
      await readSignIn(reader);
      await readWebhookMail(reader);
      const headers = { ...reader.browser.headers, 'sec-fetch-dest': 'document' };
      for (const [path, status] of Object.entries({ '/': 200, '/nowhere': 404, '/sign-out': 405 }))
        reader.judge('GET', path, await navigate(app, path, headers), status);
      await reader.look('/p/missing', 404);
      for (const route of errorPageRoutes) await readRefusal(reader, route);
      // A page that is new has to be looked at above.
      assert.deepEqual(
        pageOps.filter((op) => !reader.seen.has(op)),
        [],
      );
    });
});

describe('the page of an error', () => {
  const message = 'What an error says itself is English.';
  for (const language of Object.keys(languages).filter((one) => one !== 'en'))
    it(`is whole in ${language}, whatever the error`, () => {
      for (const [code, [status]] of Object.entries(errors))
        assertWhole(code, errorPage({ status, code, message }, 'req_7', language).html, language, own);
    });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client, type Json, type Reply } from '../../test/client.ts';
import type { TestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { Authenticator } from '../../tools/fakes/authenticator.ts';
import type { Mailbox } from '../../tools/fakes/mailbox.ts';
import { hashSecret, newSecret } from '../kit/crypto/tokens.ts';
import { decodeId, newUuidV7 } from '../kit/ids.ts';
import type { roles } from '../people/roles.ts';

type Role = (typeof roles)[number];

/** What a browser says of a request of a page of ours. */
export const sameOrigin = { 'sec-fetch-site': 'same-origin' };

/** The browser of a person who is signed in, and calls the API of a workspace. */
export class Browser extends Client {
  readonly personId: string;

  constructor(client: Client, headers: Record<string, string>, personId: string) {
    super(client.url, client.publicUrl, null, true, headers);
    this.personId = personId;
  }

  /** The same, where another workspace is meant. */
  in(workspaceId: string): Browser {
    return new Browser(this, { ...this.headers, 'x-workspace': workspaceId }, this.personId);
  }
}

/** Invites a person, and answers them with their link. */
export async function makePerson(client: Client, role: Role, more: Json = {}): Promise<Json> {
  const person = { email: `${newUuidV7()}@example.com`, name: `A ${role}`, role, ...more };
  const made = await client.post('/people', person);
  assert.equal(made.status, 201, made.text);
  return made.body;
}

/** Signs in with a link, and answers what came back with the browser that is signed in. */
export async function signIn(
  app: TestApp,
  link: string,
  headers: Record<string, string> = sameOrigin,
): Promise<{ reply: Reply; browser: Browser }> {
  const reply = await app.anyone.post('/sessions', { link }, { headers });
  assert.equal(reply.status, 201, reply.text);
  const cookie = cookieOf(reply);
  return { reply, browser: new Browser(app.anyone, { ...headers, cookie }, reply.body.person.personId) };
}

/** The browser of a new person with this role in the workspace of a key. */
export async function signInAs(app: TestApp, role: Role, client: Client, more: Json = {}): Promise<Browser> {
  const { link } = await makePerson(client, role, more);
  return (await signIn(app, link)).browser;
}

/** An owner as the first start makes one, in a workspace of their own: signed in, without an address, a password or a passkey. */
export async function firstOwner(app: TestApp) {
  const { client } = await app.newWorkspace();
  const { personId, email } = await makePerson(client, 'owner', { name: 'Owner' });
  const uuid = decodeId('person', personId);
  const secret = newSecret('link_');
  await app.sql('update memberships set email = null, pending = false where person_id = $1', [uuid]);
  await app.sql('update people set email = null where email = $1', [email]);
  await app.sql('delete from sign_in_links where person_id = $1', [uuid]);
  await app.sql(
    'insert into sign_in_links (secret_hash, person_id, asked, expires_at) values ($1, $2, false, $3)',
    [hashSecret(secret), uuid, new Date(Date.now() + 86_400_000 * 365)],
  );
  return { client, personId: String(personId), link: `/sign-in/${secret}` };
}

/** What ends the newest link to an address that proves it, after so many of them. */
export async function mailedProof(mailbox: Mailbox, email: string, count = 1): Promise<string> {
  const proofs = () =>
    mailbox.mails
      .filter(({ recipients }) => recipients.includes(email))
      .flatMap(({ text }) => /account\?address=(\S+)/.exec(text)?.[1] ?? []);
  await until(`proof ${count} to ${email}`, async () => proofs().length >= count);
  return decodeURIComponent(proofs().at(-1) ?? '');
}

/** A new till of the workspace of a key: the browser that is paired, without a person yet. */
export async function pairTill(app: TestApp, client: Client, more: Json = {}) {
  const device = (await client.post('/devices', { name: 'Till', ...more })).body;
  const paired = await app.anyone.post('/devices/pair', { code: device.code }, { headers: sameOrigin });
  assert.equal(paired.status, 201, paired.text);
  return { device, paired, till: app.anyone.with({ ...sameOrigin, cookie: cookieOf(paired) }) };
}

/** The browser of a new till, at which a new person with this role has signed in with a PIN. */
export async function signInAtTill(app: TestApp, role: Role, client: Client, more: Json = {}) {
  const { device, till } = await pairTill(app, client, more);
  const { personId } = await makePerson(client, role);
  await client.patch(`/people/${personId}`, { pin: '2580' });
  const reply = await till.post('/sessions', { personId, pin: '2580' });
  assert.equal(reply.status, 201, reply.text);
  const cookie = `${till.headers.cookie}; ${cookieOf(reply)}`;
  return { device, till, reply, browser: new Browser(app.anyone, { ...sameOrigin, cookie }, personId) };
}

/** What a browser sends back of the cookie that an answer has set. */
export function cookieOf(reply: Pick<Reply, 'headers'>): string {
  return reply.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

/** Adds a passkey to the person of a browser who has just signed in, and answers what holds it. */
export async function addPasskey(app: TestApp, browser: Client, more: Json = {}) {
  const authenticator = new Authenticator(new URL(app.config.publicUrl).origin);
  const options = (await browser.get('/passkeys/options')).body;
  const made = await browser.post('/passkeys', { ...authenticator.create(options), ...more });
  assert.equal(made.status, 201, made.text);
  return { authenticator, passkeyId: String(made.body.passkeyId) };
}

/** Signs in with a passkey. */
export async function signInWith(
  app: TestApp,
  authenticator: Authenticator,
  headers: Record<string, string> = sameOrigin,
): Promise<Reply> {
  const options = (await app.anyone.get('/sessions/options')).body;
  return app.anyone.post('/sessions', authenticator.sign(options), { headers });
}

/** What a browser says when another site has led it to a page of ours. */
export const led = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

/** Opens a page as a browser does: `fetch` says of itself that it is no navigation. */
export async function navigate(app: TestApp, path: string, headers: Record<string, string>): Promise<Reply> {
  const asked = get(`${app.url}${path}`, { headers });
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  const said = await text(reply);
  const isJson = reply.headers['content-type']?.startsWith('application/json') === true;
  const pairs = Object.entries(reply.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return {
    status: reply.statusCode ?? 0,
    headers: new Headers(pairs),
    body: isJson ? JSON.parse(said) : said,
    text: said,
  };
}

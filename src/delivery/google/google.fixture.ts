import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Client, Json } from '../../../test/client.ts';
import { makeCard, makePass } from '../../../test/factories.ts';
import { startTestApp, type TestApp } from '../../../test/harness.ts';
import { until } from '../../../test/wallets.ts';
import { type Google, startGoogle } from '../../../tools/fakes/google.ts';
import type { CallbackPlan, SignedCallback } from '../../../tools/fakes/google-callbacks.ts';
import { decodeId } from '../../kit/ids.ts';
import { classIdOf, objectIdOf } from './google-card.ts';

/** A service with an account at a Google of its own; both are closed after the file's tests. */
export async function startGoogleApp(
  overrides: Record<string, string> = {},
): Promise<{ app: TestApp; google: Google }> {
  let now = () => new Date();
  const google = await startGoogle({ now: () => now() });
  after(() => google.close());
  const app = await startTestApp({ ...googleSettings(google), ...overrides });
  // A test that moves one clock moves the other.
  now = app.running.app.now;
  return { app, google };
}

/** The settings of a service that has an account there. */
export function googleSettings(google: Google): Record<string, string> {
  return {
    GOOGLE_SERVICE_ACCOUNT: google.serviceAccountJson,
    GOOGLE_ISSUER_ID: google.issuerId,
    GOOGLE_WALLET_URL: google.url,
    GOOGLE_CALLBACK_KEYS_URL: google.keysUrl,
  };
}

const words: Readonly<Record<string, string>> = { coupon: 'offer' };

/** A shop on a service, its credits and its cards, and what Google knows and has heard of them. */
export class GoogleShop {
  readonly app: TestApp;
  readonly google: Google;
  readonly workspaceId: string;
  readonly client: Client;

  constructor(app: TestApp, google: Google, workspaceId: string, client: Client) {
    this.app = app;
    this.google = google;
    this.workspaceId = workspaceId;
    this.client = client;
  }

  static async open(app: TestApp, google: Google, credits = 100): Promise<GoogleShop> {
    const { workspaceId, client } = await app.newWorkspace('pro', credits);
    return new GoogleShop(app, google, uuidOf('ws', workspaceId), client);
  }

  get callbackUrl(): string {
    return `${this.app.url}/google/callback`;
  }

  pass(design: object = {}): Promise<Json> {
    return makePass(this.client, design);
  }

  card({ passId }: Json, body: object = {}): Promise<Json> {
    return makeCard(this.client, passId, body);
  }

  /** Presses the button; the save link. */
  async press(card: Json): Promise<string> {
    const reply = await this.app.anyone.get(card.links.google);
    assert.equal(reply.status, 302, reply.text);
    return reply.headers.get('location') ?? assert.fail('no location');
  }

  /** A holder adds the card, and Google's call-back is taken. */
  async save(card: Json): Promise<void> {
    const reports = await this.google.save(await this.press(card), { callbackUrl: this.callbackUrl });
    assert.deepEqual(
      reports.map(({ status }) => status),
      [200],
    );
  }

  /** A card of the pass that a holder keeps and that Google was sent everything of. */
  async savedCard(pass: Json, body: object = {}): Promise<Json> {
    const card = await this.card(pass, body);
    await this.save(card);
    await this.synced(card);
    return card;
  }

  async remove(card: Json): Promise<void> {
    const reports = await this.google.remove(this.objectId(card), { callbackUrl: this.callbackUrl });
    assert.deepEqual(
      reports.map(({ status }) => status),
      [200],
    );
  }

  classId({ passId }: Json): string {
    const pass = { workspaceId: this.workspaceId, passId: uuidOf('pass', passId) };
    return classIdOf(this.google.issuerId, pass);
  }

  objectId({ instanceId }: Json): string {
    const card = { workspaceId: this.workspaceId, instanceId: uuidOf('inst', instanceId) };
    return objectIdOf(this.google.issuerId, card);
  }

  /** The card as it is stored at Google. */
  object(card: Json, type = 'loyalty'): Json {
    return this.google.find(`${words[type] ?? type}Object`, this.objectId(card));
  }

  class(pass: Json, type = 'loyalty'): Json {
    return this.google.find(`${words[type] ?? type}Class`, this.classId(pass));
  }

  /** What the object shows in a field. */
  shows(card: Json, key = 'tier', type = 'loyalty'): string | undefined {
    return this.object(card, type)?.textModulesData?.find(({ id }: Json) => id === key)?.body;
  }

  tier({ instanceId }: Json, value: string): Promise<Json> {
    return this.client.patch(`/instances/${instanceId}/fields`, { fields: { tier: value } });
  }

  /** The requests that have been made with a class or an object, as `METHOD collection[ verb]`. */
  requests(id: string): string[] {
    return this.google.requests
      .filter(({ path, body }) => path.includes(id) || (body as Json)?.id === id)
      .map(({ method, path }) => {
        const [, , , collection, , verb] = path.split('/');
        return `${method} ${collection}${verb === undefined ? '' : ` ${verb}`}`;
      });
  }

  /** The bodies of the changes of an object that have been taken. */
  patches(card: Json): Json[] {
    const id = this.objectId(card);
    return this.google.requests
      .filter(({ method, path, status }) => method === 'PATCH' && path.includes(id) && status === 200)
      .map(({ body }) => body);
  }

  async row({ instanceId }: Json): Promise<Json> {
    const [row] = await this.app.sql('select * from google_objects where instance_id = $1', [
      uuidOf('inst', instanceId),
    ]);
    return row;
  }

  async synced(card: Json): Promise<void> {
    await until('Google has everything', async () => (await this.row(card)).due_at === null);
  }

  async credits(): Promise<Json> {
    return (await this.client.get('/credits')).body;
  }

  async settled(mostMs?: number): Promise<void> {
    await until('all is settled', async () => (await this.credits()).reserved === 0, mostMs);
  }

  async wallets({ instanceId }: Json): Promise<Json> {
    return (await this.client.get(`/instances/${instanceId}`)).body.wallets;
  }

  /** The outcomes of pushes, the newest first. */
  async deliveries({ instanceId }: Json): Promise<Json[]> {
    const { body } = await this.client.get(`/instances/${instanceId}/timeline?limit=100`);
    return body.data.filter(({ kind }: Json) => kind.startsWith('push'));
  }

  /** A call-back about a card, sent; the status of the answer. */
  async report(card: Json, plan: Partial<CallbackPlan> = {}): Promise<number | null> {
    return this.google.deliver(this.callback(card, plan), this.callbackUrl);
  }

  callback(card: Json, plan: Partial<CallbackPlan> = {}): SignedCallback {
    const { passId } = card;
    return this.google.signCallback({
      classId: this.classId({ passId }),
      objectId: this.objectId(card),
      event: 'save',
      ...plan,
    });
  }
}

function uuidOf(prefix: string, id: string): string {
  return decodeId(prefix, id) ?? assert.fail(`${id} is no ${prefix}`);
}

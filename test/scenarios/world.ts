import { encodeId, newUuidV7 } from '../../src/kit/ids.ts';
import { connectStore } from '../../src/stores/stores.fixture.ts';
import { owned } from '../access-refusals.ts';
import type { Client, Json } from '../client.ts';
import { makeEvent } from '../events.ts';
import { makeCard, makeKey, makePass } from '../factories.ts';
import type { TestApp } from '../harness.ts';
import type { Request } from './scenario.ts';

/** What the service is started with: simulated stores may be asked, and a network where nothing is (RFC 5737). */
export const settings = { FETCH_ALLOW_CIDRS: '127.0.0.1/32,192.0.2.0/24' };

/** The workspace that the requests are about, another one, and names of things. */
export interface World {
  readonly app: TestApp;
  readonly workspaceId: string;
  readonly client: Client;
  readonly pass: Json;
  readonly card: Json;
  /** A key of another workspace. */
  readonly stranger: Client;
  /** Ids of things that do not exist, by the name of the path's parameter. */
  readonly missing: Ids;
  /** Ids of things that the other workspace has. */
  readonly strangers: Ids;
  readonly onPass: (rest?: string) => Request;
  readonly onCard: (rest?: string) => Request;
  /** The path of a new card. */
  readonly newCard: () => Promise<string>;
}

type Ids = Readonly<Record<string, string>> & { readonly passId: string; readonly instanceId: string };

/** An id of nothing. */
export const missingId = (prefix: string) => encodeId(prefix, newUuidV7());

/** A webhook at an address where nothing is. */
export const newHook = { url: 'https://192.0.2.1/hook', types: ['webhook.failing'] };

/** Makes what the requests are about, and the other workspace. */
export async function makeWorld(
  app: TestApp,
  { client, workspaceId }: Pick<World, 'client' | 'workspaceId'>,
): Promise<World> {
  const stranger = (await app.newWorkspace()).client;
  const pass = await makePass(client);
  const card = await makeCard(client, pass.passId);
  const strangers = await makeThings(app, stranger);
  return {
    app,
    workspaceId,
    client,
    pass,
    card,
    stranger,
    missing: missingIds(app),
    strangers,
    onPass: (rest = '') => ({ path: `/passes/${pass.passId}${rest}`, also: owned }),
    onCard: (rest = '') => ({ path: `/instances/${card.instanceId}${rest}`, also: owned }),
    newCard: async () => `/instances/${(await makeCard(client, pass.passId)).instanceId}`,
  };
}

function missingIds(app: TestApp): Ids {
  return {
    workspaceId: missingId('ws'),
    keyId: missingId('key'),
    personId: missingId('person'),
    deviceId: missingId('device'),
    sessionId: missingId('session'),
    passkeyId: missingId('passkey'),
    passId: missingId('pass'),
    barcode: 'missing',
    requestId: 'missing',
    orderId: 'missing',
    instanceId: missingId('inst'),
    partnerId: missingId('part'),
    programId: missingId('prog'),
    entryId: missingId('entry'),
    storeId: missingId('store'),
    eventId: missingId('evt'),
    messageId: missingId('push'),
    webhookId: missingId('hook'),
    deliveryId: missingId('msg'),
    token: Buffer.alloc(48).toString('base64url'),
    serialNumber: '0'.repeat(52),
    passTypeIdentifier: app.running.app.apple.passTypeIdentifier,
  };
}

/** Things of a workspace. */
async function makeThings(app: TestApp, by: Client): Promise<Ids> {
  const { passId } = await makePass(by);
  const made = async (path: string, body: object) => (await by.post(path, body)).body;
  const terms = { passId, mode: 'POINTS', reward: { title: 'Free coffee', cost: 10 } };
  const { programId } = await made('/loyalty/programs', terms);
  await by.patch(`/loyalty/programs/${programId}`, { status: 'active' });
  const { instanceId } = await makeCard(by, passId, { holder: { identifier: 'ada' } });
  return {
    keyId: (await makeKey(by)).key.keyId,
    passId,
    barcode: 'strangers',
    instanceId,
    programId,
    entryId: (await made('/loyalty/points', { passId, instanceId, points: 5 })).entryId,
    storeId: (await connectStore(by)).storeId,
    eventId: await makeEvent(app, by),
    messageId: (await made(`/passes/${passId}/messages`, { text: 'Hello' })).messageId,
    webhookId: (await made('/webhooks', newHook)).webhookId,
  };
}

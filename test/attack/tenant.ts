import { randomBytes } from 'node:crypto';
import { press, sendForm, storedLink } from '../../src/enrolment/join.fixture.ts';
import { invite, storedLinks } from '../../src/invitations/invites.fixture.ts';
import { encodeScopedId } from '../../src/kit/crypto/tokens.ts';
import { decodeId } from '../../src/kit/ids.ts';
import { makeProgram } from '../../src/loyalty/account.fixture.ts';
import { routes } from '../../src/routes.ts';
import { makePerson } from '../../src/sign-in/people.fixture.ts';
import { runJob } from '../../src/statistics/statistics.fixture.ts';
import { connectShop } from '../../src/stores/stores.fixture.ts';
import type { Client, Json, Reply } from '../client.ts';
import { makeCard, makeKey } from '../factories.ts';
import type { TestApp } from '../harness.ts';

/** A workspace in which there is one of everything, and a second pass with a card. */
export interface Tenant {
  readonly workspaceId: string;
  readonly client: Client;
  /** What its things are called, by the kind of name. */
  readonly names: Readonly<Record<Kind, string>>;
  /** A text that is in every text of the workspace that is not a name. */
  readonly marker: string;
  /** The key that was sent with each idempotent call, by operation. */
  readonly idempotencyKey: string;
  /** A cursor of each list, by operation. */
  readonly cursors: Readonly<Record<string, string>>;
  readonly otherPassId: string;
}

/** What a text of a request may name. */
export type Kind =
  | 'workspaceId'
  | 'keyId'
  | 'personId'
  | 'deviceId'
  | 'passId'
  | 'instanceId'
  | 'partnerId'
  | 'programId'
  | 'entryId'
  | 'storeId'
  | 'inviteId'
  | 'messageId'
  | 'webhookId'
  | 'deliveryId'
  | 'eventId'
  | 'requestId'
  | 'token'
  | 'inviteToken'
  | 'serialNumber'
  | 'barcode'
  | 'identifier'
  | 'email'
  | 'phone'
  | 'externalRef'
  | 'externalId'
  | 'orderId'
  | 'refundId'
  | 'domain';

/** Fills a fresh workspace. */
export async function makeTenant(app: TestApp): Promise<Tenant> {
  const { workspaceId, client } = await app.newWorkspace();
  const mark = randomBytes(6).toString('hex');
  const marker = `secret-${mark}`;
  const idempotencyKey = `idem-${mark}`;
  const own = (name: string) => `${name}-${mark}`;
  const ok = async (reply: Promise<Reply>): Promise<Json> => {
    const { status, body, text } = await reply;
    if (status >= 400) throw new Error(text);
    return body;
  };
  const headers = { 'idempotency-key': idempotencyKey };
  const post = (path: string, body?: Json) => ok(client.post(path, body, { headers }));

  await ok(client.patch('/workspace', { name: marker, defaults: { terms: marker } }));
  const design = {
    title: marker,
    details: marker,
    terms: marker,
    fields: [{ key: 'tier', label: marker, value: marker, section: 'secondary' }],
    metadata: { note: marker },
  };
  const rewards = [10, 11].map((cost) => ({ title: marker, cost }));
  const earn = { mode: 'POINTS', rewards, earn: { perOrder: 5 } };
  const { pass, program } = await makeProgram(client, earn, { design });
  const { passId } = pass;
  const partner = await post('/partners', { name: marker, externalId: own('branch'), metadata: { marker } });
  await ok(client.post('/partners', { name: marker }));
  const { key } = await makeKey(client, { name: marker });
  const { personId } = await makePerson(client, 'viewer', { name: marker });
  const device = await post('/devices', { name: marker });
  await ok(client.post('/devices', { name: marker }));
  await makePerson(client, 'owner', { name: marker });
  const holder = { identifier: own('holder'), name: marker, email: `${own('ada')}@example.com` };
  const person = { ...holder, phone: `+49${Number.parseInt(mark, 16) % 10 ** 12}` };
  const card = await post(`/passes/${passId}/instances`, {
    barcode: own('B'),
    holder: person,
    partnerId: partner.partnerId,
    fields: { tier: marker },
    metadata: { note: marker },
  });
  await makeCard(client, passId, { holder: { name: marker } });
  await ok(client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: `${marker}!` } }));
  const target = { passId, instanceId: card.instanceId };
  const award = { ...target, points: 50, reason: marker };
  const named = { ...headers, 'x-request-id': own('request') };
  const entry = await ok(client.post('/loyalty/points', award, { headers: named }));
  await ok(client.post('/loyalty/points', { ...award, externalRef: own('award') }));
  const order = { passId, orderId: own('order'), customer: { id: own('holder') } };
  await post('/orders/process', { ...order, total: { amount: '10.00', currency: 'EUR' } });
  const refund = { refundId: own('refund'), amount: { amount: '1.00', currency: 'EUR' } };
  await post(`/orders/${own('order')}/refunds`, refund);
  await ok(
    client.post('/orders/process', {
      ...order,
      orderId: own('order-2'),
      total: { amount: '1.00', currency: 'EUR' },
    }),
  );
  const store = await connectShop(client, { passId, domain: `${own('shop')}.example` });
  await connectShop(client, { passId });
  const invited = await invite(client, passId, { email: `${own('invited')}@example.com`, name: marker });
  await invite(client, passId, { email: `${own('invited-2')}@example.com`, name: marker });
  const { claim } = await storedLinks(app, invited);
  const { passId: otherPassId } = (await makeProgram(client, earn, { design })).pass;
  await makeCard(client, otherPassId, { holder: { name: marker } });

  const join = { fields: [{ key: 'email' }], headline: marker, text: marker };
  const consents = ['terms', 'news'].map((key) => ({ key, text: marker, required: false }));
  await ok(client.patch(`/passes/${passId}`, { join: { ...join, consents, enabled: true } }));
  await ok(sendForm(app.anyone, passId, { email: holder.email }));
  await ok(press(app.anyone, await storedLink(app, passId)));
  await ok(client.patch(`/passes/${passId}`, { join: { ...join, consents, enabled: false } }));
  const message = await post(`/passes/${passId}/messages`, { text: marker });
  await ok(client.post(`/passes/${passId}/messages`, { text: marker }));

  const pool = await ok(client.post('/passes', { ...design, type: 'loyalty', barcode: { mode: 'pool' } }));
  await ok(client.post(`/passes/${pool.passId}/barcodes`, { barcodes: [own('P1'), own('P2')] }));
  await ok(
    app.operator.post(`/operator/workspaces/${workspaceId}/credits`, { amount: 1, externalRef: own('bill') }),
  );

  const webhookId = await makeWebhook(client, marker);
  await makeWebhook(client, marker);
  for (let turn = 0; turn < 2; turn++) await ok(client.post(`/webhooks/${webhookId}/test`));
  await runJob(app, 'followLogs');
  const [event] = (await ok(client.get('/events'))).data;
  const { data: deliveries } = await ok(client.get(`/webhooks/${webhookId}/deliveries`));

  const names = {
    workspaceId,
    keyId: key.keyId,
    personId,
    deviceId: device.deviceId,
    passId,
    instanceId: card.instanceId,
    partnerId: partner.partnerId,
    programId: program.programId,
    entryId: entry.entryId,
    storeId: store.storeId,
    inviteId: invited.inviteId,
    messageId: message.messageId,
    webhookId,
    deliveryId: deliveries[0].deliveryId,
    eventId: event.eventId,
    requestId: own('request'),
    token: card.links.add.split('/').at(-1),
    inviteToken: claim.split('/').at(-1) ?? '',
    serialNumber: encodeScopedId({
      scope: decodeId('ws', workspaceId) ?? '',
      id: decodeId('inst', card.instanceId) ?? '',
    }),
    barcode: own('B'),
    identifier: own('holder'),
    email: holder.email,
    phone: person.phone,
    externalRef: own('award'),
    externalId: own('branch'),
    orderId: own('order'),
    refundId: own('refund'),
    domain: store.domain,
  };
  const cursors = await cursorsOf(client, { ...names, passId }, pool.passId, marker);
  return { workspaceId, client, names, marker, idempotencyKey, cursors, otherPassId };
}

/** A webhook at an address that is public, and never called: no background work is done here. */
export async function makeWebhook(client: Client, description = 'Till'): Promise<string> {
  const { status, body, text } = await client.post('/webhooks', {
    url: 'https://1.1.1.1/',
    types: ['*'],
    description,
  });
  if (status !== 201) throw new Error(text);
  return body.webhookId;
}

/** The cursor of the second page of each list that has one. */
async function cursorsOf(
  client: Client,
  names: Readonly<Record<string, string>>,
  poolId: string,
  marker: string,
): Promise<Record<string, string>> {
  const cursors: Record<string, string> = {};
  for (const { method, path, access, endpoint } of routes) {
    const { query, op } = endpoint;
    if (
      method !== 'GET' ||
      access === 'operator' ||
      access === 'session' ||
      query?.properties.cursor === undefined
    )
      continue;
    const passId = op === 'listBarcodes' ? poolId : names.passId;
    const local = pathWith(path, passId === undefined ? names : { ...names, passId });
    const scope = query.properties.passId === undefined ? '' : `&passId=${passId}`;
    const { body } = await client.get(`${local}?limit=1${scope}${soughtBy(op, names, marker)}`);
    if (typeof body.nextCursor === 'string') cursors[op] = body.nextCursor;
  }
  return cursors;
}

/** The parameters that a list requires besides its page. */
export function soughtBy(op: string, names: Readonly<Record<string, string>>, marker: string): string {
  if (op === 'listHolders') return `&q=${marker}`;
  if (op === 'getStatistics') return '&by=partner';
  return op === 'listRewards' ? `&instanceId=${names.instanceId}` : '';
}

/** The path of a route with these names in it. */
export function pathWith(path: string, names: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? 'x'));
}

/** Every row of the workspace, to see that none has changed. What a key's own calls leave on the key is left out. */
export async function rowsOf(app: TestApp, workspaceId: string): Promise<string[]> {
  const tables = await app.sql<{ table_name: string }>(
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'workspace_id'
       -- Refusals are kept there, a moment later.
       and table_name <> 'request_log'
     order by 1`,
  );
  const dumps = tables.map(
    ({ table_name }) =>
      `select '${table_name} ' || (to_jsonb(t) - 'last_used_at')::text as row from ${table_name} t where workspace_id = $1`,
  );
  const rows = await app.sql<{ row: string }>(`${dumps.join(' union all ')} order by 1`, [
    decodeId('ws', workspaceId),
  ]);
  return rows.map(({ row }) => row);
}

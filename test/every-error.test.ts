import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Device, takeCard } from '../src/delivery/apple/device.fixture.ts';
import { startGoogleApp } from '../src/delivery/google/google.fixture.ts';
import { type ErrorCode, errorContext, errors } from '../src/errors.ts';
import { newSecret } from '../src/kit/crypto/tokens.ts';
import { encodeId, newUuidV7 } from '../src/kit/ids.ts';
import { routes } from '../src/routes.ts';
import { errorsOf } from '../src/start/reference.ts';
import { connectStore, newStore } from '../src/stores/stores.fixture.ts';
import { startInternet } from '../tools/fakes/internet.ts';
import { flood } from '../tools/fakes/web-host.ts';
import { assertRefused, type Client, type Json, type Reply } from './client.ts';
import { makeEvent } from './events.ts';
import { inParallel, makeCard, makeKey, makePass } from './factories.ts';
import { fieldRefusals, issueImported } from './field-errors.ts';
import { startTestApp } from './harness.ts';
import { imageErrors } from './image-errors.ts';
import { inviteErrors, inviteExtras, linkExtras } from './invite-errors.ts';
import { ledgerErrors } from './ledger-errors.ts';
import { orderErrors } from './order-errors.ts';
import { partnerErrors } from './partner-errors.ts';
import { peopleErrors } from './people-errors.ts';
import { effectsOnThings, type TwoEffects } from './repeat-effects.ts';
import { sendRaw } from './send-raw.ts';
import { sweepErrors, twoSweeps } from './sweep-errors.ts';
import { webhookErrors } from './webhook-errors.ts';

/** Codes of the contract and of operations to come, which nothing here can answer yet. */
const reserved: readonly ErrorCode[] = [];

/** Further fields of the error body, by code; every other code has none. */
const extras: Partial<Record<ErrorCode, Record<string, unknown>>> = {
  draft_limit_reached: { limit: 10, drafts: 10 },
  ambiguous_barcode: { matchCount: 2 },
  ambiguous_holder: { matchCount: 2 },
  insufficient_points: { balance: 0, cost: 10 },
  no_reward_pending: { balance: 0, threshold: 10 },
  balance_too_low: { balance: 0 },
  instance_expired: { expiredAt: '2020-01-01T00:00:00.000Z' },
  webhook_limit_reached: { limit: 16 },
  upload_limit_reached: { limit: 1_000, byteLimit: 256 * 1_048_576 },
  refund_exceeds_order: { refundable: { amount: '12.50', currency: 'EUR' } },
  asset_fetch_failed: { slot: 'logoUrl', reason: 'invalid_url' },
  program_state_conflict: { reason: 'pause_requires_active' },
  ...inviteExtras,
};

test('what refusals say besides the text is described', () => {
  // The problems of a request differ each time: `test/client.ts` looks at them.
  const { internal_error: _, invalid_request: _problems, ...described } = errorContext;
  const names = (all: object) => Object.entries(all).map(([code, fields]) => [code, Object.keys(fields)]);
  assert.deepEqual(names(described).sort(), names(extras).sort());
});

/** Bodies that the operation takes, for refusals that come after validation. */
const bodies: Readonly<Record<string, Json>> = {
  updateAnyWorkspace: { plan: 'pro' },
  addCredits: { amount: 5, externalRef: 'invoice-1' },
  updateApiKey: { name: 'Till 5' },
  updatePerson: { name: 'Ada' },
  updatePass: { title: 'Tea Club' },
  uploadBarcodes: { barcodes: ['A-1'] },
  updatePartner: { name: 'Harbour' },
  issueInstance: {},
  issueBatch: { instances: [{}] },
  importInstances: { instances: [{ barcode: 'A-1' }] },
  updateInstance: { metadata: {} },
  createInvite: { email: 'ada@example.com' },
  updateFields: { fields: { tier: 'Gold' } },
  updateFieldsBatch: { updates: [{}] },
  voidBatch: { voids: [{}] },
  sendMessage: { text: 'Hello' },
  createAnyApiKey: { name: 'Recovered', access: 'full' },
  updateProgram: { drawsStamps: false },
  importBalances: 'identifier,balance\nada,5\n',
  installWebCard: { viewer: '0e4f7a52-94b1-4f0e-9d3c-6f2f1f1f9a10', installed: true },
  googleCallback: {},
  updateStore: { followsEdits: true },
  updateWebhook: { payload: 'thin' },
  recoverWebhook: { since: new Date().toISOString() },
  receiveWebhook: {},
  registerDevice: { pushToken: 'ab'.repeat(32) },
};

describe('every error', async () => {
  const internet = await startInternet();
  after(() => internet.close());
  const app = await startTestApp({ FETCH_ALLOW_CIDRS: '127.0.0.1/32' });
  const { app: atGoogle, google } = await startGoogleApp();
  // Takes ten seconds, so it begins first and is awaited last.
  const slow = sendRaw(app.url, 'GET /me HTTP/1.1\r\nHost: punchcard\r\nX-Request-Id: slow');
  const { client, workspaceId } = await app.newWorkspace();
  const people = peopleErrors(app, client);
  const stranger = (await app.newWorkspace()).client;
  const strangersPass = await makePass(stranger);

  const nobodys: Readonly<Record<string, string>> = {
    workspaceId: encodeId('ws', newUuidV7()),
    keyId: encodeId('key', newUuidV7()),
    ...people.nobodys,
    passId: encodeId('pass', newUuidV7()),
    barcode: 'nobodys',
    requestId: 'nobodys',
    instanceId: encodeId('inst', newUuidV7()),
    partnerId: encodeId('part', newUuidV7()),
    programId: encodeId('prog', newUuidV7()),
    entryId: encodeId('entry', newUuidV7()),
    storeId: encodeId('store', newUuidV7()),
    eventId: encodeId('evt', newUuidV7()),
    messageId: encodeId('push', newUuidV7()),
    webhookId: encodeId('hook', newUuidV7()),
    deliveryId: encodeId('msg', newUuidV7()),
    token: Buffer.alloc(48).toString('base64url'),
    deviceLibraryIdentifier: '3f2a',
    passTypeIdentifier: app.running.app.apple.passTypeIdentifier,
    serialNumber: '0'.repeat(52),
  };
  const webhooks = webhookErrors(client, async () => (await app.newWorkspace()).client);
  const strangers: Readonly<Record<string, string>> = {
    keyId: (await makeKey(stranger)).key.keyId,
    passId: strangersPass.passId,
    barcode: 'strangers',
    instanceId: (await makeCard(stranger, strangersPass.passId)).instanceId,
    programId: (await makeProgram(strangersPass.passId, stranger)).body.programId,
    storeId: (await connectStore(stranger)).storeId,
    eventId: await makeEvent(app, stranger),
    messageId: (await stranger.post(`/passes/${strangersPass.passId}/messages`, { text: 'Hello' })).body
      .messageId,
    webhookId: await webhooks.make(stranger),
    deliveryId: nobodys.deliveryId ?? '',
  };

  function makeProgram(passId = nobodys.passId, by: Client = client): Promise<Reply> {
    const body = { passId, mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };
    return by.post('/loyalty/programs', body);
  }

  async function previewOf(picture: string): Promise<Reply> {
    const { passId } = await makePass(client);
    return client.get(`/passes/${passId}/${picture}?instanceId=${nobodys.instanceId}`);
  }

  /** Calls the operation with these ids in its path. */
  function call(op: string, ids: Readonly<Record<string, string>>, by: Client = client): Promise<Reply> {
    const route = routes.find(({ endpoint }) => endpoint.op === op);
    assert.ok(route);
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? assert.fail(name));
    const body = bodies[op];
    return (route.access === 'operator' ? app.operator : by).send(route.method, path, body, typed(body));
  }

  async function fullOfDrafts() {
    const { client: full } = await app.newWorkspace('entry');
    const published = await makePass(full);
    for (let count = 0; count < 10; count++) await makePass(full, {}, 'draft');
    return { full, path: `/passes/${published.passId}` };
  }

  function badImages(send: (logoUrl: string) => Promise<Reply>) {
    internet.web.on('/large', flood(21 * 1_048_576));
    return {
      asset_fetch_failed: () => send('http://www.example.test/logo.png'),
      payload_too_large: () => send(internet.url('/large')),
    };
  }

  const makePool = async () => (await makePass(client, { barcode: { mode: 'pool' } })).passId;
  const issueOn = async (design: object, body: object, status?: string) => {
    const pass = await makePass(client, design, status);
    return client.post(`/passes/${pass.passId}/instances`, body);
  };
  const cardOf = async (design: object = {}, body: object = {}) =>
    makeCard(client, (await makePass(client, design)).passId, body);
  const setFields = (card: Json, fields: object) =>
    client.patch(`/instances/${card.instanceId}/fields`, { fields });
  const fixed = [{ key: 'tier', label: 'Tier', section: 'back', editable: false }];

  async function messageTo(audience: object): Promise<Reply> {
    const { passId } = await makePass(client);
    return client.post(`/passes/${passId}/messages`, { text: 'Hello', audience });
  }

  async function withoutCredits() {
    const { client: poor } = await app.newWorkspace('pro', 0);
    return { poor, card: await makeCard(poor, (await makePass(poor)).passId) };
  }

  const { viewer } = bodies.installWebCard;
  const nobodysCard = (rest: string) => `/p/${nobodys.token}/${rest}`;

  const ledger = ledgerErrors(client, stranger);
  const orders = orderErrors(client, stranger);

  /** How to provoke what an operation declares, where its path alone does not do it. */
  const provoke: Record<string, Partial<Record<ErrorCode, () => Promise<Reply>>>> = {
    createPass: {
      ...badImages((logoUrl) => client.post('/passes', { title: 'Tea Club', type: 'loyalty', logoUrl })),
      draft_limit_reached: async () =>
        (await fullOfDrafts()).full.post('/passes', { title: 'Tea Club', type: 'loyalty' }),
    },
    updatePass: {
      ...badImages(async (logoUrl) =>
        client.patch(`/passes/${(await makePass(client)).passId}`, { logoUrl }),
      ),
      async draft_limit_reached() {
        const { full, path } = await fullOfDrafts();
        return full.patch(path, { status: 'draft' });
      },
    },
    clonePass: {
      async draft_limit_reached() {
        const { full, path } = await fullOfDrafts();
        return full.post(`${path}/clone`);
      },
    },
    deleteBarcode: {
      barcode_not_found: async () => client.delete(`/passes/${await makePool()}/barcodes/${nobodys.barcode}`),
    },
    getPreviewSvg: { instance_not_found: () => previewOf('preview.svg') },
    getPreviewPng: { instance_not_found: () => previewOf('preview.png') },
    issueInstance: {
      pass_not_active: () => issueOn({}, {}, 'draft'),
      pass_archived: () => issueOn({}, {}, 'archived'),
      fields_not_editable: () => issueOn({ fields: fixed }, { fields: { tier: 'Gold' } }),
      template_owned_field: () => issueOn({}, { fields: { title: 'Mine' } }),
      unknown_field_key: () => issueOn({}, { fields: { tire: 'Gold' } }),
      partner_not_found: () => issueOn({}, { partnerId: encodeId('part', newUuidV7()) }),
      pool_exhausted: () => issueOn({ barcode: { mode: 'pool' } }, {}),
      async barcode_taken() {
        const pass = await makePass(client);
        await makeCard(client, pass.passId, { barcode: 'A-1' });
        return client.post(`/passes/${pass.passId}/instances`, { barcode: 'A-1' });
      },
      fields_update_unsupported: () => issueImported(client),
    },
    lookUpInstance: {
      instance_not_found: () => client.get('/instances/lookup?barcode=nobody'),
      pass_not_found: () => client.get(`/instances/lookup?barcode=a&passId=${nobodys.passId}`),
      forbidden: () => client.get(`/instances/lookup?instanceId=${strangers.instanceId}`),
      async ambiguous_barcode() {
        const pass = await makePass(client, { barcode: { mode: 'simple', value: 'SHARED' } });
        await makeCard(client, pass.passId);
        await makeCard(client, pass.passId);
        return client.get('/instances/lookup?barcode=SHARED');
      },
    },
    updateFields: fieldRefusals(client, setFields),
    updateInstance: {
      ...fieldRefusals(client, (card, fields) => client.patch(`/instances/${card.instanceId}`, { fields })),
      async holder_has_active_instance() {
        const { passId } = await makePass(client);
        await makeCard(client, passId, { holder: { identifier: 'ada' } });
        const other = await makeCard(client, passId, { holder: { identifier: 'bob' } });
        return client.patch(`/instances/${other.instanceId}`, { holder: { identifier: 'ada' } });
      },
    },
    reactivateInstance: {
      async holder_has_active_instance() {
        const { passId } = await makePass(client);
        const former = await makeCard(client, passId, { holder: { identifier: 'ada' } });
        await client.post(`/instances/${former.instanceId}/void`);
        await makeCard(client, passId, { holder: { identifier: 'ada' } });
        return client.post(`/instances/${former.instanceId}/reactivate`);
      },
    },
    pushInstance: {
      async instance_voided() {
        const card = await cardOf();
        await client.post(`/instances/${card.instanceId}/void`);
        return client.post(`/instances/${card.instanceId}/push`);
      },
      async insufficient_credits() {
        const { poor, card } = await withoutCredits();
        return poor.post(`/instances/${card.instanceId}/push`);
      },
    },
    sendMessage: {
      async insufficient_credits() {
        const { poor, card } = await withoutCredits();
        assert.equal((await new Device(app).register(await takeCard(app, card))).status, 201);
        return poor.post(`/passes/${card.passId}/messages`, { text: 'Hello' });
      },
      unknown_field_key: () => messageTo({ fields: { tire: 'Gold' } }),
      partner_not_found: () => messageTo({ partnerId: nobodys.partnerId }),
    },
    createProgram: {
      pass_not_found: () => makeProgram(),
      forbidden: () => makeProgram(strangers.passId),
      async pass_already_dynamic() {
        const { passId } = await makePass(client);
        await makeProgram(passId);
        return makeProgram(passId);
      },
    },
    updateProgram: {
      async program_state_conflict() {
        const { programId } = (await makeProgram((await makePass(client)).passId)).body;
        return client.patch(`/loyalty/programs/${programId}`, { status: 'paused' });
      },
    },
    ...ledger.provoke,
    ...orders.provoke,
    ...people.provoke,
    ...webhooks.provoke,
    listInstances: {
      partner_not_found: async () => {
        const { passId } = await makePass(client);
        return client.get(`/passes/${passId}/instances?partnerId=${nobodys.partnerId}`);
      },
    },
    ...sweepErrors(client),
    ...inviteErrors(app, client),
    ...partnerErrors(client),
    connectStore: {
      pass_not_found: () => client.post('/stores', newStore({ passId: nobodys.passId })),
      forbidden: () => client.post('/stores', newStore({ passId: strangers.passId })),
      store_already_connected: async () =>
        client.post('/stores', newStore({ domain: (await connectStore(client)).domain })),
    },
    updateStore: {
      pass_not_found: async () =>
        client.patch(`/stores/${(await connectStore(client)).storeId}`, { passId: nobodys.passId }),
    },
    receiveWebhook: {
      invalid_signature: async () =>
        app.anyone.post(`/stores/${(await connectStore(client)).storeId}/webhooks`, {}),
    },
    listEvents: {
      pass_not_found: () => client.get(`/events?passId=${nobodys.passId}`),
      forbidden: () => client.get(`/events?passId=${strangers.passId}`),
      instance_not_found: () => client.get(`/events?instanceId=${nobodys.instanceId}`),
    },
    ...imageErrors(app, { nobodys: nobodys.passId, strangers: strangers.passId }),
    getImage: { image_not_found: () => app.anyone.get(`/images/${'0'.repeat(64)}.png`) },
    getStampPicture: {
      pass_not_found: () => app.anyone.get(`/passes/${nobodys.passId}/stamps/3-10.png`),
    },
    watchWebCard: { instance_not_found: () => app.anyone.get(nobodysCard(`card/events?viewer=${viewer}`)) },
    removeWebCard: {
      instance_not_found: () => app.anyone.delete(nobodysCard(`card/installation?viewer=${viewer}`)),
    },
    getWebCardScript: { instance_not_found: () => app.anyone.get(nobodysCard('scripts/live-card.js')) },
    getCardPicture: { instance_not_found: () => app.anyone.get(nobodysCard('picture.png')) },
    getWebCardIcon: { instance_not_found: () => app.anyone.get(nobodysCard('icons/192.png')) },
    saveToGoogle: {
      wallet_not_configured: async () => app.anyone.get((await cardOf()).links.google),
      async wallet_unavailable() {
        const pass = await makePass(atGoogle.client);
        const card = await makeCard(atGoogle.client, pass.passId);
        google.fail({ outcome: { status: 503 } });
        return atGoogle.anyone.get(card.links.google);
      },
    },
    googleCallback: {
      wallet_not_configured: () => app.anyone.post('/google/callback', {}),
      // The first call-back: keys that are known stay in use.
      wallet_unavailable() {
        google.fail({ on: 'keys', outcome: { status: 503 } });
        return atGoogle.anyone.post('/google/callback', {});
      },
      invalid_signature: () => atGoogle.anyone.post('/google/callback', {}),
    },
  };

  /** What an id in the path can be refused for. */
  const missing: Partial<Record<ErrorCode, readonly string[]>> = {
    workspace_not_found: ['workspaceId'],
    api_key_not_found: ['keyId'],
    ...people.missing,
    program_not_found: ['programId'],
    entry_not_found: ['entryId'],
    event_not_found: ['eventId'],
    request_not_found: ['requestId'],
    store_not_found: ['storeId'],
    message_not_found: ['messageId'],
    webhook_not_found: ['webhookId'],
    pass_not_found: ['passId'],
    instance_not_found: ['instanceId', 'token'],
    invite_not_found: ['token'],
    partner_not_found: ['partnerId'],
    invalid_pass_token: ['serialNumber'],
  };

  /** Two effects of each operation that takes an idempotency key. */
  const effects: Record<string, () => TwoEffects | Promise<TwoEffects>> = {
    createWorkspace: () => both('/operator/workspaces', { name: 'Tea' }, { name: 'Coffee' }),
    addCredits: () => {
      const path = `/operator/workspaces/${workspaceId}/credits`;
      return both(path, { amount: 5, externalRef: 'two-effects' }, { amount: 6, externalRef: 'two-effects' });
    },
    createAnyApiKey: () => {
      const path = `/operator/workspaces/${workspaceId}/api-keys`;
      return both(path, { name: 'A', access: 'read' }, { name: 'A', access: 'full' });
    },
    createApiKey: () => both('/api-keys', { name: 'A', access: 'read' }, { name: 'A', access: 'full' }),
    rotateApiKey: async () => {
      const { key } = await makeKey(client);
      return both(`/api-keys/${key.keyId}/rotate`, { overlapSeconds: 1 }, { overlapSeconds: 2 });
    },
    createPass: () => both('/passes', { title: 'Tea', type: 'loyalty' }, { title: 'Tea', type: 'coupon' }),
    clonePass: async () =>
      both(`/passes/${(await makePass(client)).passId}/clone`, { title: 'A' }, { title: 'B' }),
    uploadBarcodes: async () =>
      both(`/passes/${await makePool()}/barcodes`, { barcodes: ['A'] }, { barcodes: ['B'] }),
    connectStore: () => both('/stores', newStore(), newStore()),
    ...webhooks.effects,
    createPartner: () => both('/partners', { name: 'Harbour' }, { name: 'Airport' }),
    issueInstance: async () => {
      const path = `/passes/${(await makePass(client)).passId}/instances`;
      return both(path, { holder: { identifier: 'ada' } }, { holder: { identifier: 'bob' } });
    },
    issueBatch: async () => {
      const path = `/passes/${(await makePass(client)).passId}/instances/batch`;
      const batchOf = (identifier: string) => ({ instances: [{ holder: { identifier } }] });
      return both(path, batchOf('ada'), batchOf('bob'));
    },
    importInstances: async () => {
      const path = `/passes/${(await makePass(client)).passId}/instances/import`;
      const importOf = (barcode: string) => ({ instances: [{ barcode }] });
      return both(path, importOf('C-1'), importOf('C-2'));
    },
    updateFieldsBatch: async () => {
      const { instanceId } = await cardOf();
      const updateOf = (tier: string) => ({ updates: [{ instanceId, fields: { tier } }] });
      return both('/instances/fields/batch', updateOf('Gold'), updateOf('Silver'));
    },
    voidBatch: async () => {
      const voidsOf = async () => ({ voids: [{ instanceId: (await cardOf()).instanceId }] });
      return both('/instances/void/batch', await voidsOf(), await voidsOf());
    },
    updateFields: async () => {
      const path = `/instances/${(await cardOf()).instanceId}/fields`;
      return both(path, { fields: { tier: 'Gold' } }, { fields: { tier: 'Silver' } });
    },
    createProgram: async () => {
      const terms = { mode: 'STAMPS', reward: { title: 'Free coffee' } };
      const { passId } = await makePass(client);
      const withThreshold = (threshold: number) => ({ ...terms, passId, threshold });
      return both('/loyalty/programs', withThreshold(5), withThreshold(6));
    },
    ...ledger.effects,
    ...orders.effects,
    ...people.effects,
    createInvite: async () => {
      const path = `/passes/${(await makePass(client)).passId}/invites`;
      return both(path, { email: 'ada@example.com' }, { email: 'bob@example.com' });
    },
    startSweep: () => twoSweeps(client),
    importBalances: async () => {
      const { passId } = await makePass(client);
      await makeCard(client, passId, { holder: { identifier: 'ada' } });
      const path = `/loyalty/programs/${(await makeProgram(passId)).body.programId}/balances`;
      return both(path, 'identifier,balance\nada,5\n', 'identifier,balance\nada,6\n');
    },
    sendMessage: async () =>
      both(`/passes/${(await makePass(client)).passId}/messages`, { text: 'Hello' }, { text: 'Good bye' }),
    ...effectsOnThings(app, client),
  };

  async function reuseKey(op: string, method: string, by: Client): Promise<Reply> {
    const [path, first, otherPath, second] = (await effects[op]?.()) ?? assert.fail(`no effects of ${op}`);
    const key = { 'idempotency-key': op === 'addCredits' ? 'two-effects' : `${op}-twice` };
    const headers = { ...key, ...typed(first)?.headers };
    const made = await by.send(method, path, first, { headers });
    assert.ok(made.status < 300, made.text);
    const repeat = await by.send(method, otherPath, second, { headers });
    // A batch answers for each of its items.
    const [item] = repeat.body.results ?? [];
    return item === undefined
      ? repeat
      : { ...repeat, body: { ...item.error, requestId: repeat.body.requestId } };
  }

  /** How to provoke what any operation can answer. */
  const anywhere: Partial<Record<ErrorCode, () => Promise<Reply>>> = {
    ...people.anywhere,
    missing_authorization: () => app.anyone.get('/me'),
    invalid_api_key: () => app.anyone.as(newSecret('pk_live_')).get('/me'),
    insufficient_scope: async () => (await makeKey(client, { access: 'read' })).client.post('/passes', {}),
    invalid_request: () => client.post('/passes', { title: 'No type' }),
    async workspace_suspended() {
      const suspended = await app.newWorkspace();
      await app.operator.patch(`/operator/workspaces/${suspended.workspaceId}`, { suspended: true });
      return suspended.client.get('/me');
    },
    async rate_limited() {
      const slowed = (await makeKey(client, { rateLimit: 1 })).client;
      const replies = await inParallel(10, () => slowed.get('/me'));
      return replies.find(({ status }) => status === 429) ?? assert.fail('nothing was refused');
    },
    async internal_error() {
      await app.sql('alter table credit_entries rename to mislaid');
      const reply = await client.get('/credits/entries');
      await app.sql('alter table mislaid rename to credit_entries');
      return reply;
    },
    request_too_large: () => client.post('/passes', `"${'a'.repeat(1_048_576)}"`),
    unsupported_media_type: () =>
      client.post('/passes', 'a=b', { headers: { 'content-type': 'text/plain' } }),
    route_not_found: () => client.get('/v2/me'),
    method_not_allowed: () => client.delete('/me'),
    uri_too_long: () => client.get(`/passes?cursor=${'a'.repeat(9_000)}`),
    expectation_failed: () =>
      sendRaw(app.url, 'GET /me HTTP/1.1\r\nHost: punchcard\r\nExpect: a-reply\r\nConnection: close\r\n\r\n'),
    headers_too_large: () =>
      sendRaw(app.url, `GET /me HTTP/1.1\r\nHost: punchcard\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`),
    request_timeout: () => slow,
    not_implemented: () =>
      sendRaw(
        app.url,
        'POST /passes HTTP/1.1\r\nHost: punchcard\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      ),
  };

  const tried = new Set<ErrorCode>();
  const own = (codes: Iterable<string>) =>
    [...codes].filter((code) => !(code in anywhere) && code !== 'overloaded') as ErrorCode[];

  for (const route of routes) {
    const { method, path, access, endpoint } = route;
    const { op } = endpoint;
    const declared = own(errorsOf(route));
    if (declared.length === 0) continue;
    describe(`${method} ${path}`, () => {
      for (const code of declared) test(code, () => refuse(op, method, access === 'operator', path, code));
    });
  }

  async function refuse(op: string, method: string, isOperators: boolean, path: string, code: ErrorCode) {
    tried.add(code);
    const special = provoke[op]?.[code];
    if (special !== undefined)
      return assertRefused(await special(), code, /./, linkExtras[`${op} ${code}`] ?? extras[code]);
    if (code === 'external_ref_reused')
      return assertRefused(await reuseKey(op, method, isOperators ? app.operator : client), code);
    if (code === 'forbidden') return assertRefused(await call(op, strangers), code);
    const isNamed = missing[code]?.some((name) => path.includes(`{${name}}`)) === true;
    assert.ok(
      isNamed,
      `say in test/every-error.test.ts how ${op} comes to answer ${code}, or do not declare it`,
    );
    assertRefused(await call(op, nobodys), code);
    const misspelt = Object.fromEntries(Object.keys(nobodys).map((name) => [name, 'pass_O0l']));
    assertRefused(await call(op, misspelt), code);
  }

  describe('anywhere', () => {
    for (const [code, act] of Object.entries(anywhere) as [ErrorCode, () => Promise<Reply>][]) {
      test(code, async () => {
        tried.add(code);
        const reply = await act();
        assertRefused(reply, code);
        assert.equal(reply.headers.has('retry-after'), code === 'rate_limited');
        assert.equal(reply.headers.get('allow'), code === 'method_not_allowed' ? 'GET, HEAD' : null);
      });
    }

    test('internal_error that may be retried', async () => {
      await app.sql(`create function out_of_space() returns trigger language plpgsql
        as $$ begin raise exception 'no space left' using errcode = 'disk_full'; end $$`);
      await app.sql(`create trigger full_disk before update on workspaces execute function out_of_space()`);
      const reply = await client.patch('/workspace', { name: 'Blue Bean' });
      await app.sql('drop trigger full_disk on workspaces');
      assertRefused(reply, 'internal_error', /Retry/, { retryable: true });
      assert.equal((await client.patch('/workspace', { name: 'Blue Bean' })).status, 200);
    });

    test('overloaded', async () => {
      tried.add('overloaded');
      app.running.drain();
      const reply = await app.anyone.impatient.get('/readyz');
      assertRefused(reply, 'overloaded');
      assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    });
  });

  test('every code was provoked, or waits for its operation', () => {
    const raisable = new Set(routes.flatMap((route) => [...errorsOf(route)]));
    for (const code of raisable) assert.ok(tried.has(code as ErrorCode), `${code} was not provoked`);
    const known = new Set([...tried, ...reserved]);
    assert.deepEqual(
      Object.keys(errors).filter((code) => !known.has(code as ErrorCode)),
      [],
    );
    assert.deepEqual(
      reserved.filter((code) => tried.has(code)),
      [],
    );
  });
});

/** How a body is sent that is a text. */
function typed(body: Json): { headers: Record<string, string> } | undefined {
  return typeof body === 'string' ? { headers: { 'content-type': 'text/csv' } } : undefined;
}

function both(path: string, first: Json, second: Json): TwoEffects {
  return [path, first, path, second];
}

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { complete, makeJoinPass, workFor } from '../src/enrolment/join.fixture.ts';
import { errors } from '../src/errors.ts';
import { invite, storedLinks } from '../src/invitations/invites.fixture.ts';
import { newSecret } from '../src/kit/crypto/tokens.ts';
import { encodeId, newUuidV7 } from '../src/kit/ids.ts';
import { routes } from '../src/routes.ts';
import { addPasskey, makePerson, signInAs, signInAtTill } from '../src/sign-in/people.fixture.ts';
import { errorsOf } from '../src/start/reference.ts';
import { walletRequests } from '../src/wallet-credentials/identities.fixture.ts';
import { Authenticator } from '../tools/fakes/authenticator.ts';
import {
  type Caller,
  callers,
  isPerson,
  owned,
  type Request,
  refusals,
  searched,
  strangersOrder,
} from './access-refusals.ts';
import { assertAudited, withoutLine } from './audit-rules.ts';
import type { Client, Json } from './client.ts';
import { makeCard, makeKey, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';
import { imageForm } from './image-errors.ts';
import { until } from './wallets.ts';
import { assertKeepsKey, assertTakesNoBody, isOurWrite, needsNoBody } from './write-rules.ts';

describe('who may call what', async () => {
  const app = await startTestApp({ FETCH_ALLOW_CIDRS: '192.0.2.0/24' });
  const { client, workspaceId } = await app.newWorkspace();
  const pass = await makePass(client);
  const card = await makeCard(client, pass.passId);
  const clients = await makeCallers();

  async function makeCallers(): Promise<Record<Caller, Client>> {
    const revoked = await makeKey(client);
    await client.delete(`/api-keys/${revoked.key.keyId}`);
    const suspended = await app.newWorkspace();
    await app.operator.patch(`/operator/workspaces/${suspended.workspaceId}`, { suspended: true });
    const otherPass = await makePass(client);
    return {
      nobody: app.anyone,
      'malformed key': app.anyone.as('not a key'),
      'unknown key': app.anyone.as(newSecret('pk_live_')),
      'revoked key': revoked.client,
      'key of a suspended workspace': suspended.client,
      'read-only key': (await makeKey(client, { access: 'read' })).client,
      'key of another pass': (await makeKey(client, { passIds: [otherPass.passId] })).client,
      'key of another workspace': (await app.newWorkspace()).client,
      operator: app.operator,
      'removed person': await makeRemoved(),
      'person of another workspace': (await signInAs(app, 'owner', (await app.newWorkspace()).client)).in(
        workspaceId,
      ),
      viewer: await signInAs(app, 'viewer', client),
      staff: await signInAs(app, 'staff', client),
      'paired till': (await signInAtTill(app, 'manager', client)).browser,
      manager: await signInAs(app, 'manager', client),
      owner: await signInAs(app, 'owner', client),
      'full key': client,
    };
  }

  /** A person who now belongs to another workspace only. */
  async function makeRemoved(): Promise<Client> {
    const removed = await signInAs(app, 'viewer', client);
    await client.delete(`/people/${removed.personId}`);
    return removed.in(workspaceId);
  }

  const newPass = { title: 'Tea Club', type: 'loyalty' };
  const viewer = '0e4f7a52-94b1-4f0e-9d3c-6f2f1f1f9a10';
  const draft = () => makePass(client, {}, 'draft');
  const newPartner = async () => (await client.post('/partners', { name: 'Harbour' })).body;
  const newMessage = async () =>
    (await client.post(`/passes/${pass.passId}/messages`, { text: 'Hello' })).body;
  const newKey = async () => (await makeKey(client)).key;
  const onInvite = async (link: 'claim' | 'unsubscribe'): Promise<Request> => {
    const person = { email: `${newUuidV7()}@example.com` };
    return { path: (await storedLinks(app, await invite(client, pass.passId, person)))[link] };
  };
  const joinPass = await makeJoinPass(client);
  const onJoin = (rest = ''): Request => ({ path: `/join/${joinPass.passId}${rest}` });
  const cardPath = (rest: string) => ({ path: `/p/${card.links.add.split('/').at(-1)}${rest}` });
  const newCard = async () => `/instances/${(await makeCard(client, pass.passId)).instanceId}`;
  const onPass = (rest = ''): Request => ({ path: `/passes/${pass.passId}${rest}`, also: owned });
  const onPool = async (rest = '', parts: Request = {}): Promise<Request> => {
    const { passId } = await makePass(client, { barcode: { mode: 'pool' } });
    await app.fillPool(passId, ['B-1']);
    return { ...parts, path: `/passes/${passId}/barcodes${rest}`, also: owned };
  };
  const onCard = (rest = ''): Request => ({ path: `/instances/${card.instanceId}${rest}`, also: owned });
  /** Devices show the token of a card, which none of these callers has. */
  const onDevice = (path: string, body?: Json) => ({
    path: `/apple/v1/${path}`,
    body,
    status: errors.invalid_pass_token[0],
  });
  const onWorkspace = (rest = ''): Request => ({ path: `/operator/workspaces/${workspaceId}${rest}` });
  const terms = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };
  const onProgram = async (rest = ''): Promise<Request> => {
    const { passId } = await makePass(client);
    const { programId } = (await client.post('/loyalty/programs', { ...terms, passId })).body;
    return { path: `/loyalty/programs/${programId}${rest}`, also: owned };
  };
  const ledger = await openLedger();
  /** The pass of a launched program, and a card with ten points. */
  async function openLedger() {
    const { passId } = await makePass(client);
    const reward = { title: 'Free coffee', cost: 10 };
    const { programId } = (await client.post('/loyalty/programs', { passId, mode: 'POINTS', reward })).body;
    await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    await makeCard(client, passId, { holder: { identifier: 'ada' } });
    const award = { passId, identifier: 'ada', points: 10 };
    const earn = async () => (await client.post('/loyalty/points', award)).body;
    await earn();
    const order = () => ({
      passId,
      orderId: newUuidV7(),
      customer: { id: 'ada' },
      total: { amount: '10.00', currency: 'EUR' },
    });
    const processed = async () => (await client.post('/orders/process', order())).body.orderId;
    return { passId, earn, order, processed };
  }
  const onAda = (body: Json = {}): Request => ({
    body: { passId: ledger.passId, identifier: 'ada', ...body },
    also: owned,
  });
  const onKey = async (rest = ''): Promise<Request> => ({
    path: `/api-keys/${(await newKey()).keyId}${rest}`,
    also: { 'key of another workspace': 'forbidden' },
  });

  const onPerson = async (rest = ''): Promise<Request> => ({
    path: `/people/${(await makePerson(client, 'viewer')).personId}${rest}`,
    also: { 'key of another workspace': 'person_not_found' },
  });

  const onPasskey = async (): Promise<Request> => {
    const browser = await signInAs(app, 'viewer', client);
    return { client: browser, path: `/passkeys/${(await addPasskey(app, browser)).passkeyId}` };
  };

  const onPartner = async (rest = ''): Promise<Request> => ({
    path: `/partners/${(await newPartner()).partnerId}${rest}`,
    also: { 'key of another workspace': 'partner_not_found' },
  });

  const newShop = () => ({
    platform: 'custom',
    domain: `${newSecret('till')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')}.example`,
    webhookSecret: 'whsec_0123456789abcdef',
  });
  const onWebhook = async (rest = ''): Promise<Request> => ({
    path: `/webhooks/${await hook}${rest}`,
    also: { 'key of another workspace': 'forbidden' },
  });
  const onStore = async (rest = ''): Promise<Request> => ({
    path: `/stores/${(await client.post('/stores', newShop())).body.storeId}${rest}`,
    also: { 'key of another workspace': 'forbidden' },
  });

  // Of a network where nothing is (RFC 5737), and which may be reached as far as the service is concerned.
  const newHook = { url: 'https://192.0.2.1/hook', types: ['webhook.failing'] };
  const hook = client.post('/webhooks', newHook).then(({ body }) => String(body.webhookId));
  const onDelivery = async (rest = ''): Promise<Request> => {
    const webhookId = await hook;
    const { deliveryId } = (await client.post(`/webhooks/${webhookId}/test`)).body;
    const path = `/webhooks/${webhookId}/deliveries/${deliveryId}`;
    await until('the delivery', async () => (await client.get(path)).status === 200);
    return { path: `${path}${rest}`, also: { 'key of another workspace': 'forbidden' } };
  };

  /** How to call each operation, so that the right caller succeeds. */
  const requests: Record<string, () => Request | Promise<Request>> = {
    getHealth: () => ({}),
    getReadiness: () => ({}),
    getMetrics: () => ({}),
    getOpenApi: () => ({}),
    getReference: () => ({}),
    getReferencePage: () => ({ path: '/docs/errors' }),
    searchReference: () => ({}),

    createWorkspace: () => ({ body: { name: 'Tea House' }, status: 201 }),
    listWorkspaces: () => ({}),
    getAnyWorkspace: () => onWorkspace(),
    updateAnyWorkspace: () => ({ ...onWorkspace(), body: { plan: 'pro' } }),
    createAnyApiKey: () => ({
      ...onWorkspace('/api-keys'),
      body: { name: 'Recovered', access: 'full' },
      status: 201,
    }),
    addCredits: () => ({ ...onWorkspace('/credits'), body: { amount: 5, externalRef: newUuidV7() } }),
    diagnoseInstance: () => ({ path: `/operator/instances/${card.instanceId}/diagnosis` }),

    getMe: () => ({}),
    getWorkspace: () => ({}),
    updateWorkspace: () => ({ body: { name: 'Blue Bean' } }),
    ...walletRequests,
    createApiKey: () => ({ body: { name: 'Till 5', access: 'full' }, status: 201 }),
    listApiKeys: () => ({}),
    getApiKey: () => onKey(),
    updateApiKey: async () => ({ ...(await onKey()), body: { name: 'Till 6' } }),
    revokeApiKey: () => onKey(),
    rotateApiKey: async () => ({ ...(await onKey('/rotate')), status: 201 }),
    getCredits: () => ({}),
    listCreditEntries: () => ({}),

    createPerson: () => ({
      body: { email: `${newUuidV7()}@example.com`, name: 'Ada', role: 'staff' },
      status: 201,
    }),
    listPeople: () => ({}),
    getPerson: () => onPerson(),
    updatePerson: async () => ({ ...(await onPerson()), body: { name: 'Ada L.' } }),
    deletePerson: async () => ({ ...(await onPerson()), status: 204 }),
    createPersonLink: async () => ({ ...(await onPerson('/links')), status: 201 }),
    sendSignInLink: () => ({
      body: { email: `${newUuidV7()}@example.com` },
      status: 202,
      isLimited: true,
    }),
    createDevice: () => ({ body: { name: 'Till' }, status: 201 }),
    listDevices: () => ({}),
    revokeDevice: async () => ({
      path: `/devices/${(await client.post('/devices', { name: 'Till' })).body.deviceId}`,
      status: 204,
      also: { 'key of another workspace': 'device_not_found' },
    }),
    pairDevice: () => ({ body: { code: 'pair_0' }, status: errors.invalid_link[0] }),
    getCurrentDevice: () => ({ client: app.anyone, status: errors.invalid_session[0] }),
    createSession: () => ({ body: { link: 'link_0' }, status: errors.invalid_link[0] }),
    listSessions: () => ({ also: { 'paired till': 'role_required' } }),
    getCurrentSession: () => ({}),
    endCurrentSession: async () => ({ client: await signInAs(app, 'viewer', client), status: 204 }),
    endSession: async () => {
      const browser = await signInAs(app, 'viewer', client);
      const { sessionId } = (await browser.get('/sessions/current')).body;
      return { client: browser, path: `/sessions/${sessionId}`, status: 204 };
    },
    setPassword: async () => ({
      client: await signInAs(app, 'viewer', client),
      body: { password: 'correct horse battery' },
      status: 204,
    }),
    acceptInvitation: async () => ({
      client: await signInAs(app, 'viewer', client),
      body: { workspaceId: encodeId('ws', newUuidV7()) },
      status: errors.invitation_not_found[0],
    }),
    leaveWorkspace: async () => {
      const browser = await signInAs(app, 'viewer', client);
      const [own] = (await browser.get('/sessions/current')).body.workspaces;
      return { client: browser, path: `/sessions/current/workspaces/${own.workspaceId}`, status: 204 };
    },
    answerInvitation: () => ({
      client: app.anyone,
      body: { workspaceId: encodeId('ws', newUuidV7()), answer: 'accept' },
      status: errors.invalid_session[0],
    }),
    beginOidc: () => ({ status: 303 }),
    finishOidc: () => ({ status: errors.invalid_credentials[0] }),
    getSignInOptions: () => ({}),
    getPasskeyScript: () => ({}),
    getPasskeyOptions: async () => ({ client: await signInAs(app, 'viewer', client) }),
    listPasskeys: () => ({ also: { 'paired till': 'role_required' } }),
    async createPasskey() {
      const browser = await signInAs(app, 'viewer', client);
      const options = (await browser.get('/passkeys/options')).body;
      const body = new Authenticator(new URL(app.config.publicUrl).origin).create(options);
      return { client: browser, body, status: 201 };
    },
    updatePasskey: async () => ({ ...(await onPasskey()), body: { name: 'Old telephone' } }),
    deletePasskey: async () => ({ ...(await onPasskey()), status: 204 }),
    choosePassword: () => ({
      client: app.anyone,
      body: { password: 'correct horse battery' },
      status: errors.invalid_session[0],
    }),
    getSignInPage: () => ({}),
    askForLink: () => ({ body: { email: `${newUuidV7()}@example.com` }, isLimited: true }),
    getLinkPage: () => ({ path: `/sign-in/${newSecret('link_')}` }),
    followLink: () => ({ path: '/sign-in/link_0', status: errors.invalid_link[0] }),
    signOut: async () => ({ client: await signInAs(app, 'viewer', client), status: 303 }),
    // Only people are signed in.
    getAccountPage: () => ({ client: app.anyone, status: 303 }),

    createPass: () => ({ body: newPass, status: 201 }),
    listPasses: () => ({}),
    getPass: () => onPass(),
    watchPass: () => onPass('/progress'),
    updatePass: () => ({ ...onPass(), body: { title: 'Blue Bean Club' } }),
    deletePass: async () => ({ path: `/passes/${(await draft()).passId}`, status: 204, also: owned }),
    clonePass: () => ({ ...onPass('/clone'), status: 201 }),
    uploadBarcodes: () => onPool('', { body: { barcodes: ['A-1'] } }),
    listBarcodes: () => onPool(),
    deleteBarcode: () => onPool('/B-1', { status: 204 }),
    previewDesign: () => ({
      path: '/passes/preview',
      body: { passId: pass.passId, title: 'Tea' },
      also: owned,
    }),
    getPreviewSvg: () => onPass('/preview.svg'),
    getPreviewPng: () => onPass(`/preview.png?platform=google&instanceId=${card.instanceId}`),

    issueInstance: () => ({ ...onPass('/instances'), body: {}, status: 201 }),
    issueBatch: () => ({ ...onPass('/instances/batch'), body: { instances: [{}] } }),
    importInstances: () => ({
      ...onPass('/instances/import'),
      body: { instances: [{ barcode: newUuidV7() }] },
    }),
    listInstances: () => onPass('/instances'),
    lookUpInstance: () => ({ path: `/instances/lookup?barcode=${card.barcode}`, also: searched }),
    listHolders: () => ({ path: '/holders?identifier=a' }),
    getInstance: () => onCard(),
    updateInstance: () => ({ ...onCard(), body: { metadata: { table: newUuidV7() } } }),
    eraseInstance: async () => ({
      path: `/instances/${(await makeCard(client, pass.passId)).instanceId}`,
      status: 204,
      also: owned,
    }),
    updateFields: () => ({ ...onCard('/fields'), body: { fields: { tier: newUuidV7() } } }),
    pushInstance: () => onCard('/push'),
    sendMessage: () => ({ ...onPass('/messages'), body: { text: 'Hello' }, status: 202 }),
    listMessages: () => onPass('/messages'),
    getMessage: async () => ({ path: `/messages/${(await newMessage()).messageId}`, also: owned }),
    watchMessage: async () => ({
      path: `/messages/${(await newMessage()).messageId}/progress`,
      also: owned,
    }),
    voidInstance: async () => ({ path: `${await newCard()}/void`, also: owned }),
    updateFieldsBatch: () => ({
      body: { updates: [{ instanceId: card.instanceId, fields: { tier: newUuidV7() } }] },
    }),
    voidBatch: async () => ({
      body: { voids: [{ instanceId: (await makeCard(client, pass.passId)).instanceId }] },
    }),
    reactivateInstance: async () => {
      const path = await newCard();
      await client.post(`${path}/void`);
      return { path: `${path}/reactivate`, also: owned };
    },
    getTimeline: () => onCard('/timeline'),
    getDiagnosis: () => onCard('/diagnosis'),

    createProgram: async () => ({
      body: { ...terms, passId: (await makePass(client)).passId },
      status: 201,
      also: owned,
    }),
    listPrograms: () => ({}),
    getProgram: () => onProgram(),
    updateProgram: async () => ({ ...(await onProgram()), body: { drawsStamps: false } }),
    getProgramSummary: () => onProgram('/summary'),

    processOrder: () => ({ body: ledger.order(), also: owned }),
    listOrders: () => ({ path: `/orders?passId=${ledger.passId}`, also: owned }),
    getOrder: async () => ({ path: `/orders/${await ledger.processed()}`, also: strangersOrder }),
    refundOrder: async () => ({
      path: `/orders/${await ledger.processed()}/refunds`,
      body: { refundId: '1', amount: { amount: '1.00', currency: 'EUR' } },
      also: { 'key of another pass': 'insufficient_scope' },
    }),
    cancelOrder: async () => ({
      path: `/orders/${await ledger.processed()}/cancel`,
      body: {},
      also: strangersOrder,
    }),
    withdrawCancellation: async () => {
      const path = `/orders/${newUuidV7()}/cancel`;
      await client.post(path, { early: true });
      return { path, status: 204, also: { ...strangersOrder, 'key of another pass': 'order_not_found' } };
    },

    earnPoints: () => onAda({ points: 10 }),
    previewPoints: () => onAda({ points: 10 }),
    redeemReward: () => onAda(),
    adjustPoints: () => onAda({ points: 10, reason: 'Sorry for the wait' }),
    listRewards: () => ({ path: `/loyalty/rewards?passId=${ledger.passId}&identifier=ada`, also: owned }),
    // The card of an item is checked with the item.
    earnBatch: () => ({ body: { awards: [{ passId: ledger.passId, identifier: 'ada', points: 10 }] } }),
    adjustBatch: () => ({
      body: { adjustments: [{ passId: ledger.passId, identifier: 'ada', points: 10, reason: 'Sorry' }] },
    }),
    listEntries: () => ({ path: `/loyalty/entries?passId=${ledger.passId}&identifier=ada`, also: owned }),
    getEntry: async () => ({ path: `/loyalty/entries/${(await ledger.earn()).entryId}`, also: owned }),
    reverseEntry: async () => ({
      path: `/loyalty/entries/${(await ledger.earn()).entryId}/reverse`,
      body: {},
      // Of another person's entry.
      also: { ...owned, staff: 'role_required', 'paired till': 'role_required' },
    }),
    getHolder: () => ({ path: `/loyalty/holders/ada?passId=${ledger.passId}`, also: owned }),
    exportBalances: () => onProgram('/balances.csv'),
    importBalances: async () => ({
      ...(await onProgram('/balances')),
      body: 'identifier,balance\nada,5\n',
      contentType: 'text/csv',
    }),

    createPartner: () => ({ body: { name: 'Harbour' }, status: 201 }),
    listPartners: () => ({}),
    getPartner: () => onPartner(),
    updatePartner: async () => ({ ...(await onPartner()), body: { name: 'Old Harbour' } }),
    deletePartner: async () => ({ ...(await onPartner()), status: 204 }),
    getPartnerStatement: () => onPartner('/statement?month=2026-11'),
    getPartnerStatementCsv: () => onPartner('/statement.csv?month=2026-11'),

    createWebhook: () => ({ body: newHook, status: 201 }),
    listWebhooks: () => ({}),
    getWebhook: () => onWebhook(),
    updateWebhook: async () => ({ ...(await onWebhook()), body: { description: 'Till' } }),
    deleteWebhook: async () => ({
      path: `/webhooks/${(await client.post('/webhooks', newHook)).body.webhookId}`,
      status: 204,
      also: { 'key of another workspace': 'forbidden' },
    }),
    rotateWebhook: async () => ({ ...(await onWebhook('/rotate')), status: 201 }),
    testWebhook: async () => ({ ...(await onWebhook('/test')), status: 202 }),
    recoverWebhook: async () => ({
      ...(await onWebhook('/recover')),
      body: { since: new Date().toISOString() },
    }),
    listDeliveries: () => onWebhook('/deliveries'),
    getDelivery: () => onDelivery(),
    resendDelivery: async () => ({ ...(await onDelivery('/resend')), status: 202 }),

    connectStore: () => ({ body: newShop(), status: 201 }),
    listStores: () => ({}),
    getStore: () => onStore(),
    updateStore: async () => ({ ...(await onStore()), body: { followsEdits: true } }),
    disconnectStore: async () => ({ ...(await onStore()), status: 204 }),
    testStore: () => onStore('/test'),
    /** The trial call, which is the only one that needs no signature. */
    receiveWebhook: async () => ({
      path: (await onStore('/webhooks')).path ?? '',
      body: 'webhook_id=7',
      contentType: 'application/x-www-form-urlencoded',
    }),
    listPrivacyRequests: () => onStore('/privacy-requests'),

    createInvite: () => ({ ...onPass('/invites'), body: { email: 'ada@example.com' }, status: 202 }),
    listInvites: () => onPass('/invites'),
    getInvitePage: () => onInvite('claim'),
    acceptInvite: async () => ({ ...(await onInvite('claim')), status: 303 }),
    getUnsubscribePage: () => onInvite('unsubscribe'),
    unsubscribe: () => onInvite('unsubscribe'),

    getJoinPage: () => onJoin(),
    submitJoinForm: async () => ({
      ...onJoin(),
      body: new URLSearchParams({ ...complete, ...(await workFor(app.anyone, joinPass.passId)) }).toString(),
      contentType: 'application/x-www-form-urlencoded',
      status: 303,
      isLimited: true,
    }),
    getJoinForm: () => onJoin('/form'),
    joinByApp: async () => ({
      ...onJoin('/enrolments'),
      body: {
        values: { name: 'Ada' },
        consents: { terms: true },
        ...(await workFor(app.anyone, joinPass.passId)),
      },
      isLimited: true,
    }),
    // No enrolment waits for a proof.
    getProofPage: () => ({ ...onJoin('/confirm/x'), status: errors.invalid_join[0] }),
    confirmJoin: () => ({ ...onJoin('/confirm/x'), status: errors.invalid_join[0] }),
    getJoinQr: () => onJoin('/qr.svg'),
    getPosterPdf: () => onJoin('/poster.pdf'),
    getPosterPng: () => onJoin('/poster.png'),
    getJoinScript: () => onJoin('/scripts/join.js'),
    listConsents: () => onCard('/consents'),

    // There is no connected store.
    startSweep: () => ({ ...onPass('/invites/sweep'), body: {}, status: errors.sweep_failed[0] }),
    getSweep: () => ({ ...onPass('/invites/sweep'), status: errors.sweep_not_found[0] }),
    watchSweep: () => ({ ...onPass('/invites/sweep/progress'), status: errors.sweep_not_found[0] }),
    cancelSweep: () => ({ ...onPass('/invites/sweep/cancel'), status: errors.sweep_not_found[0] }),
    listSweepResults: () => ({
      ...onPass('/invites/sweep/results?format=csv'),
      status: errors.sweep_not_found[0],
    }),

    openLink: () => cardPath(''),
    downloadApplePass: () => cardPath('/apple.pkpass'),
    saveToGoogle: () => ({ ...cardPath('/google'), status: errors.wallet_not_configured[0] }),
    getLinkQr: () => cardPath('/qr.svg'),
    openWebCard: () => cardPath('/card'),
    getWebCard: () => cardPath('/card/state'),
    watchWebCard: () => cardPath(`/card/events?viewer=${viewer}`),
    installWebCard: () => ({
      ...cardPath('/card/installation'),
      body: { viewer, installed: true },
      status: 204,
    }),
    removeWebCard: () => ({ ...cardPath(`/card/installation?viewer=${viewer}`), status: 204 }),
    getWebCardManifest: () => cardPath('/card.webmanifest'),
    getWebCardIcon: () => cardPath('/icons/192.png'),
    getWebCardScript: () => cardPath('/scripts/live-card.js'),
    getCardPicture: () => cardPath('/picture.png'),
    getWebCardWorker: () => cardPath('/sw.js'),
    googleCallback: () => ({ body: {}, status: errors.wallet_not_configured[0] }),
    listEvents: () => ({ path: `/events?passId=${pass.passId}`, also: owned }),
    getStatistics: () => ({ path: `/statistics?passId=${pass.passId}`, also: owned }),
    listRequests: () => ({}),
    getRequest: () => ({ path: '/requests/nobodys', status: errors.request_not_found[0] }),
    listAudit: () => ({}),
    getTrace: () => ({ path: '/trace/nobodys', status: errors.request_not_found[0] }),
    getEvent: () => ({ path: `/events/${encodeId('evt', newUuidV7())}`, status: errors.event_not_found[0] }),
    uploadImage: () => ({ body: imageForm(100), status: 201 }),
    getImage: () => ({ path: `/images/${'0'.repeat(64)}.png`, status: errors.image_not_found[0] }),
    getPassLogo: () => ({ path: `/passes/${pass.passId}/logo.png` }),
    getStampPicture: () => ({ path: `/passes/${pass.passId}/stamps/3-10.png` }),

    registerDevice: () =>
      onDevice('devices/d1/registrations/pass.example/s1', { pushToken: 'ab'.repeat(32) }),
    unregisterDevice: () => onDevice('devices/d1/registrations/pass.example/s1'),
    listChangedSerials: () => ({ path: '/apple/v1/devices/d1/registrations/pass.example', status: 204 }),
    getLatestPass: () => onDevice('passes/pass.example/s1'),
    logDeviceErrors: () => ({ body: { logs: [] } }),
  };

  const requestOf = async ({ endpoint }: (typeof routes)[number]): Promise<Request> =>
    (await requests[endpoint.op]?.()) ?? {};

  for (const route of routes) {
    const { method, path, access, endpoint } = route;
    test(`${method} ${path}`, async () => {
      const request = await requests[endpoint.op]?.();
      assert.ok(request, `say in test/access-matrix.test.ts how to call ${endpoint.op}`);
      const { body, contentType, status = 200, also } = request;
      const headers = { ...(contentType !== undefined && { 'content-type': contentType }) };
      const url = request.path ?? path;
      assert.match(url.replace(/\?.*/, ''), new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));
      const refused = { ...also, ...refusals[access] };
      for (const caller of callers) {
        const code = refused[caller];
        // What a person changes is done once: the next one needs another.
        const isAnew =
          request.isLimited === true ||
          (code === undefined && isPerson(caller) && (method !== 'GET' || request.client !== undefined));
        const its: Request = isAnew ? await requestOf(route) : { ...request, client: null };
        const as = its.client ?? clients[caller];
        const reply = await as.send(method, its.path ?? url, its.body ?? body, { headers });
        const found = [caller, reply.status, code === undefined ? undefined : reply.body.code];
        assert.deepEqual(found, [caller, code === undefined ? status : errors[code][0], code]);
        if (code !== undefined)
          assert.ok(errorsOf(route).has(code), `${endpoint.op} does not declare ${code}`);
      }
    });
  }

  for (const route of routes.filter(isOurWrite)) {
    const standing = clients[route.access === 'operator' ? 'operator' : 'full key'];
    const name = `${route.method} ${route.path}`;
    test(`${name} keeps an Idempotency-Key, or refuses it`, async () => {
      const request = await requestOf(route);
      const isOfPass = request.also?.['key of another pass'] === 'insufficient_scope';
      await assertKeepsKey(
        request.client ?? standing,
        route,
        request,
        isOfPass ? clients['key of another pass'] : null,
      );
    });
    if (!(route.endpoint.op in withoutLine))
      test(`${name} leaves a line in the audit log`, async () => {
        const { body, contentType, path = route.path, client: its } = await requestOf(route);
        const headers: Record<string, string> =
          contentType === undefined ? {} : { 'content-type': contentType };
        const reply = await (its ?? standing).send(route.method, path, body, { headers });
        await assertAudited(app, route.endpoint.op, reply);
      });
    if (needsNoBody(route))
      test(`${name} needs no body`, () => assertTakesNoBody(standing, route, () => requestOf(route)));
  }

  test('a change without a line in the audit log is found out', async () => {
    const unlined = await client.post('/loyalty/points/preview', onAda({ points: 10 }).body);
    await assert.rejects(assertAudited(app, 'previewPoints', unlined), /previewPoints leaves no line/);
  });

  test('every entry of this matrix is a route', () => {
    const ops = new Set(routes.map((route) => route.endpoint.op));
    assert.deepEqual(
      [...Object.keys(requests), ...Object.keys(withoutLine)].filter((op) => !ops.has(op)),
      [],
    );
  });
});

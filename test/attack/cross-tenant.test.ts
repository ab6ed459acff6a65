import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readLinkToken } from '../../src/cards/link-token.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { encodeIdToken } from '../../src/kit/crypto/tokens.ts';
import { decodeId } from '../../src/kit/ids.ts';
import { routes } from '../../src/routes.ts';
import { newOrder, send } from '../../src/stores/stores.fixture.ts';
import { assertRefused, type Client, type Json, type Reply } from '../client.ts';
import { makeCard, makeKey } from '../factories.ts';
import { startTestApp } from '../harness.ts';
import { type Request, withIds } from '../scenarios/scenario.ts';
import { makeScenarios } from '../scenarios/scenarios.ts';
import { settings } from '../scenarios/world.ts';
import { bodySchemaOf, over, placesOf } from '../text-places.ts';
import { type Kind, makeTenant, makeWebhook, pathWith, rowsOf, soughtBy } from './tenant.ts';

/** Nothing may move but for the calls. */
const app = await startTestApp({ ...settings, WORKERS: 'off' });
const victim = await makeTenant(app);
const attacker = await makeTenant(app);
const { scenarios } = await makeScenarios(app, attacker);

type Route = (typeof routes)[number];

/** What each name of a field or parameter names. A new field stands here, or among those that name nothing. */
const kinds: Readonly<Record<string, Kind>> = {
  workspaceId: 'workspaceId',
  keyId: 'keyId',
  personId: 'personId',
  deviceId: 'deviceId',
  passId: 'passId',
  passIds: 'passId',
  instanceId: 'instanceId',
  partnerId: 'partnerId',
  programId: 'programId',
  entryId: 'entryId',
  storeId: 'storeId',
  messageId: 'messageId',
  webhookId: 'webhookId',
  deliveryId: 'deliveryId',
  eventId: 'eventId',
  requestId: 'requestId',
  orderId: 'orderId',
  refundId: 'refundId',
  barcode: 'barcode',
  barcodes: 'barcode',
  identifier: 'identifier',
  'customer.id': 'identifier',
  email: 'email',
  phone: 'phone',
  externalRef: 'externalRef',
  q: 'identifier',
  externalId: 'externalId',
  serialNumber: 'serialNumber',
  domain: 'domain',
};

/** Names of fields that say something and name nothing of a workspace. */
const plain = new Set([
  ...[
    'title',
    'details',
    'terms',
    'at',
    'key',
    'label',
    'value',
    'changeMessage',
    'background',
    'foreground',
  ],
  ...['relevantText', 'metadata', 'fields', 'name', 'locale', 'expiresAt', 'text', 'one', 'other', 'amount'],
  ...[
    'currency',
    'country',
    'reason',
    'occurredAt',
    'createdAfter',
    'createdBefore',
    'lastSeen.after',
    'lastSeen.before',
    'items.id',
    'sku',
    'note',
    'consent',
    'away',
    'days',
    'number',
    'rewardWaiting',
    'include',
    'sendAt',
    'endsAt',
    'timezone',
    'month',
    'from',
    'to',
    'by',
  ],
  ...['credentials', 'webhookSecret', 'metaKey', 'metaValue', 'attestedBy', 'logs', 'v', 'limit', 'hash'],
  ...['headline', 'domainAllow', 'challenge', 'work', 'lang', 'language', 'translations', 'reader'],
  ...['uuid', 'start', 'end', 'dates.field', 'group', 'appStoreIds', 'appUrl', 'androidApp', 'logoSymbol'],
  ...['stamps.color', 'markColor', 'modules.header', 'modules.body'],
  // One of a few words.
  ...[
    'type',
    'kind',
    'section',
    'align',
    'mode',
    'format',
    'status',
    'state',
    'platform',
    'installed',
    'refundPolicy',
    'onExisting',
    'file',
    'image',
    'proof',
    'purpose',
    'over',
    'stamps.icon',
    'nfc',
  ],
  ...['tier', 'lastSeen.after', 'lastSeen.before'],
  ...[
    'dryRun',
    'access',
    'plan',
    'rates',
    'afterSeq',
    'role',
    'password',
    'pin',
    'wait',
    'waiting',
    'types',
    'payload',
    'since',
    'description',
  ],
  // Texts of certificates, whose keys are looked for among those of the workspace.
  ...[
    'certificate',
    'intermediate',
    'p12',
    'passphrase',
    'serviceAccount',
    'issuerId',
    'publicKey',
    'redemptionIssuers',
  ],
  // What lists of the own workspace leave.
  ...['code', 'op', 'actor', 'action', 'target'],
  // Of the program, or the account, that the call names.
  'rewardId',
  'tier',
  // Fetched, not looked up.
  ...[
    'url',
    'iconUrl',
    'logoUrl',
    'stripUrl',
    'thumbnailUrl',
    'backgroundUrl',
    'heroUrl',
    'posterUrl',
    'endpoint',
  ],
  // Of the device or the browser, which has them from no workspace.
  ...[
    'viewer',
    'p256dh',

    'auth',
    'pushToken',
    'deviceLibraryIdentifier',
    'passTypeIdentifier',
    'passesUpdatedSince',
  ],
  ...[
    'icon',
    'script',
    'filled',
    'threshold',
    'signature',
    'intermediateSigningKey',
    'protocolVersion',
    'signedMessage',
  ],
  // Of the person who asks, who is no key.
  ...['sessionId', 'passkeyId'],
  // A secret, which serves its holder.
  'link',
  // Made for one list of one workspace: tried below.
  'cursor',
  // Bearer tokens, which serve their holders; forged ones are tried below.
  'token',
]);

/** Names that each workspace gives: another one may use the same, and finds its own or nothing. */
const local = new Set<Kind>([
  ...(['barcode', 'identifier', 'email', 'phone', 'externalRef', 'externalId'] as const),
  ...(['orderId', 'refundId', 'domain', 'requestId'] as const),
]);

/** The code that a key of another workspace gets for each kind of id, wherever it stands. */
const strangers: Partial<Record<Kind, ErrorCode>> = {
  passId: 'forbidden',
  instanceId: 'forbidden',
  programId: 'forbidden',
  entryId: 'forbidden',
  keyId: 'forbidden',
  personId: 'person_not_found',
  deviceId: 'device_not_found',
  storeId: 'forbidden',
  messageId: 'forbidden',
  webhookId: 'forbidden',
  deliveryId: 'delivery_not_found',
  eventId: 'forbidden',
  partnerId: 'partner_not_found',
};

/** Where it is another code, and why. */
const exceptions: Readonly<Record<string, ErrorCode>> = {
  // A key can be restricted to its own workspace's passes only: the list is wrong, whatever it names.
  'createApiKey passIds': 'invalid_request',
  'updateApiKey passIds': 'invalid_request',
  'createWebhook passIds': 'invalid_request',
  'updateWebhook passIds': 'invalid_request',
  // The signer has no workspace.
  'receiveWebhook {storeId}': 'invalid_signature',
};

/** Filters of what the own workspace has: whatever they name, it is none of the other's. */
const ownFilters = new Set([
  'listOrders ?storeId',
  'listRequests ?keyId',
  'listRequests ?instanceId',
  'listEntries ?personId',
  'listEntries ?deviceId',
]);

/** A way to name something of the victim in a request that is the attacker's in everything else. */
interface Attempt {
  readonly what: string;
  readonly kind: Kind;
  readonly of: (own: Request & { readonly path: string }) => Request;
}

/** The kind of name at a position such as `.instances[].partnerId`; null for other positions. */
function kindAt(op: string, place: string): Kind | null {
  const names = place.replaceAll(/\[\]|\{\w*\}/g, '').split('.');
  const last = names.at(-1) ?? '';
  const both = names.slice(-2).join('.');
  const kind = kinds[both] ?? kinds[last];
  if (kind !== undefined) return kind;
  if (last === '' || plain.has(last) || plain.has(both)) return null;
  return assert.fail(`say in test/attack/cross-tenant.test.ts what ${op} ${place} names`);
}
const shown = (place: string) => place.replaceAll(/^\.|\[\]/g, '');

/** A request of the attacker's that would be served. */
async function ownRequest({ path, endpoint: { op } }: Route): Promise<Request & { readonly path: string }> {
  // Without background work no call makes a delivery.
  if (path.includes('{deliveryId}')) return { path: pathWith(path, attacker.names) };
  const request = (await scenarios[op]?.good()) ?? assert.fail(`say in test/scenarios/ how to call ${op}`);
  // The scenario is the trial call, which needs no signature.
  const order = op === 'receiveWebhook' && { body: {}, contentType: 'application/json' };
  return { path, ...request, ...order };
}

function sendAs(by: Client, method: string, { path = '', body, contentType }: Request, headers = {}) {
  const type = contentType !== undefined && { 'content-type': contentType };
  return by.send(method, path, body, { headers: { ...type, ...headers } });
}

/** A card is named in one of these ways. */
const ways = ['identifier', 'instanceId', 'barcode'];

/** Every attempt on an operation. */
function attemptsOn({ path, endpoint }: Route): Attempt[] {
  const { op, params, query } = endpoint;
  const attempt = (what: string, place: string, of: (own: Json, name: string) => Request): Attempt[] => {
    const kind = kindAt(op, place);
    return kind === null ? [] : [{ what, kind, of: (own) => ({ ...own, ...of(own, victim.names[kind]) }) }];
  };
  return [
    ...Object.keys(params?.properties ?? {}).flatMap((name) =>
      attempt(`{${name}}`, `.${name}`, (own, theirs) => ({
        path: withIds(path, own.path, { [name]: theirs }),
      })),
    ),
    ...Object.keys(query?.properties ?? {}).flatMap((name) =>
      attempt(`?${name}`, `.${name}`, (own, theirs) => {
        const [local, asked] = own.path.split('?');
        const rest = new URLSearchParams(asked);
        const isOther = name === 'programId' ? ['passId', ...ways] : ways.includes(name) ? ways : [];
        for (const other of isOther) rest.delete(other);
        rest.set(name, theirs);
        return { path: `${local}?${rest}` };
      }),
    ),
    ...placesOf(bodySchemaOf(endpoint)).flatMap((place) => {
      const what = shown(place.path);
      const [list = '', way = list] = what.split('.');
      const unnamed = ways.includes(way) ? Object.fromEntries(ways.map((one) => [one, undefined])) : {};
      const others = way === what ? unnamed : { [list]: [unnamed] };
      return attempt(what, place.path, ({ body }, theirs) => ({
        body: over(over(body ?? {}, others), place.with(theirs)),
      }));
    }),
  ];
}

/** The ids of the victim's things, and their texts; not the names that the attacker may use as well. */
const foreign = [
  victim.marker,
  ...Object.entries(victim.names).flatMap(([kind, name]) => (local.has(kind as Kind) ? [] : [name])),
];

/** Fails when an answer reveals something of the victim beyond what was asked with. */
function assertEmitsNothing(reply: Reply, asked: string, what: string): void {
  const said = `${reply.text}\n${[...reply.headers].join('\n')}`;
  for (const text of foreign) {
    if (asked.includes(text) || asked.includes(encodeURIComponent(text))) continue;
    assert.ok(!said.includes(text), `${what} reveals ${text}: ${said.slice(0, 500)}`);
  }
}

const reader = (await makeKey(attacker.client, { access: 'read' })).client;
const ownPasses = (await attacker.client.get('/passes?limit=100')).body.data;
const confined = (await makeKey(attacker.client, { passIds: ownPasses.map(({ passId }: Json) => passId) }))
  .client;
/** The victim's own, but for another pass. */
const colleague = (await makeKey(victim.client, { passIds: [victim.otherPassId] })).client;
const callers: Readonly<Record<string, Client>> = { full: attacker.client, reader, confined, colleague };

/** To a key that may do less, or is of the other workspace, something else of the call may be wrong as well. */
const refusalsOfOthers = new Set<ErrorCode>(['insufficient_scope', 'forbidden', 'order_not_found']);

/** No workspace has connected a store whose customers can be read. */
const isAnswered = ({ status, body }: Reply) => status < 500 || body.code === 'sweep_failed';

describe('a call that names a thing of another workspace', () => {
  for (const route of routes) {
    const { method, access, endpoint } = route;
    if (['operator', 'probe', 'public', 'session'].includes(access)) continue;
    for (const { what, kind, of } of attemptsOn(route)) {
      it(`as ${what} of ${endpoint.op} gets nothing and changes nothing`, async () => {
        const request = of(await ownRequest(route));
        const { path: url = '', body } = request;
        const before = await rowsOf(app, victim.workspaceId);
        const expected = exceptions[`${endpoint.op} ${what}`] ?? strangers[kind];
        for (const [caller, client] of Object.entries(callers)) {
          const reply = await sendAs(client, method, request);
          const name = `${caller}: ${method} ${url}: ${reply.text.slice(0, 300)}`;
          assert.ok(isAnswered(reply), name);
          assertEmitsNothing(reply, `${url} ${JSON.stringify(body)}`, name);
          if (local.has(kind) || (ownFilters.has(`${endpoint.op} ${what}`) && reply.status === 200)) continue;
          assert.ok(expected, `say in test/attack/cross-tenant.test.ts what ${kind} is answered`);
          const code = reply.body.results?.[0]?.error.code ?? reply.body.code;
          if (caller === 'full') assert.equal(code, expected, name);
          else assert.ok(refusalsOfOthers.has(code) || code === expected, name);
        }
        assert.deepEqual(await rowsOf(app, victim.workspaceId), before);
      });
    }
  }
});

describe('the operator token', () => {
  it('opens nothing of a workspace', async () => {
    const before = await rowsOf(app, victim.workspaceId);
    for (const route of routes) {
      const { method, path, access } = route;
      if (['operator', 'probe', 'public', 'signed', 'session'].includes(access)) continue;
      const own = await ownRequest(route);
      const url = withIds(path, own.path, victim.names);
      const reply = await sendAs(app.operator, method, { ...own, path: url });
      assertRefused(reply, 'invalid_api_key');
      assertEmitsNothing(reply, url, url);
    }
    assert.deepEqual(await rowsOf(app, victim.workspaceId), before);
  });
});

describe('an Idempotency-Key of another workspace', () => {
  for (const route of routes) {
    const { method, access, endpoint } = route;
    if (endpoint.idempotent !== true || access === 'operator') continue;
    it(`is a fresh one to ${endpoint.op}`, async () => {
      const own = await ownRequest(route);
      const before = await rowsOf(app, victim.workspaceId);
      const reply = await sendAs(attacker.client, method, own, { 'idempotency-key': victim.idempotencyKey });
      assert.ok(isAnswered(reply), reply.text);
      assert.notEqual(reply.body.code, 'external_ref_reused');
      const isReplayed = reply.headers.get('idempotent-replayed') !== null;
      assert.ok(
        !isReplayed || endpoint.op === 'processOrder',
        'only a number of an order repeats without a key',
      );
      assertEmitsNothing(reply, own.path, own.path);
      assert.deepEqual(await rowsOf(app, victim.workspaceId), before);
    });
  }
});

describe('a cursor of another workspace', () => {
  for (const { method, path, access, endpoint } of routes) {
    if (endpoint.query?.properties.cursor === undefined || ['operator', 'session'].includes(access)) continue;
    it(`is refused by ${endpoint.op}`, async () => {
      const cursor = victim.cursors[endpoint.op];
      if (emptyLists.has(endpoint.op)) return assert.equal(cursor, undefined);
      assert.ok(cursor, `test/attack/tenant.ts makes no second page for ${endpoint.op}`);
      const scope = endpoint.query?.properties.passId === undefined ? '' : `&passId=${attacker.names.passId}`;
      // The attacker's own one may be voided already.
      const { instanceId } = await makeCard(attacker.client, attacker.names.passId ?? '');
      const webhookId = path.includes('{webhookId}') ? await makeWebhook(attacker.client) : '';
      const sought = soughtBy(endpoint.op, { ...attacker.names, instanceId }, attacker.marker);
      const url = `${pathWith(path, { ...attacker.names, webhookId })}?cursor=${cursor}${scope}${sought}`;
      const reply = await attacker.client.send(method, url, undefined);
      assertRefused(reply, 'invalid_request', /cursor/);
      assertEmitsNothing(reply, url, url);
    });
  }
});

/** Lists that only a platform of stores can fill. */
const emptyLists = new Set(['listPrivacyRequests', 'listSweepResults']);

describe('a link that was put together from two workspaces', () => {
  const [mine, theirs] = [attacker, victim].map(({ names }) => readLinkToken(names.token));
  assert.ok(mine && theirs);
  const forged = {
    'my secret for their card': { scope: theirs.workspaceId, id: theirs.instanceId, secret: mine.linkSecret },
    'their card in my workspace': { scope: mine.workspaceId, id: theirs.instanceId, secret: mine.linkSecret },
    'my card in their workspace': { scope: theirs.workspaceId, id: mine.instanceId, secret: mine.linkSecret },
    'their secret for my card': { scope: mine.workspaceId, id: mine.instanceId, secret: theirs.linkSecret },
  };
  for (const [what, parts] of Object.entries(forged)) {
    it(`opens nothing: ${what}`, async () => {
      for (const { method, path, endpoint } of routes) {
        if (!/^\/p\/\{token\}/.test(path)) continue;
        const names = { token: encodeIdToken(parts), icon: '192.png', script: 'live-card.js' };
        const viewer = '0e4f7a52-94b1-4f0e-9d3c-6f2f1f1f9a10';
        const query = endpoint.query?.properties.viewer === undefined ? '' : `?viewer=${viewer}`;
        const reply = await app.anyone.send(method, pathWith(path, names) + query, endpoint.example);
        assertEmitsNothing(reply, path, path);
        if (mayBeAnybodys.has(endpoint.op)) continue;
        assertRefused(reply, 'instance_not_found');
      }
    });
  }
});

/** Files that are the same for all cards. */
const mayBeAnybodys = new Set(['getWebCardScript', 'getWebCardWorker']);

describe('a store of another workspace', () => {
  it('cannot sign for the store of this one', async () => {
    const before = await rowsOf(app, victim.workspaceId);
    const secret = 'whsec_of_the_attacker_only';
    await attacker.client.patch(`/stores/${attacker.names.storeId}`, { webhookSecret: secret });
    const reply = await send(app.anyone, victim.names.storeId, newOrder('1'), { secret });
    assertRefused(reply, 'invalid_signature');
    assert.deepEqual(await rowsOf(app, victim.workspaceId), before);
  });

  it('awards nothing to the cards of this one, whatever its orders name', async () => {
    const before = await rowsOf(app, victim.workspaceId);
    const { storeId } = (
      await attacker.client.post('/stores', {
        platform: 'custom',
        domain: 'evil.example',
        webhookSecret: 'whsec_0123456789abcdef',
        passId: attacker.names.passId,
      })
    ).body;
    const customer = { id: victim.names.identifier, email: victim.names.email, name: victim.marker };
    const kept = await send(app.anyone, storeId, newOrder(victim.names.orderId, { customer }));
    assert.equal(kept.status, 200, kept.text);
    await app.running.app.wake;
    const [row] = await app.sql<{ count: number }>(
      'select count(*)::int from store_webhooks where store_id = $1',
      [decodeId('store', storeId)],
    );
    assert.equal(row?.count, 1);
    assert.deepEqual(await rowsOf(app, victim.workspaceId), before);
  });
});

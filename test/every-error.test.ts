import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ErrorCode, errorContext, errors } from '../src/errors.ts';
import { noCounts } from '../src/invitations/sweeps/sweep-row.ts';
import { newSecret } from '../src/kit/crypto/tokens.ts';
import { routes } from '../src/routes.ts';
import { makePerson, signIn, signInAs } from '../src/sign-in/people.fixture.ts';
import { errorsOf } from '../src/start/reference.ts';
import { assertRefused, type Reply } from './client.ts';
import { inParallel, makeKey } from './factories.ts';
import { startTestApp } from './harness.ts';
import { type Request, withIds } from './scenarios/scenario.ts';
import { makeScenarios } from './scenarios/scenarios.ts';
import { settings } from './scenarios/world.ts';
import { sendRaw } from './send-raw.ts';

type Route = (typeof routes)[number];

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
  insufficient_value: { balance: 0, amount: { amount: '0.00', currency: 'EUR' } },
  instance_expired: { expiredAt: '2020-01-01T00:00:00.000Z' },
  webhook_limit_reached: { limit: 16 },
  upload_limit_reached: { limit: 1_000, byteLimit: 256 * 1_048_576 },
  refund_exceeds_order: { refundable: { amount: '12.50', currency: 'EUR' } },
  asset_fetch_failed: { slot: 'logoUrl', reason: 'invalid_url' },
  program_state_conflict: { reason: 'pause_requires_active' },
  invalid_join: { key: 'name', reason: 'required' },
  sweep_running: {
    state: {
      running: true,
      status: 'running',
      ...noCounts,
      sent: 0,
      sendFailed: 0,
      waiting: 0,
      cursor: null,
      reason: null,
    },
  },
  sweep_failed: { reason: 'store_not_connected' },
};

/** The same of a link that was used, by operation and code. */
const linkExtras: Readonly<Record<string, Record<string, unknown>>> = {
  'getProofPage invalid_join': { key: 'link', reason: 'link' },
  'confirmJoin invalid_join': { key: 'link', reason: 'link' },
};

test('what refusals say besides the text is described', () => {
  // The problems of a request differ each time: `test/client.ts` looks at them. Tries are left of a PIN only: `src/sign-in/tills.test.ts`.
  const {
    internal_error: _,
    invalid_request: _problems,
    invalid_credentials: _tries,
    ...described
  } = errorContext;
  const names = (all: object) => Object.entries(all).map(([code, fields]) => [code, Object.keys(fields)]);
  assert.deepEqual(names(described).sort(), names(extras).sort());
});

/** The parameter of a path whose thing does not exist, by the code that is answered. */
const pathIdsOf: Partial<Record<ErrorCode, readonly string[]>> = {
  workspace_not_found: ['workspaceId'],
  invitation_not_found: ['workspaceId'],
  api_key_not_found: ['keyId'],
  person_not_found: ['personId'],
  device_not_found: ['deviceId'],
  session_not_found: ['sessionId'],
  passkey_not_found: ['passkeyId'],
  program_not_found: ['programId'],
  entry_not_found: ['entryId'],
  event_not_found: ['eventId'],
  request_not_found: ['requestId'],
  store_not_found: ['storeId'],
  order_not_found: ['orderId'],
  message_not_found: ['messageId'],
  webhook_not_found: ['webhookId'],
  delivery_not_found: ['deliveryId'],
  pass_not_found: ['passId'],
  barcode_not_found: ['barcode'],
  instance_not_found: ['instanceId', 'token'],
  invite_not_found: ['token'],
  partner_not_found: ['partnerId'],
  invalid_pass_token: ['serialNumber'],
};

describe('every error', async () => {
  const app = await startTestApp(settings);
  // Takes ten seconds, so it begins first and is awaited last.
  const slow = sendRaw(app.url, 'GET /me HTTP/1.1\r\nHost: punchcard\r\nX-Request-Id: slow');
  const { world, scenarios } = await makeScenarios(app);
  const { client, missing, strangers } = world;

  const scenarioOf = (op: string) => scenarios[op] ?? assert.fail(`say in test/scenarios/ how to call ${op}`);

  function send({ method, path, access }: Route, request: Request, headers = {}): Promise<Reply> {
    const type = request.contentType !== undefined && { 'content-type': request.contentType };
    const by = request.client ?? (access === 'operator' ? app.operator : client);
    return by.send(method, request.path ?? path, request.body, { headers: { ...type, ...headers } });
  }

  /** Calls the operation about things with these ids. */
  async function callAbout(route: Route, ids: Readonly<Record<string, string>>): Promise<Reply> {
    const request = await scenarioOf(route.endpoint.op).good();
    return send(route, { ...request, path: withIds(route.path, request.path ?? route.path, ids) });
  }

  /** Asks for two effects under one key. */
  async function reuseKey(route: Route): Promise<Reply> {
    const { good } = scenarioOf(route.endpoint.op);
    const first = await good();
    const second = first.other === undefined ? await good() : { ...first, body: first.other };
    const key = { 'idempotency-key': first.body?.externalRef ?? `${route.endpoint.op}-twice` };
    const made = await send(route, first, key);
    assert.ok(made.status < 300, made.text);
    const repeat = await send(route, second, key);
    // A batch answers for each of its items.
    const [item] = repeat.body.results ?? [];
    return item === undefined
      ? repeat
      : { ...repeat, body: { ...item.error, requestId: repeat.body.requestId } };
  }

  /** How to provoke what any operation can answer. */
  const anywhere: Partial<Record<ErrorCode, () => Promise<Reply>>> = {
    invalid_session: () => app.anyone.get('/sessions/current'),
    role_required: async () => (await signInAs(app, 'viewer', client)).post('/passes', {}),
    async recent_sign_in_required() {
      const { link } = await makePerson(client, 'owner');
      const { browser } = await signIn(app, link);
      await app.sql("update sessions set signed_in_at = signed_in_at - interval '11 minutes'");
      app.running.app.sessionCache.clear();
      return browser.post('/api-keys', { name: 'Till', access: 'read' });
    },
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
    const declared = own(errorsOf(route));
    if (declared.length === 0) continue;
    describe(`${route.method} ${route.path}`, () => {
      for (const code of declared) test(code, () => refuse(route, code));
    });
  }

  async function refuse(route: Route, code: ErrorCode): Promise<void> {
    tried.add(code);
    const { op } = route.endpoint;
    const special = scenarioOf(op).errors?.[code];
    if (special !== undefined)
      return assertRefused(await special(), code, /./, linkExtras[`${op} ${code}`] ?? extras[code]);
    if (code === 'external_ref_reused') return assertRefused(await reuseKey(route), code);
    if (code === 'forbidden') return assertRefused(await callAbout(route, strangers), code);
    const named = pathIdsOf[code]?.filter((name) => route.path.includes(`{${name}}`)) ?? [];
    assert.ok(
      named.length > 0,
      `say in test/scenarios/ how ${op} comes to answer ${code}, or do not declare it`,
    );
    for (const id of [undefined, 'pass_O0l']) {
      const ids = named.map((name) => [name, id ?? missing[name] ?? assert.fail(name)]);
      assertRefused(await callAbout(route, Object.fromEntries(ids)), code);
    }
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

  test('no scenario provokes what its operation does not declare', () => {
    const undeclared = routes.flatMap((route) => {
      const declared: ReadonlySet<string> = errorsOf(route);
      const { errors: provocations = {} } = scenarioOf(route.endpoint.op);
      const codes = Object.entries(provocations).filter(
        ([code, act]) => act !== undefined && !declared.has(code),
      );
      return codes.map(([code]) => `${route.endpoint.op} ${code}`);
    });
    assert.deepEqual(undeclared, []);
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

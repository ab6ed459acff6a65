import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, bodyOf, extrasOf, secondsOf } from './caller.ts';
import { makeCard, makeKey, makePass, postPass } from './makings.ts';
import { exceedRate, loseCommit, revoked } from './provocations.ts';
import { needing, part } from './sentence.ts';
import { assertCodesKept } from './versioning.ts';

export const errorsInGeneral = part(import.meta.url, '7. Errors', {
  'All errors: non-2xx status, JSON body as in part 2': async (world) => {
    const by = await world.shop();
    // The caller holds each body against part 2. These are answered by no operation, or before one is reached.
    const replies = [
      await by.get('/no/such/path'),
      await by.delete('/me'),
      await by.get('/passes/%zz'),
      await by.get(`/passes?cursor=${'a'.repeat(9_000)}`),
      await by.get('/me', { headers: { 'x-long': 'a'.repeat(17_000) } }),
      await by.post('/passes', `"${'a'.repeat(1_100_000)}"`),
      await by.post('/passes', 'a=b', { headers: { 'content-type': 'text/plain' } }),
      await by.post('/passes', '{"title":'),
      await world.anyone.get('/me'),
    ];
    for (const { status, text } of replies) assert.ok(status >= 400 && status < 500, text);
    for (const { headers } of replies) assert.match(headers.get('content-type') ?? '', /^application\/json/);
  },
  'Clients branch on code': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    // Four refusals with the same status: nothing but the code says which it is.
    const replies = [
      await by.post('/loyalty/points', { passId, identifier: 'ada', points: 1 }),
      await by.post('/passes', {}),
      await by.post(`/passes/${passId}/instances`, { fields: { title: 'Mine' } }),
      await by.post(`/passes/${passId}/instances`, { fields: { tire: 'Gold' } }),
    ];
    assert.deepEqual(
      replies.map(({ status, body }) => `${status} ${body.code}`),
      ['400 no_loyalty_program', '400 invalid_request', '400 template_owned_field', '400 unknown_field_key'],
    );
  },
  'Code values never change meaning and are only added to': assertCodesKept,
});

export const errorsOfAccess = part(import.meta.url, '7. Errors: who calls, and how', {
  'missing_authorization, 401: No Bearer token in the Authorization header': async (world) => {
    assertRefused(await world.anyone.get('/passes'), 401, 'missing_authorization');
  },
  'invalid_api_key, 401: Key unknown': async (world) => {
    const unknown = world.anyone.as(`pk_live_${'a'.repeat(36)}`);
    assertRefused(await unknown.get('/passes'), 401, 'invalid_api_key');
    assertRefused(await postPass(unknown), 401, 'invalid_api_key');
  },
  'invalid_api_key, 401: Key revoked': async (world) => {
    assertRefused(await (await revoked(world)).get('/passes'), 401, 'invalid_api_key');
    assertRefused(await postPass(await revoked(world)), 401, 'invalid_api_key');
  },
  'forbidden, 403: Resource belongs to another account': async (world) => {
    const { passId } = await makePass(await world.shop());
    assertRefused(await (await world.stranger()).get(`/passes/${passId}`), 403, 'forbidden');
  },
  'invalid_request, 400: Malformed body or parameters': async (world) => {
    const by = await world.shop();
    const replies = [
      await by.post('/passes', '{"title":'),
      await by.post('/passes', '[]'),
      await by.post('/passes', 'null'),
      await by.post('/passes', { title: 5, type: 'loyalty' }),
      await by.post('/passes', { title: 'Tea', type: 'loyalty', colour: 'red' }),
      await by.get('/passes?limit=0'),
      await by.get('/passes?limit=many'),
      await by.get('/passes?cursor=mine'),
    ];
    for (const reply of replies) assertRefused(reply, 400, 'invalid_request');
  },
  'invalid_request: the message says what to fix': async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const wrong: [name: string, body: object][] = [
      ['title', { type: 'loyalty' }],
      ['type', { title: 'Tea', type: 'season ticket' }],
      ['colour', { title: 'Tea', type: 'loyalty', colour: 'red' }],
      [
        'fields',
        { title: 'Tea', type: 'loyalty', fields: [{ key: 'A tier', label: 'Tier', section: 'back' }] },
      ],
    ];
    for (const [name, body] of wrong) assert.match((await by.post('/passes', body)).body.error, named(name));
    assert.match((await by.get('/passes?limit=0')).body.error, named('limit'));
    const points = await by.post('/loyalty/points', { passId, identifier: 'ada', points: '5' });
    assert.match(points.body.error, named('points'));

    function named(name: string): RegExp {
      return new RegExp(`\\b${name}\\b`);
    }
  },
  'insufficient_credits, 402: Not enough credits': async (world) => {
    const { by } = await world.newWorkspace('pro', 0);
    const card = await makeCard(by, (await makePass(by)).passId);
    await world.install(card);
    assertRefused(await by.post(`/instances/${card.instanceId}/push`), 402, 'insufficient_credits');
    const message = await by.post(`/passes/${card.passId}/messages`, { text: 'Hello' });
    assertRefused(message, 402, 'insufficient_credits');
  },
  'insufficient_scope, 403: Key is read-only or restricted to other passes': async (world) => {
    const by = await world.shop();
    const [one, other] = [await makePass(by), await makePass(by)];
    const reader = (await makeKey(by, { access: 'read' })).holder;
    const restricted = (await makeKey(by, { passIds: [one.passId] })).holder;
    assertRefused(await postPass(reader), 403, 'insufficient_scope');
    assertRefused(await restricted.get(`/passes/${other.passId}`), 403, 'insufficient_scope');
  },
  'rate_limited, 429: Request rate exceeded for this API key': async (world) => {
    const by = await world.shop();
    const { holder } = await makeKey(by, { rateLimit: 1 });
    assertRefused(await exceedRate(holder), 429, 'rate_limited');
    assert.equal((await by.get('/me', { impatient: true })).status, 200, 'another key is not slowed down');
  },
  'rate_limited: Retry-After header indicates when to retry': async (world) => {
    const { holder } = await makeKey(await world.shop(), { rateLimit: 1 });
    await sleep(secondsOf(await exceedRate(holder)) * 1_000);
    bodyOf(await holder.get('/me', { impatient: true }), 200);
  },
  'internal_error, 500: Failure on the service side': needing('its own service', async (world) => {
    const by = await world.shop();
    await world.own.withoutDatabase(async () => {
      extrasOf(await by.get('/passes'), 500, 'internal_error');
      extrasOf(await by.post('/partners', { name: 'Harbour' }), 500, 'internal_error');
    });
    bodyOf(await by.get('/passes'), 200);
  }),
  'internal_error carries retryable: true when a retry is safe': needing('its own service', async (world) => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const safe = await loseCommit(world, () =>
      by.post(`/passes/${passId}/instances`, { externalRef: randomUUID() }),
    );
    assertRefused(safe, 500, 'internal_error', { retryable: true });
    // It is unknown whether it was done, and nothing would keep it from being done twice.
    const unsafe = await loseCommit(world, () => by.post('/partners', { name: 'Harbour' }));
    assertRefused(unsafe, 500, 'internal_error');
  }),
});

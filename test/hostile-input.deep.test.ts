import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';

import { routes } from '../src/routes.ts';
import type { Client, Reply } from './client.ts';
import { makeCard, makeKey, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';
import { hostileMoments, hostileStrings } from './hostile-strings.ts';
import { bodySchemaOf, over, placesOf } from './text-places.ts';

/** Every text that a client can send, in every place, must be taken or refused, and never be a 5xx. */
const app = await startTestApp({ DATABASE_POOL: '50' });
let client: Client;
let ids: Record<string, string>;

/** A fresh workspace for each route, so that what one leaves behind does not slow down the next. */
async function prepare(): Promise<void> {
  let workspaceId: string;
  ({ client, workspaceId } = await app.newWorkspace());
  const pass = await makePass(client, { barcode: { mode: 'simple', value: 'CLUB' } });
  const card = await makeCard(client, pass.passId);
  const { key } = await makeKey(client);
  const partner = (await client.post('/partners', { name: 'Harbour' })).body;
  ids = {
    workspaceId,
    passId: pass.passId,
    instanceId: card.instanceId,
    partnerId: partner.partnerId,
    keyId: key.keyId,
    token: card.links.add.split('/').at(-1),
  };
}

const pathOf = (path: string, replaced: Record<string, string> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => replaced[name] ?? ids[name] ?? 'x');

function assertNoFault(reply: Reply, what: string): void {
  assert.ok(reply.status < 500, `${what}: ${reply.status} ${reply.text}`);
}

/** On a busy machine a statement may take too long for once: what says that it may be sent again is, some times. */
async function answered(send: () => Promise<Reply>): Promise<Reply> {
  let reply = await send();
  for (let attempt = 0; attempt < 5 && reply.status === 500 && reply.body.retryable === true; attempt += 1)
    reply = await send();
  return reply;
}

const quoted = (text: string) => JSON.stringify(text).slice(0, 80);
const inUrl = (text: string) => encodeURIComponent(text).slice(0, 7_000);

/** A refund may come before its order, whatever that is called. */
const mayBeEarly = new Set(['refundOrder', 'cancelOrder']);

for (const { method, path, access, endpoint } of routes) {
  describe(`${method} ${path} bears hostile texts`, () => {
    const { body, query, params, idempotent, example } = endpoint;
    const send = (local: string, json: unknown, headers = {}) =>
      answered(() => (access === 'operator' ? app.operator : client).send(method, local, json, { headers }));
    before(prepare);

    for (const place of placesOf(bodySchemaOf(endpoint))) {
      it(`in ${place.path}`, async () => {
        const texts = place.isMoment ? hostileMoments : hostileStrings;
        const replies = texts.map((text) => send(pathOf(path), over(example ?? {}, place.with(text))));
        for (const [at, reply] of (await Promise.all(replies)).entries()) {
          assertNoFault(reply, `${place.path} = ${quoted(texts[at] ?? '')}`);
          for (const { status } of reply.body.results ?? []) assert.ok(status < 500, reply.text);
        }
      });
    }

    for (const name of Object.keys(query?.properties ?? {})) {
      it(`in the query parameter ${name}`, async () => {
        const texts = [...hostileStrings, ...hostileMoments];
        const replies = texts.map((text) => send(`${pathOf(path)}?${name}=${inUrl(text)}`, undefined));
        for (const [at, reply] of (await Promise.all(replies)).entries())
          assertNoFault(reply, `${name} = ${quoted(texts[at] ?? '')}`);
      });
    }

    for (const name of Object.keys(params?.properties ?? {})) {
      it(`in the path parameter ${name}`, async () => {
        const texts = hostileStrings.filter((one) => one !== '');
        const replies = texts.map((text) =>
          send(pathOf(path, { [name]: inUrl(text) }), body && (example ?? {})),
        );
        for (const [at, reply] of (await Promise.all(replies)).entries()) {
          assertNoFault(reply, `${name} = ${quoted(texts[at] ?? '')}`);
          const isEmpty = method === 'GET' && reply.status === 204;
          const isFound = reply.status < 300 && !isEmpty && !mayBeEarly.has(endpoint.op);
          assert.ok(!isFound, `${quoted(texts[at] ?? '')} was found`);
        }
      });
    }

    if (idempotent === true) {
      it('in Idempotency-Key', async () => {
        // The others are no header values at all: clients refuse to send them.
        for (const text of hostileStrings.filter((one) => /^[\x20-\x7e\xa0-\xff]{1,300}$/.test(one))) {
          const reply = await send(pathOf(path), example, { 'idempotency-key': text });
          assertNoFault(reply, `Idempotency-Key: ${text}`);
        }
      });
    }
  });
}

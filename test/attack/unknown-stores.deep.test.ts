import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawClient } from '../../src/kit/http/server/raw-client.fixture.ts';
import { encodeId, newUuidV7 } from '../../src/kit/ids.ts';
import { connectShop, connectStore, signatureOf } from '../../src/stores/stores.fixture.ts';
import { startTestApp } from '../harness.ts';

/**
 * A sender of webhooks has shown nothing yet, and must not find out which stores there are: a store that does not exist
 * answers what one answers that exists and has not signed, after as much of the body.
 */
const app = await startTestApp({ WORKERS: 'off' });
const { client } = await app.newWorkspace();
const disconnected = await connectShop(client);
await client.delete(`/stores/${disconnected.storeId}`);
const known: Readonly<Record<string, string>> = {
  shopify: (await connectStore(client)).storeId,
  custom: (await connectShop(client)).storeId,
  disconnected: disconnected.storeId,
};
const unknown = [encodeId('store', newUuidV7()), 'store_O0l', 'x'];

interface Call {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const wrong = signatureOf('{}', 'a secret of no store');
const bySignature = ['x-shopify-hmac-sha256', 'x-wc-webhook-signature', 'x-signature'].map(
  (name) => [`signed in ${name}`, { headers: { ...json, [name]: wrong }, body: '{"id":1}' }] as const,
);
const calls: Readonly<Record<string, Call>> = {
  ...Object.fromEntries(bySignature),
  'signed in each way': {
    headers: {
      ...json,
      'x-shopify-hmac-sha256': wrong,
      'x-wc-webhook-signature': wrong,
      'x-signature': wrong,
    },
    body: '{}',
  },
  unsigned: { headers: json, body: '{}' },
  'signed with garbage': {
    headers: { ...json, 'x-signature': 'x', 'x-shopify-hmac-sha256': 'y' },
    body: '{}',
  },
  long: { headers: { ...json, 'x-signature': wrong }, body: 'x'.repeat(200_000) },
  'too long': { headers: { ...json, 'x-signature': wrong }, body: 'x'.repeat(5_300_000) },
  'a trial call': { headers: form, body: 'webhook_id=7' },
  'no trial call': { headers: form, body: 'webhook_id=7&x=1' },
  'of another type': { headers: { 'content-type': 'text/plain' }, body: '{}' },
};

/** The answer, and whether the body was asked for, without what differs each time. */
async function answerTo(storeId: string, { headers, body }: Call): Promise<object> {
  const raw = new RawClient(Number(new URL(app.url).port));
  const lines = Object.entries({
    host: 'a',
    ...headers,
    expect: '100-continue',
    'content-length': body.length,
  });
  raw.send(
    `POST /stores/${storeId}/webhooks HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  let isAnswered = false;
  const answering = raw.answer('POST').finally(() => {
    isAnswered = true;
  });
  // One of both comes for certain: the answer, or that the body is wanted.
  while (!isAnswered && !raw.isContinued) await sleep(5);
  if (raw.isContinued) raw.send(body);
  const answer = await answering;
  raw.destroy();
  assert.ok(answer);
  const { date: _, ratelimit: __, 'x-request-id': ___, ...kept } = answer.headers;
  const { requestId: ____, ...said } = JSON.parse(answer.body);
  return { status: answer.status, headers: kept, said, isContinued: raw.isContinued };
}

describe('a webhook to a store that does not exist', () => {
  for (const [what, call] of Object.entries(calls))
    it(`is answered like one to a store that does, ${what}`, async () => {
      const [first = {}, ...others] = await Promise.all(
        [...Object.values(known), ...unknown].map((storeId) => answerTo(storeId, call)),
      );
      for (const other of others) assert.deepEqual(other, first);
    });
});

import assert from 'node:assert/strict';
import { isBodyRequired } from '../src/kit/http/endpoints/body-parts.ts';
import type { routes } from '../src/routes.ts';
import { assertRefused, type Client } from './client.ts';
import type { Request } from './scenarios/scenario.ts';

type ApiRoute = (typeof routes)[number];

/** Routes that speak a foreign protocol: wallets, stores, browsers' forms and scripts. */
const foreign: readonly string[] = ['public', 'signed', 'probe'];

/** Whether a route may change something for a caller who has shown who it is. */
export function isOurWrite({ method, access }: ApiRoute): boolean {
  return method !== 'GET' && !foreign.includes(access);
}

/** Whether a request to it may come without a body. */
export function needsNoBody({ endpoint: { body, accepts } }: ApiRoute): boolean {
  return body === undefined ? accepts === undefined : !isBodyRequired(body);
}

/** No body, an empty one and `{}` are one request; a property that is not known is refused by its name. */
export async function assertTakesNoBody(
  client: Client,
  route: ApiRoute,
  requestOf: () => Promise<Request>,
): Promise<void> {
  const { method, path, endpoint } = route;
  const json = { 'content-type': 'application/json' };
  const ways: [name: string, body: string | undefined, headers: Record<string, string>][] = [
    ['none', undefined, {}],
    ['none, called JSON', undefined, json],
    ['empty', '', json],
    ['{}', '{}', json],
    ['{} in UTF-8', ' {\n} ', { 'content-type': 'application/json; charset=utf-8' }],
  ];
  const example = await requestOf();
  // Of some the properties may all be left out, but not together.
  const isEnough = Object.keys(example.body ?? {}).length === 0;
  for (const [name, body, headers] of ways) {
    const request = await requestOf();
    const reply = await (request.client ?? client).send(method, request.path ?? path, body, { headers });
    if (isEnough) assert.equal(reply.status, request.status ?? 200, `${name}: ${reply.text}`);
    else assert.notEqual(reply.status, 415, `${name}: ${reply.text}`);
    if (!isEnough && reply.status === 400) assert.doesNotMatch(reply.body.error, /no body/, name);
  }
  const { path: url = path, client: its } = await requestOf();
  const as = its ?? client;
  assertRefused(await as.send(method, url, { surprise: 1 }), 'invalid_request', /surprise/);
  assertRefused(await as.send(method, url, []), 'invalid_request');
  if (endpoint.body !== undefined) return;
  assert.equal((await sendUntyped(as, method, url, '{"surprise":1}')).code, 'invalid_request');
  const { path: fresh = path, status = 200, client: last } = await requestOf();
  assert.equal((await sendUntyped(last ?? client, method, fresh, '{}')).status, status, '{} without a type');
}

/** A body without a content type, which a client never sends by mistake. */
async function sendUntyped(client: Client, method: string, path: string, body: string) {
  const answer = await fetch(`${client.url}${path}`, {
    method,
    headers: {
      ...client.headers,
      ...(client.secret !== null && { authorization: `Bearer ${client.secret}` }),
    },
    body: Buffer.from(body),
  });
  const text = await answer.text();
  return { status: answer.status, code: text === '' ? undefined : JSON.parse(text).code };
}

/**
 * A repeat with the same Idempotency-Key is answered with the same status and bytes; a key that would not be kept is
 * refused. `restricted` does not reach what the request names, and is shown no replay.
 */
export async function assertKeepsKey(
  client: Client,
  route: ApiRoute,
  request: Request,
  restricted: Client | null,
): Promise<void> {
  const { method, path, endpoint } = route;
  const { path: url = path, body, contentType, status = 200 } = request;
  const type: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
  const send = (caller: Client, key: string) =>
    caller.send(method, url, body, { headers: { ...type, 'idempotency-key': key } });
  const ref = body?.externalRef ?? body?.awards?.[0]?.externalRef;
  const key = ref ?? `key of ${endpoint.op}`;
  const first = await send(client, key);
  if (endpoint.idempotent !== true) {
    assertRefused(first, 'invalid_request', /Idempotency-Key/);
    return;
  }
  assert.equal(first.status, status, first.text);
  const repeat = await send(client, key);
  assert.equal(repeat.status, first.status, repeat.text);
  if (status >= 300) return;
  // A list of results says of each item what its outcome is now.
  if (first.body?.results === undefined) assert.equal(repeat.text, first.text);
  assertRefused(await send(client, 'one, two'), 'invalid_request', /Idempotency-Key/);
  if (restricted !== null) assertRefused(await send(restricted, key), 'insufficient_scope');
}

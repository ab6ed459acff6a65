import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpVerbs, type Json, type Reply, sendJson } from '../http-verbs.ts';

export type { Reply };

interface Extras {
  readonly headers?: Readonly<Record<string, string>>;
  /** Takes a 429 for an answer; otherwise it is waited as long as Retry-After says, and sent again. */
  readonly impatient?: boolean;
}

/**
 * Speaks HTTP to an installation, with a key or without, and holds each answer against what all answers have. The body
 * is null where there is no JSON.
 */
export class Caller extends HttpVerbs<Extras> {
  readonly #base: string;
  readonly #secret: string | null;

  /** `base` is what stands before the path of an operation. */
  constructor(base: string, secret: string | null) {
    super();
    this.#base = base;
    this.#secret = secret;
  }

  /** The same installation with another key, or none. */
  as(secret: string | null): Caller {
    return new Caller(this.#base, secret);
  }

  async send(method: string, path: string, body?: unknown, extras: Extras = {}): Promise<Reply> {
    for (;;) {
      const url = `${this.#base}${path}`;
      const reply = await read(await sendJson(url, method, this.#secret, body, extras.headers));
      assert.ok(reply.headers.get('x-request-id'), `${method} ${path} answered without X-Request-Id`);
      if (reply.status >= 400) assertErrorBody(reply);
      if (reply.status !== 429 || extras.impatient === true) return reply;
      await sleep(secondsOf(reply) * 1_000);
    }
  }
}

/** How long a refusal for too many requests asks to wait: at least a second. */
export function secondsOf({ headers }: Reply): number {
  const text = headers.get('retry-after') ?? '';
  assert.match(text, /^[1-9]\d*$/, 'Retry-After of a 429');
  return Number(text);
}

async function read(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const body = isJson && text !== '' ? JSON.parse(text) : null;
  return { status: response.status, headers: response.headers, body, text };
}

/** Part 2: the fields that every error body has, and that the header repeats. */
function assertErrorBody({ status, headers, body, text }: Reply): void {
  assert.ok(body !== null, `a ${status} without a JSON body: ${text}`);
  for (const field of ['error', 'code', 'requestId'])
    assert.ok(typeof body[field] === 'string' && body[field] !== '', `a ${status} without ${field}: ${text}`);
  assert.equal(body.requestId, headers.get('x-request-id'), 'requestId is that of the header');
}

/** Fails unless it is this refusal; returns the fields of its body besides the three that all have, and `problems`, an addition of ours. */
export function extrasOf({ status, body, text }: Reply, expected: number, code: string): Json {
  assert.deepEqual([status, body?.code], [expected, code], text);
  const { error: _error, code: _code, requestId: _requestId, problems, ...extras } = body;
  assert.equal(Array.isArray(problems), code === 'invalid_request', text);
  return extras;
}

/** Fails unless it is this refusal, with these fields besides the three that all have, and no others. */
export function assertRefused(reply: Reply, status: number, code: string, extras: object = {}): void {
  assert.deepEqual(extrasOf(reply, status, code), extras, reply.text);
}

/** The body of an answer that has this status. */
export function bodyOf(reply: Reply, status: number): Json {
  assert.equal(reply.status, status, reply.text);
  return reply.body;
}

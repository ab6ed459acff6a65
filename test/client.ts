import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '../src/errors.ts';
import { Problem } from '../src/kit/http/schemas/problems.ts';
import { validatorOf } from '../src/kit/http/schemas/validation.ts';
import { assertAnswer, assertDeclared } from './answer-schema.ts';
import { HttpVerbs, type Json, type Reply } from './http-verbs.ts';
import { sendPlain } from './send-plain.ts';

export type { Json, Reply };

interface Extras {
  readonly headers?: Record<string, string>;
}

/**
 * Speaks HTTP to a service under test and holds every answer against the declared schemas. As a client should, it sends
 * again what a busy service refused, after the time of its answer: a slow machine makes no test fail, and a
 * service that refuses for a minute does. A body that is no JSON comes as bytes.
 */
export class Client extends HttpVerbs<Extras> {
  readonly url: string;
  readonly publicUrl: string;
  readonly secret: string | null;
  /** What every request has, such as the cookie of a session. */
  readonly headers: Record<string, string>;
  readonly #isPatient: boolean;

  constructor(
    url: string,
    publicUrl: string,
    secret: string | null,
    isPatient = true,
    headers: Record<string, string> = {},
  ) {
    super();
    this.headers = headers;
    this.url = url;
    this.publicUrl = publicUrl;
    this.secret = secret;
    this.#isPatient = isPatient;
  }

  /** The same service with another key, or none. */
  as(secret: string | null): Client {
    return new Client(this.url, this.publicUrl, secret, this.#isPatient);
  }

  /** The same without a key, and with these headers on top of its own. */
  with(headers: Record<string, string>): Client {
    return new Client(this.url, this.publicUrl, null, this.#isPatient, { ...this.headers, ...headers });
  }

  /** The same, for a test of how the service refuses: 503 is an answer like any other. */
  get impatient(): Client {
    return new Client(this.url, this.publicUrl, this.secret, false, this.headers);
  }

  async send(method: string, path: string, body?: unknown, extras: Extras = {}): Promise<Reply> {
    for (let shownSeconds = 0; ; ) {
      const reply = await this.#sendOnce(method, path, body, extras);
      if (!this.#isPatient || reply.body.code !== 'overloaded') return reply;
      const seconds = Number(reply.headers.get('retry-after'));
      // A time of zero counts too, or it would go on for ever.
      shownSeconds += Math.max(seconds, 1);
      const what = `${method} ${path} was still refused after ${shownSeconds} s of waits: ${reply.body.error}`;
      assert.ok(shownSeconds <= mostShownSeconds, what);
      await sleep(seconds * 1_000);
    }
  }

  async #sendOnce(method: string, path: string, body: unknown, extras: Extras): Promise<Reply> {
    const local = path.startsWith(this.publicUrl) ? path.slice(this.publicUrl.length) : path;
    const headers = { ...this.headers, ...extras.headers };
    const response = await sendPlain(`${this.url}${local}`, method, this.secret, body, headers);
    const { bytes } = response;
    const json = response.headers.get('content-type')?.startsWith('application/json') === true;
    const text = bytes.toString('utf8');
    const reply = {
      status: response.status,
      headers: response.headers,
      body: json && text !== '' ? JSON.parse(text) : bytes,
      text,
    };
    assert.ok(response.headers.get('x-request-id'), `${method} ${local}: no X-Request-Id`);
    assertHeaders(reply, `${method} ${local}`);
    const sent = `${local} ${JSON.stringify(body)}`;
    if (response.status >= 400 && json) this.#checkError(method, local, reply, sent);
    else assertAnswer(method, local, reply);
    return reply;
  }

  /** The contract's error body, with a code that the operation declares and the status that belongs to it. */
  #checkError(method: string, path: string, { status, headers, body }: Reply, sent: string): void {
    assert.equal(typeof body.error, 'string');
    if (!/\\t|%09/.test(sent))
      assert.doesNotMatch(body.error, /\t/, 'a key of our own, which the caller has not sent');
    assert.equal(body.requestId, headers.get('x-request-id'));
    const known = errors[body.code as keyof typeof errors];
    assert.ok(known, `unknown code ${body.code}`);
    // The one code of the contract that has two statuses.
    const isInactive = body.code === 'pass_not_found' && path.endsWith('/orders/process') && status === 400;
    if (!isInactive) assert.equal(status, known[0], `${body.code} with status ${status}: ${body.error}`);
    assertDeclared(method, path, body.code);
  }
}

/** What a service may ask a client to wait in all: a machine that is merely busy comes nowhere near it. */
const mostShownSeconds = 60;

/** Every 503 says when to come again; every 401 how to prove who calls; every page is in no frame, and its address in no referrer. */
function assertHeaders({ status, headers }: Reply, what: string): void {
  if (status === 503) assert.match(headers.get('retry-after') ?? '', /^\d+$/, what);
  if (status === 401) assert.match(headers.get('www-authenticate') ?? '', /^\w+ realm="/, what);
  if (headers.get('content-type')?.startsWith('text/html') !== true) return;
  assert.match(
    headers.get('content-security-policy') ?? '',
    /frame-ancestors (?:'none'|'self' https:)/,
    what,
  );
  assert.match(headers.get('referrer-policy') ?? '', /^(no-referrer|same-origin)$/, what);
}

/** Fails unless the answer is the refusal with this code, its message matches and its extra fields are these. */
export function assertRefused(
  { body }: Reply,
  code: keyof typeof errors,
  message: RegExp = /./,
  extra: Record<string, unknown> = {},
): void {
  const { error, code: found, requestId: _, ...more } = body;
  const { problems, ...rest } = code === 'invalid_request' ? more : { ...more, problems: undefined };
  if (code === 'invalid_request') assertProblems(problems);
  assert.equal(found, code, error);
  assert.match(error, message);
  assert.deepEqual(rest, extra);
}

/** Fails unless these are the problems of a refusal, in the form that is promised to programs. */
function assertProblems(problems: unknown): asserts problems is readonly Problem[] {
  assert.ok(Array.isArray(problems) && problems.length > 0, 'invalid_request has problems');
  for (const problem of problems)
    assert.ok(isProblem(problem), `a problem in its documented form: ${JSON.stringify(problem)}`);
}

const isProblem = validatorOf(Problem);

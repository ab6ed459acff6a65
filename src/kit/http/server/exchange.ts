import {
  type IncomingMessage,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../api-error.ts';
import type { Arrival, ArrivingBodies, Sender } from '../capacity/arriving-bodies.ts';
import type { ConcurrencyLimit } from '../capacity/concurrency-limit.ts';
import type { InFlight } from '../capacity/in-flight.ts';
import { addressBucket } from '../endpoints/client-address.ts';
import type { Route } from '../endpoints/endpoint.ts';
import { sentKey } from '../endpoints/headers.ts';
import type { AnswerFacts } from './answer-facts.ts';
import { clientGone } from './refusals.ts';
import type { RoutePlan } from './route-plan.ts';
import type { Site } from './site.ts';

/** What is known about a request before its body is read, for the decision whether to serve it. */
export interface Admission {
  readonly requestId: string;
  /** The client's address; behind a trusted proxy the one that the proxy names. */
  readonly ip: string;
  readonly method: string;
  /** Path and query, without a leading version. It may hold secrets: never log it. */
  readonly url: string;
  /** Null when no operation has this path and method. */
  readonly route: Route<unknown> | null;
  readonly headers: IncomingMessage['headers'];
  /** Every Authorization header in the order sent; `headers` holds only the first. */
  readonly authorizations: readonly string[];
  /** The caller, for the listeners of answers: `admit` sets it, also before it refuses. */
  knownAs: unknown;
  /** Aborts when the client has gone, or has its answer. */
  readonly signal: AbortSignal;
  /** Sets a header of the answer, whatever the answer will be. Throws a TypeError for what no header may hold. */
  setHeader(name: string, value: string): void;
}

/** A page, and the headers that belong to it. */
export interface AnswerPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What all requests of one server share. */
export interface Core {
  admit(admission: Admission): Promise<unknown>;
  generateRequestId(): string;
  /** The page of an error; null where the application has no pages. */
  errorPage(error: ApiError, requestId: string, acceptLanguage: string | undefined): AnswerPage | null;
  /** Pages and files besides the API; null where the application has none. */
  readonly site: Site | null;
  /** Called once per request, when its answer is out. */
  answered(facts: AnswerFacts): void;
  failed(error: unknown, requestId: string, op: string | null): void;
  /** The name of the caller that `admit` has found; null for an unknown one. */
  callerOf(ctx: unknown): string | null;
  readonly inFlight: InFlight;
  readonly arriving: ArrivingBodies;
  readonly maxInFlight: number;
  readonly concurrency: ConcurrencyLimit;
  draining: boolean;
}

/** One request and its answer. */
export class Exchange implements Admission {
  readonly core: Core;
  readonly requestId: string;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Null when no operation has this path and method. */
  readonly plan: RoutePlan | null;
  readonly request: FastifyRequest | null;
  readonly startedAt = performance.now();
  /** Lower-case headers that every answer to this request carries. */
  readonly answerHeaders: Record<string, string>;
  ctx: unknown;
  knownAs: unknown;
  code: string | null = null;
  message: string | null = null;
  answer: unknown;
  place = -1;
  /** The rest of the request will never arrive. */
  isBroken = false;
  /** The moment at which the socket got the answer; 0 before. */
  answeredAt = 0;
  #isClosed = false;
  #isHandling = false;
  #handledAt = 0;
  #arrival: Arrival | null = null;
  #stream: Readable | null = null;
  #isEndless = false;
  #gone: AbortController | null = null;

  constructor(
    core: Core,
    requestId: string,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    plan: RoutePlan | null,
    request: FastifyRequest | null,
  ) {
    this.core = core;
    this.requestId = requestId;
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.plan = plan;
    this.request = request;
    this.answerHeaders = { 'x-request-id': requestId, 'x-content-type-options': 'nosniff' };
    core.inFlight.add(this);
    carrier(incoming.socket)[EXCHANGE] = this;
    carrier(outgoing)[EXCHANGE] = this;
    outgoing.on('close', onClose);
  }

  get ip(): string {
    return this.request?.ip ?? this.incoming.socket.remoteAddress ?? '';
  }

  get method(): string {
    return this.incoming.method ?? '';
  }

  get url(): string {
    return this.incoming.url ?? '';
  }

  get headers(): IncomingMessage['headers'] {
    return this.incoming.headers;
  }

  get route(): Route<unknown> | null {
    return this.plan?.route ?? null;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get authorizations(): readonly string[] {
    if (this.incoming.headers.authorization === undefined) return NONE;
    return rawHeaderValues(this.incoming.rawHeaders, 'authorization');
  }

  get signal(): AbortSignal {
    this.#gone ??= new AbortController();
    if (this.#isClosed) this.#gone.abort(clientGone());
    return this.#gone.signal;
  }

  setHeader(name: string, value: string): void {
    validateHeaderValue(name, value);
    this.answerHeaders[lowerCased(name)] = value;
  }

  /** The caller whose share of the server it takes. */
  get sender(): Sender {
    const name = this.core.callerOf(this.ctx);
    return name === null ? { name: addressBucket(this.ip), isKnown: false } : { name, isKnown: true };
  }

  /** Waits for the rest of the body; calls `onLate` once to give the body up. Null when all of it is here. */
  awaitBody(onLate: () => void): Arrival | null {
    if (isHere(this.incoming)) return null;
    this.#arrival = this.core.arriving.wait(this.incoming, this.sender, onLate);
    return this.#arrival;
  }

  /** The request counts as in flight until its handler has ended too, even when the client has gone. */
  handling(isHandling: boolean): void {
    this.#isHandling = isHandling;
    if (isHandling) this.#handledAt = performance.now();
    if (this.plan?.hasOwnLimits === false) {
      const { name, isKnown } = this.sender;
      if (isHandling) this.core.concurrency.enter(name, isKnown ? sentKey(this.incoming) : null);
      else this.core.concurrency.leave(name, performance.now() - this.#handledAt);
    }
    if (!isHandling && this.#isClosed) this.core.inFlight.delete(this);
  }

  /**
   * Sends the body piece by piece up to its end; a stream of events has no end of its own. The headers are written
   * before.
   */
  startStream(body: Readable, isEndless: boolean): void {
    const { outgoing } = this;
    this.#stream = body;
    this.#isEndless = isEndless;
    if (isEndless) this.core.inFlight.streams += 1;
    body.on('error', (error) => this.core.failed(error, this.requestId, this.plan?.op ?? null));
    body.on('close', () => {
      if (!outgoing.writableEnded) outgoing.destroy();
    });
    body.pipe(outgoing);
  }

  /** Ends an endless body properly. A body with an end must not look complete before it. */
  endStream(): void {
    if (this.#stream === null || !this.#isEndless) return;
    this.#stream.unpipe(this.outgoing);
    this.outgoing.end();
    this.#stream.destroy();
  }

  /** Closes the connection when its client has not taken the answer for `limitMs`, or stopped taking a stream. */
  sweep(now: number, limitMs: number): void {
    if (this.#stream !== null && !this.outgoing.writableNeedDrain) this.answeredAt = now;
    if (this.answeredAt > 0 && now - this.answeredAt > limitMs) this.incoming.socket.destroy();
  }

  /** The answer is out, or its client is gone. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#gone?.abort(clientGone());
    // Node reports no error of a body that breaks off when its request is answered.
    this.#arrival?.end();
    if (this.#isEndless) this.core.inFlight.streams -= 1;
    this.#stream?.destroy();
    if (!this.#isHandling) this.core.inFlight.delete(this);
    if (!this.incoming.complete) this.core.arriving.discard(this.incoming, this.sender);
    // An idle connection must not keep the last request and its body in memory.
    const { socket } = this.incoming;
    if (this.incoming.complete && lastExchange(socket) === this) carrier(socket)[EXCHANGE] = undefined;
    this.core.answered({
      requestId: this.requestId,
      op: this.plan?.op ?? null,
      method: this.method,
      path: this.plan?.route.path ?? null,
      status: this.outgoing.headersSent ? this.outgoing.statusCode : CLIENT_WENT_AWAY,
      code: this.code,
      ms: performance.now() - this.startedAt,
      message: this.message,
      ctx: this.ctx,
      knownAs: this.knownAs,
      params: this.request?.params,
      body: this.request?.body,
      answer: this.answer,
    });
  }
}

/** The newest request that arrived on a connection. */
export function lastExchange(socket: Socket): Exchange | undefined {
  return carrier(socket)[EXCHANGE];
}

/** The client's id where it is 1–64 of letters, digits, `.`, `_`, `-`; a new one otherwise. Nothing else is echoed. */
export function requestIdOf(incoming: IncomingMessage, generate: () => string): string {
  // Node joins several headers with a comma, which no valid id holds.
  const sent = incoming.headers['x-request-id'];
  return typeof sent === 'string' && CLIENT_REQUEST_ID.test(sent) ? sent : generate();
}

/** All values of a header as they were sent; `name` in lower case. */
export function rawHeaderValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const key = rawHeaders[index] ?? '';
    if (key.length === name.length && key.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/** Names of headers are written in the program: there are a few. */
const lowerCasedNames = new Map<string, string>();

function lowerCased(name: string): string {
  let lower = lowerCasedNames.get(name);
  if (lower === undefined) {
    validateHeaderName(name);
    lower = name.toLowerCase();
    lowerCasedNames.set(name, lower);
  }
  return lower;
}

/** Most bodies come with their heads: Node holds the last bytes before it calls the request complete. */
function isHere({ complete, headers, readableLength }: IncomingMessage): boolean {
  return complete || (readableLength > 0 && readableLength === Number(headers['content-length']));
}

const EXCHANGE = Symbol('exchange');
const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const CLIENT_WENT_AWAY = 499;
const NONE: readonly string[] = [];

function carrier(object: Socket | ServerResponse): { [EXCHANGE]?: Exchange | undefined } {
  return object as { [EXCHANGE]?: Exchange | undefined };
}

function onClose(this: ServerResponse): void {
  carrier(this)[EXCHANGE]?.close();
}

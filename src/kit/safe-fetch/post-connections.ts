import { isIP, type Socket, connect as tcp } from 'node:net';
import { connect as tls } from 'node:tls';
import { Agent, type Dispatcher, errors } from 'undici';
import { bareHost } from '../bare-host.ts';
import { FetchRefused } from './check-url.ts';
import { answerWith, checkPeerOf } from './open-url.ts';
import type { Visits } from './visits.ts';

/** A message to a URL that was checked. */
export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What has come of it: its body follows the rest. */
export interface PostedAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The first bytes of the body. */
  readonly beginning: Promise<Buffer>;
}

interface Options {
  readonly visits: Visits;
  /** A host has so many connections; further messages wait for one of these, in their time. */
  readonly connections: number;
  /** How long one is kept without a message. */
  readonly keptMs: number;
  /** How many bytes of an answer are kept, and of those as many as come within a time. */
  readonly beginning: { readonly bytes: number; readonly ms: number };
}

/** Connections to the hosts of strangers, by which messages are posted; nothing is followed, decompressed or sent twice. */
export interface PostConnections {
  /** Posts a message. Raises what has gone wrong before the status has arrived, or the signal's reason. */
  post(message: Post, signal: AbortSignal): Promise<PostedAnswer>;
}

/**
 * Makes them with undici's dispatcher, which costs half of what Node's own client does. Of undici there is only what
 * speaks HTTP on a connection: that leads to an address that was checked, and its peer is checked before anything is said.
 */
export function createPostConnections(options: Options): PostConnections {
  const { visits, connections, keptMs } = options;
  const agent = new Agent({
    connect: ({ protocol, host }, done) => {
      const url = new URL(`${protocol}//${host}`);
      visits
        .inTime((signal) => connectTo(url, visits, signal))
        .then(
          (socket) => done(null, socket),
          (error) => done(error, null),
        );
    },
    connections,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: keptMs,
    keepAliveMaxTimeout: keptMs,
    // Whoever posts has a time limit of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    post: ({ url, headers, body }, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const call = new Call(options.beginning, resolve, reject);
        signal.addEventListener('abort', () => call.abort(signal.reason));
        const path = url.pathname + url.search;
        agent.dispatch({ origin: url.origin, path, method: 'POST', headers, body }, call);
      }),
  };
}

/** A connection to one of the addresses of a checked URL's host. */
async function connectTo(url: URL, visits: Visits, signal: AbortSignal): Promise<Socket> {
  const addresses = await visits.resolve(url, signal);
  signal.throwIfAborted();
  const host = bareHost(url);
  const isPlain = url.protocol === 'http:';
  const options = {
    host,
    port: Number(url.port) || (isPlain ? 80 : 443),
    lookup: answerWith(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
    noDelay: true,
    keepAlive: true,
  };
  // No session of an earlier connection.
  const servername = isIP(host) === 0 ? host : '';
  const socket = isPlain
    ? tcp(options)
    : tls({ ...options, servername, ALPNProtocols: ['http/1.1'], rejectUnauthorized: true });
  checkPeerOf(socket, visits.allowedFor(url));
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => socket.destroy(signal.reason));
    socket.once(isPlain ? 'connect' : 'secureConnect', () => {
      if (!socket.destroyed) resolve(socket);
    });
    socket.on('error', reject);
    socket.once('close', () => reject(closed()));
  });
}

function closed(): FetchRefused {
  return new FetchRefused('unreachable', 'The host closed the connection.');
}

/** So much of an answer beyond what is kept is read along, so that the connection can be used again. */
const longestRest = 64 * 1_024;

/** One message, and its answer as it comes. */
class Call implements Dispatcher.DispatchHandler {
  readonly #limits: Options['beginning'];
  readonly #resolve: (answer: PostedAnswer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #beginning = Promise.withResolvers<Buffer>();
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | null = null;
  #isAborted = false;

  constructor(
    limits: Options['beginning'],
    resolve: (answer: PostedAnswer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Ends it: one that waits for a connection is not sent. */
  abort(reason: Error): void {
    this.#isAborted = true;
    this.#controller?.abort(reason);
    this.#reject(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isAborted) controller.abort(new Error('nobody waits for it any more'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // One that only tells that another follows.
    if (status < 200) return;
    const given = headers['retry-after'];
    const retryAfter = Array.isArray(given) ? given[0] : given;
    this.#timer = setTimeout(() => this.#cut(), this.#limits.ms);
    this.#resolve({ status, retryAfter, beginning: this.#beginning.promise });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#length < this.#limits.bytes) this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length > this.#limits.bytes + longestRest) this.#cut();
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#reject(error instanceof errors.SocketError ? closed() : error);
    // What comes after the status is not worth a failure.
    this.#end();
  }

  #cut(): void {
    this.#end();
    this.#controller?.abort(new Error('that is enough of it'));
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#beginning.resolve(Buffer.concat(this.#chunks).subarray(0, this.#limits.bytes));
  }
}

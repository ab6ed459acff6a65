import type { IncomingHttpHeaders } from 'node:http';
import { isIP, type Socket, connect as tcp } from 'node:net';
import { connect as tls } from 'node:tls';
import { Client, type Dispatcher, Pool } from 'undici';
import { bareHost } from '../bare-host.ts';
import { FetchRefused } from './check-url.ts';
import { type Abortable, type GuardedRequests, refusalOf } from './guarded-requests.ts';
import { answerWith, checkPeerOf } from './open-url.ts';

/** A message to a URL that was checked. */
export interface Post {
  /** Whose connections it may use. */
  readonly key: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether it is sent on a connection that carries nothing else. */
  readonly isAlone: boolean;
}

/** What has come of a message. */
export interface PostedAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The first bytes of the body. */
  readonly beginning: Buffer;
  /** Whether its connection was made for it: nothing on it can be the answer to another message. */
  readonly isFresh: boolean;
}

interface Options {
  readonly requests: GuardedRequests;
  /** How many bytes of an answer are kept, and of those as many as come within a time. */
  readonly beginning: { readonly bytes: number; readonly ms: number };
}

/** Connections to the hosts of strangers, by which messages are posted; nothing is followed, decompressed or sent twice. */
export interface PostConnections {
  /** Posts a message. Raises FetchRefused for what has gone wrong before the status has arrived, or the signal's reason. */
  post(message: Post, signal: AbortSignal): Promise<PostedAnswer>;
}

/**
 * A key has so many connections to an origin; further messages wait for one of these, in their time. One is kept for less
 * time than servers keep it, so that none is used that is being closed.
 */
const perOrigin = { connections: 32, keptMs: 1_000 };
/** Where so many are open, of a key or in all, a connection is closed with its answer. */
const mostOpen = { ofKey: 256, inAll: 2_048 };
/** The bytes of an answer that are read beyond what is kept, so that the connection can be used again. */
const longestRest = 64 * 1_024;
/** A longer message may be answered before all of it has left: its connection carries no other. */
const longestSent = 64 * 1_024;

/**
 * Makes them. A connection belongs to a key and an origin, leads to an address that was checked, and carries one message at a
 * time; its peer is checked before anything is said.
 */
export function createPostConnections({ requests, beginning }: Options): PostConnections {
  const pools = new Map<string, Pool>();
  const open = new Map<string, number>();
  let inAll = 0;
  let alone = 0;

  function count(key: string, more: 1 | -1): void {
    const ofKey = (open.get(key) ?? 0) + more;
    inAll += more;
    if (ofKey === 0) open.delete(key);
    else open.set(key, ofKey);
  }

  async function connect(key: string, url: URL): Promise<Socket> {
    const socket = await requests.inTime((signal) => connectTo(url, requests, signal));
    count(key, 1);
    socket.once('close', () => count(key, -1));
    return socket;
  }

  function poolOf(name: string, key: string, url: URL): Pool {
    const known = pools.get(name);
    if (known !== undefined) return known;
    const pool = new Pool(url.origin, {
      connections: perOrigin.connections,
      pipelining: 1,
      keepAliveTimeout: perOrigin.keptMs,
      keepAliveMaxTimeout: perOrigin.keptMs,
      // A message has one time for all of it, and its answer another.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      connect: (_, done) =>
        void connect(key, url).then(
          (socket) => done(null, socket),
          (error) => done(error, null),
        ),
      factory: (origin, options: Client.Options) => new Line(origin, options),
    });
    const forget = () => {
      const { connected, size } = pool.stats;
      if (connected > 0 || size > 0 || pools.get(name) !== pool) return;
      pools.delete(name);
      void pool.close();
    };
    pool.on('disconnect', forget);
    pool.on('connectionError', forget);
    pools.set(name, pool);
    return pool;
  }

  return {
    post: ({ key, url, headers, body, isAlone }, signal) =>
      new Promise((resolve, reject) => {
        const call = new Call(beginning, { resolve, reject });
        call.detachDeadline = requests.follow(call, signal);
        if (call.isOver) return;
        const isMuch = (open.get(key) ?? 0) >= mostOpen.ofKey || inAll >= mostOpen.inAll;
        const name = `${key} ${url.origin}${isAlone ? ` ${++alone}` : ''}`;
        const path = url.pathname + url.search;
        const reset = isAlone || isMuch || body.length > longestSent;
        poolOf(name, key, url).dispatch(
          { method: 'POST', path, headers, body, ...(reset && { reset }) },
          call,
        );
      }),
  };
}

/** A connection of a pool. It informs each message whether it is the first on this connection. */
class Line extends Client {
  #isConnected = false;

  constructor(origin: URL, options: Client.Options) {
    super(origin, options);
    this.on('connect', () => {
      this.#isConnected = true;
    });
    this.on('disconnect', () => {
      this.#isConnected = false;
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Call) handler.isFresh = !this.#isConnected;
    return super.dispatch(options, handler);
  }
}

/** One message, and its answer as it comes. */
class Call implements Abortable, Dispatcher.DispatchHandler {
  /** Stops the deadline and the caller's signal from ending the message. */
  detachDeadline: () => void = () => undefined;
  isOver = false;
  isFresh = false;
  readonly #limits: Options['beginning'];
  readonly #settle: Settle;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #retryAfter: string | undefined;
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: Options['beginning'], settle: Settle) {
    this.#limits = limits;
    this.#settle = settle;
  }

  abort(reason: unknown): void {
    if (this.#isFirstEnd()) this.#settle.reject(reason);
    this.#controller?.abort(given);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It has ended while it waited for a connection, which another message can have.
    if (this.isOver) throw given;
    this.#controller = controller;
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    // Announces another.
    if (status < 200) return;
    this.#status = status;
    this.#retryAfter = [headers['retry-after'] ?? []].flat()[0];
    this.detachDeadline();
    this.#timer = setTimeout(() => this.#cut(), this.#limits.ms);
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    const room = this.#limits.bytes - this.#length;
    if (room > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, room)));
    this.#length += chunk.length;
    if (this.#length > this.#limits.bytes + longestRest) this.#cut();
  }

  onResponseEnd(): void {
    if (!this.#isFirstEnd()) return;
    const answer = {
      status: this.#status,
      retryAfter: this.#retryAfter,
      beginning: Buffer.concat(this.#chunks),
      isFresh: this.isFresh,
    };
    // Its connection is free that much later: who then sends the next message finds it, and needs no other.
    setImmediate(setImmediate, () => this.#settle.resolve(answer));
  }

  /** What comes after the status is not worth a failure. */
  onResponseError(_: unknown, error: Error): void {
    if (this.#status > 0) this.onResponseEnd();
    else if (this.#isFirstEnd()) this.#settle.reject(isOfSocket(error) ? closed() : refusalOf(error));
  }

  #cut(): void {
    this.onResponseEnd();
    this.#controller?.abort(given);
  }

  #isFirstEnd(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    clearTimeout(this.#timer);
    this.detachDeadline();
    return true;
  }
}

interface Settle {
  resolve(answer: PostedAnswer): void;
  reject(reason: unknown): void;
}

function isOfSocket(error: Error): boolean {
  return 'code' in error && error.code === 'UND_ERR_SOCKET';
}

function closed(): FetchRefused {
  return new FetchRefused('unreachable', 'The host closed the connection, or its answer is broken.');
}

/** No caller waits for the answer, or for more of it. */
const given = new Error('The message has ended.');

/** A connection to one of the addresses of a checked URL's host. */
async function connectTo(url: URL, requests: GuardedRequests, signal: AbortSignal): Promise<Socket> {
  const addresses = await requests.resolve(url, signal);
  signal.throwIfAborted();
  const host = bareHost(url);
  const isPlain = url.protocol === 'http:';
  const options = {
    host,
    port: url.port === '' ? (isPlain ? 80 : 443) : Number(url.port),
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
  checkPeerOf(socket, requests.allowedFor(url));
  return new Promise((resolve, reject) => {
    const abort = () => socket.destroy(signal.reason);
    const close = () => reject(closed());
    signal.addEventListener('abort', abort);
    socket.once(isPlain ? 'connect' : 'secureConnect', () => {
      signal.removeEventListener('abort', abort);
      socket.off('close', close);
      if (!socket.destroyed) resolve(socket);
    });
    socket.on('error', reject);
    socket.once('close', close);
  });
}

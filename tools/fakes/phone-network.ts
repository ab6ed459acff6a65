import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

export interface PhoneRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface PhoneReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Bytes after the head of a 204 or 304, which must have none. RFC 9112 §6.3. */
  readonly strayBytes: number;
}

export interface NetworkOptions {
  readonly log: (line: string) => void;
  /** Where a URL is reached from here. */
  readonly reach: (url: string) => string;
  /** Milliseconds between the attempts of a request. */
  readonly retryPausesMs: readonly number[];
  /** Waits so long. */
  readonly pause: ((ms: number) => Promise<void>) | null;
}

/** What a phone reaches the world through: it can be away, and it tries again what did not get through. */
export class PhoneNetwork {
  readonly #options: NetworkOptions;
  /** Whatever waits now. Nothing is kept while nothing is under way: a phone must cost little. */
  readonly #waiting = new Set<AbortController>();
  #isOffline = false;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  get isOffline(): boolean {
    return this.#isOffline;
  }

  /** Cuts what is under way; from now on nothing gets through. */
  goOffline(): void {
    this.#isOffline = true;
    for (const waiting of this.#waiting) waiting.abort();
  }

  goOnline(): void {
    this.#isOffline = false;
  }

  /** Sends once. Rejects when no answer comes. */
  async sendOnce({ url, ...request }: PhoneRequest): Promise<PhoneReply> {
    if (this.#isOffline) throw new Error('the phone is offline');
    return this.#untilCut((signal) => exchange({ ...request, url: this.#options.reach(url) }, signal));
  }

  /**
   * Sends until an answer comes, with growing pauses as a device does, then gives up: the last answer, or null when
   * there was none. 429 and 5xx count as no answer until then. `what` names the attempt in the log.
   */
  async send(what: string, request: PhoneRequest): Promise<PhoneReply | null> {
    const { log, retryPausesMs } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const pauseMs = retryPausesMs[attempt];
      const reply = await this.sendOnce(request).catch((error: Error) => error);
      if (!(reply instanceof Error) && !isBusy(reply.status)) return reply;
      const reason = reply instanceof Error ? reasonOf(reply) : `it answered ${reply.status}`;
      if (pauseMs === undefined || this.#isOffline) {
        log(`${what} failed: ${reason}; gives up until the next push`);
        return reply instanceof Error ? null : reply;
      }
      log(`${what} failed: ${reason}; tries again in ${pauseMs / 1_000} s`);
      await this.wait(pauseMs);
    }
  }

  /** Waits; ends early when the phone goes offline. */
  async wait(ms: number): Promise<void> {
    const { pause } = this.#options;
    if (pause !== null) await pause(ms);
    else await this.#untilCut((signal) => sleep(ms, undefined, { signal })).catch(() => undefined);
  }

  async #untilCut<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const cut = new AbortController();
    this.#waiting.add(cut);
    try {
      return await work(cut.signal);
    } finally {
      this.#waiting.delete(cut);
    }
  }
}

const timeoutMs = 30_000;
// Shared by all phones of the process: thousands of them need no thousands of connections.
const plainAgent = new HttpAgent({ keepAlive: true, maxSockets: 64 });
const secureAgent = new HttpsAgent({ keepAlive: true, maxSockets: 64 });

/** The service could not answer now; it may later. */
export function isBusy(status: number): boolean {
  return status === 429 || status >= 500;
}

function reasonOf(error: Error): string {
  return error.name === 'AbortError' ? 'the phone went offline' : error.message;
}

/** One request. Repeats it at once on a new connection when the server had closed the kept one. */
async function exchange(request: PhoneRequest, signal: AbortSignal): Promise<PhoneReply> {
  const { promise, resolve, reject } = Promise.withResolvers<PhoneReply>();
  const isSecure = request.url.startsWith('https:');
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const sent = (isSecure ? requestHttps : requestHttp)(request.url, {
    method: request.method,
    headers: {
      ...request.headers,
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    },
    agent: isSecure ? secureAgent : plainAgent,
    timeout: timeoutMs,
    signal,
  });
  const strayBytes = countAfterHead(sent);
  let hasEnded = false;
  sent.on('response', (answer) => {
    if (answer.statusCode !== 204 && answer.statusCode !== 304) {
      readBody(answer).then((bytes) => resolve(replyOf(answer, bytes, 0)), reject);
      return;
    }
    // A body breaks the connection at once, which is no failure of the answer before it.
    hasEnded = true;
    answer.resume();
    setImmediate(() => resolve(replyOf(answer, Buffer.alloc(0), strayBytes())));
  });
  sent.on('timeout', () => sent.destroy(new Error(`no answer within ${timeoutMs / 1_000} s`)));
  sent.on('error', (error: NodeJS.ErrnoException) => {
    const wasStale = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    if (wasStale && !hasEnded) exchange(request, signal).then(resolve, reject);
    else if (!hasEnded) reject(plainError(error));
  });
  sent.end(body);
  return promise;
}

async function readBody(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function replyOf({ statusCode = 0, headers }: IncomingMessage, body: Buffer, strayBytes: number): PhoneReply {
  return { status: statusCode, headers, body, strayBytes };
}

/** Of an address with several families each attempt has its own error, and the whole has no message. */
function plainError(error: Error): Error {
  return error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
}

/** Node's parser hides what follows a head without a body, so the connection itself is watched. */
function countAfterHead(sent: ClientRequest): () => number {
  let head = '';
  let stray: number | null = null;
  const watch = (chunk: Buffer) => {
    if (stray !== null) {
      stray += chunk.length;
      return;
    }
    head += chunk.toString('latin1');
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    stray = head.length - end - 4;
    head = '';
  };
  sent.once('socket', (socket) => {
    socket.on('data', watch);
    sent.once('close', () => socket.off('data', watch));
  });
  return () => stray ?? 0;
}

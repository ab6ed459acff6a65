import { validateHeaderValue } from 'node:http';
import { isIP, type OnReadOpts, type Socket, connect as tcp } from 'node:net';
import { connect as tls } from 'node:tls';
import { bareHost } from '../bare-host.ts';
import { type AnswerParts, AnswerReader } from './answer-reader.ts';
import { FetchRefused } from './check-url.ts';
import { answerWith, checkPeerOf } from './open-url.ts';
import { type Abortable, unreachable, type Visits } from './visits.ts';

/** A message to a URL that was checked. */
export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What has come of it. */
export interface PostedAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The first bytes of the body. */
  readonly beginning: Buffer;
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
  /** Posts a message. Raises FetchRefused for what has gone wrong before the status has arrived, or the signal's reason. */
  post(message: Post, signal: AbortSignal): Promise<PostedAnswer>;
}

/**
 * Makes them. A connection leads to an address that was checked, its peer is checked before anything is said, and it carries one
 * message at a time. HTTP/1.1 is spoken here, since a library's client costs twice as much as all that is needed of it.
 */
export function createPostConnections(options: Options): PostConnections {
  const hosts = new Map<string, Host>();
  return {
    post: ({ url, headers, body }, signal) =>
      new Promise((resolve, reject) => {
        const call = new Call(requestText(url, headers, body), options.beginning, { resolve, reject });
        call.unfollow = options.visits.follow(call, signal);
        if (call.isOver) return;
        const { origin } = url;
        const host = hosts.get(origin) ?? new Host(url, options, () => hosts.delete(origin));
        hosts.set(origin, host);
        host.take(call);
      }),
  };
}

function requestText(url: URL, headers: Readonly<Record<string, string>>, body: string): string {
  let head = `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n`;
  for (const name in headers) {
    const value = headers[name] ?? '';
    validateHeaderValue(name, value);
    head += `${name}: ${value}\r\n`;
  }
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The connections to an origin, and the messages that wait for one. */
class Host {
  readonly #url: URL;
  readonly #options: Options;
  readonly #onGone: () => void;
  /** The one that was used last is the last. */
  readonly #idle: { readonly connection: Connection; readonly since: number }[] = [];
  readonly #waiting = new Set<Call>();
  /** So many connections have just carried a message. */
  #resting = 0;
  #open = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(url: URL, options: Options, onGone: () => void) {
    this.#url = url;
    this.#options = options;
    this.#onGone = onGone;
  }

  /** Has a message sent by a connection that is free, or a new one, or else by the first that becomes free. */
  take(call: Call): void {
    let free = this.#idle.pop();
    while (free !== undefined && !free.connection.isOpen) free = this.#idle.pop();
    const mayConnect = this.#open < this.#options.connections && this.#resting <= this.#waiting.size;
    if (free !== undefined) free.connection.send(call);
    else if (mayConnect) void this.#connect(call);
    else {
      this.#waiting.add(call);
      call.leave = () => this.#waiting.delete(call);
    }
  }

  /**
   * A connection can carry another message, unless it ends at once, as some servers do without a word: that is known once the
   * event loop has read again.
   */
  free(connection: Connection): void {
    this.#resting += 1;
    setImmediate(() => setImmediate(() => this.#useAgain(connection)));
  }

  #useAgain(connection: Connection): void {
    this.#resting -= 1;
    // An answer that came before all of the message had left says nothing of what is sent next.
    if (!connection.isSent) connection.close();
    if (!connection.isOpen) this.#replace();
    else {
      const next = this.#nextWaiting();
      if (next !== undefined) connection.send(next);
      else {
        this.#idle.push({ connection, since: performance.now() });
        this.#sweep ??= setTimeout(() => this.#closeIdle(), this.#options.keptMs);
      }
    }
  }

  /** Whoever began to wait for a connection that had ended while it rested has a new one made. */
  #replace(): void {
    if (this.#open >= this.#options.connections || this.#resting >= this.#waiting.size) return;
    const next = this.#nextWaiting();
    if (next !== undefined) void this.#connect(next);
  }

  /** A connection is closed, or was not made. */
  closed(connection: Connection): void {
    this.#open -= 1;
    const at = this.#idle.findIndex((one) => one.connection === connection);
    if (at >= 0) this.#idle.splice(at, 1);
    const next = this.#nextWaiting();
    if (next !== undefined) void this.#connect(next);
    else if (this.#open === 0) {
      clearTimeout(this.#sweep);
      this.#onGone();
    }
  }

  #nextWaiting(): Call | undefined {
    const [next] = this.#waiting;
    if (next !== undefined) this.#waiting.delete(next);
    return next;
  }

  async #connect(call: Call): Promise<void> {
    const { visits } = this.#options;
    this.#open += 1;
    const connection = new Connection(this);
    try {
      await visits.inTime(async (signal) =>
        connection.open(await connectTo(this.#url, visits, connection, signal)),
      );
    } catch (error) {
      call.fail(error);
      this.closed(connection);
      return;
    }
    if (call.isOver) this.free(connection);
    else connection.send(call);
  }

  #closeIdle(): void {
    this.#sweep = undefined;
    const before = performance.now() - this.#options.keptMs;
    for (const { connection, since } of this.#idle) if (since <= before) connection.close();
    const oldest = this.#idle.find(({ since }) => since > before);
    if (oldest !== undefined) this.#sweep = setTimeout(() => this.#closeIdle(), oldest.since - before);
  }
}

/** A connection to one of the addresses of a checked URL's host. */
async function connectTo(
  url: URL,
  visits: Visits,
  { onread }: Pick<Connection, 'onread'>,
  signal: AbortSignal,
): Promise<Socket> {
  const addresses = await visits.resolve(url, signal);
  signal.throwIfAborted();
  const host = bareHost(url);
  const isPlain = url.protocol === 'http:';
  const options = {
    host,
    port: url.port === '' ? (isPlain ? 80 : 443) : Number(url.port),
    lookup: answerWith(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
    onread,
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

/** What arrives is looked at before the next arrives, on whichever connection. */
const arrived = Buffer.allocUnsafeSlow(65_536);

/** A connection, which carries one message at a time. */
class Connection implements AnswerParts {
  readonly onread: OnReadOpts = {
    buffer: arrived,
    callback: (length) => {
      this.#read(arrived.subarray(0, length));
      return true;
    },
  };
  readonly #host: Host;
  readonly #reader = new AnswerReader(this);
  #socket: Socket | null = null;
  #call: Call | null = null;
  #error: Error | undefined;
  #isSpoilt = false;

  constructor(host: Host) {
    this.#host = host;
  }

  get isOpen(): boolean {
    return this.#socket?.destroyed === false && !this.#isSpoilt;
  }

  /** All of the message has left. That is known a turn of the event loop later, over TLS. */
  get isSent(): boolean {
    return this.#socket?.writableLength === 0;
  }

  /** Its socket is connected. */
  open(socket: Socket): void {
    this.#socket = socket;
    if (!this.isOpen) {
      socket.destroy();
      throw closed();
    }
    socket.on('error', (error) => {
      this.#error = error;
    });
    socket.once('end', () => this.close());
    socket.once('close', () => this.#onClose());
  }

  send(call: Call): void {
    if (!this.isOpen) {
      call.fail(closed());
      return;
    }
    this.#call = call;
    call.leave = () => this.close();
    this.#socket?.write(call.text);
  }

  close(): void {
    this.#isSpoilt = true;
    this.#socket?.destroy();
  }

  onHead(status: number, retryAfter: string | undefined): void {
    this.#call?.tell(status, retryAfter);
  }

  onBody(bytes: Buffer): void {
    this.#call?.add(bytes);
  }

  onEnd(isReusable: boolean): void {
    const call = this.#call;
    this.#call = null;
    if (isReusable && this.isOpen) this.#host.free(this);
    else this.close();
    call?.end();
  }

  #read(bytes: Buffer): void {
    const call = this.#call;
    try {
      // Nobody has asked for what comes then.
      if (call === null) this.close();
      else this.#reader.read(bytes);
    } catch (error) {
      this.#fail(error);
    }
    if (call !== null && this.#call === call) call.waitForRest();
  }

  #onClose(): void {
    this.#fail(this.#error ?? closed());
    this.#host.closed(this);
  }

  /** What comes after the status is not worth a failure. */
  #fail(error: unknown): void {
    const call = this.#call;
    this.#call = null;
    this.close();
    if (call?.hasStatus) call.end();
    else call?.fail(error);
  }
}

/** So much of an answer beyond what is kept is read along, so that the connection can be used again. */
const longestRest = 64 * 1_024;

/** One message, and its answer as it comes. */
class Call implements Abortable {
  readonly text: string;
  /** Gives up its place among those that wait, or its connection. */
  leave: () => void = () => undefined;
  /** Its deadline and its caller are not to end it any more. */
  unfollow: () => void = () => undefined;
  isOver = false;
  hasStatus = false;
  readonly #limits: Options['beginning'];
  readonly #settle: Settle;
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #retryAfter: string | undefined;
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(text: string, limits: Options['beginning'], settle: Settle) {
    this.text = text;
    this.#limits = limits;
    this.#settle = settle;
  }

  abort(reason: unknown): void {
    if (this.#isFirstEnd()) this.#settle.reject(reason);
    this.leave();
  }

  tell(status: number, retryAfter: string | undefined): void {
    this.hasStatus = true;
    this.#status = status;
    this.#retryAfter = retryAfter;
    this.unfollow();
  }

  add(bytes: Buffer): void {
    const room = this.#limits.bytes - this.#length;
    if (room > 0) this.#chunks.push(Buffer.from(bytes.subarray(0, room)));
    this.#length += bytes.length;
    if (this.#length > this.#limits.bytes + longestRest) this.#cut();
  }

  /** Of its body there is more to come: for so long it is waited for. */
  waitForRest(): void {
    if (this.hasStatus && !this.isOver) this.#timer ??= setTimeout(() => this.#cut(), this.#limits.ms);
  }

  end(): void {
    if (!this.#isFirstEnd()) return;
    const beginning = Buffer.concat(this.#chunks);
    this.#settle.resolve({ status: this.#status, retryAfter: this.#retryAfter, beginning });
  }

  fail(error: unknown): void {
    if (this.#isFirstEnd()) this.#settle.reject(error instanceof FetchRefused ? error : unreachable(error));
  }

  #cut(): void {
    this.end();
    this.leave();
  }

  #isFirstEnd(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    clearTimeout(this.#timer);
    this.unfollow();
    return true;
  }
}

interface Settle {
  readonly resolve: (answer: PostedAnswer) => void;
  readonly reject: (reason: unknown) => void;
}

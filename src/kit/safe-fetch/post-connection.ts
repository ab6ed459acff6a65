import { isIP, type OnReadOpts, type Socket, connect as tcp } from 'node:net';
import { connect as tls } from 'node:tls';
import { bareHost } from '../bare-host.ts';
import { type AnswerParts, AnswerReader } from './answer-reader.ts';
import { FetchRefused } from './check-url.ts';
import { answerWith, checkPeerOf } from './open-url.ts';
import type { Call } from './post-call.ts';
import type { Visits } from './visits.ts';

/** Who is told of a connection. */
interface Owner {
  /** It can carry another message. */
  free(connection: Connection): void;
  /** It is closed. */
  closed(connection: Connection): void;
}

/** What arrives is looked at before the next arrives, on whichever connection. */
const arrived = Buffer.allocUnsafeSlow(65_536);

/** A connection, which carries one message at a time. */
export class Connection implements AnswerParts {
  readonly onread: OnReadOpts = {
    buffer: arrived,
    callback: (length) => {
      this.#read(arrived.subarray(0, length));
      return true;
    },
  };
  readonly #owner: Owner;
  readonly #reader = new AnswerReader(this);
  #socket: Socket | null = null;
  #call: Call | null = null;
  #error: Error | undefined;
  #isSpoilt = false;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  get isOpen(): boolean {
    return this.#socket?.destroyed === false && !this.#isSpoilt;
  }

  /** All of the message has left. That is known a turn of the event loop later, over TLS. */
  get isSent(): boolean {
    return this.#socket?.writableLength === 0;
  }

  /** Connects it to one of the addresses of a checked URL's host. Raises FetchRefused, or the signal's reason. */
  async open(url: URL, visits: Visits, signal: AbortSignal): Promise<void> {
    const socket = await connectTo(url, visits, this, signal);
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
    if (isReusable && this.isOpen) this.#owner.free(this);
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
    this.#owner.closed(this);
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

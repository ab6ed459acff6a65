import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { type ConnectionPlan, expirationOf, headersOf, openSocket } from './apns-plan.ts';
import { type Push, readApnsAnswer, readGoawayReason } from './apns-push.ts';

/** The owner of a connection, which it notifies. */
export interface ConnectionOwner {
  /** APNs has sent its settings: from now on pushes can be sent. */
  onReady(): void;
  /** There may be room for more pushes. */
  onFree(connection: ApnsConnection): void;
  /** APNs wants no more pushes here, and still answers those that it took: none at all when it `tookNothing`. */
  onGoaway(connection: ApnsConnection, reason: string, tookNothing: boolean): void;
  /** APNs did not look at this push. */
  onUntouched(push: Push, reason: string): void;
  /** The connection has ended, or could not be made. The outcome of the pushes that are `lost` is unknown. */
  onEnd(connection: ApnsConnection, reason: string, lost: readonly Push[]): void;
}

/** A push that was sent and whose stream is open. */
interface Flight {
  readonly push: Push;
  readonly stream: ClientHttp2Stream;
  readonly sentAt: number;
  status: number;
  retryAfter: string | null;
  body: string;
  /** Given up: only its stream is still waited for. */
  isOver: boolean;
}

/** One connection to APNs, from the attempt to make it until it is gone. */
export class ApnsConnection {
  readonly #owner: ConnectionOwner;
  readonly #plan: ConnectionPlan;
  readonly #socket: TLSSocket;
  readonly #session: ClientHttp2Session;
  readonly #headers: OutgoingHttpHeaders;
  readonly #sweeper: NodeJS.Timeout;
  /** In the order in which they were sent. */
  readonly #flights = new Set<Flight>();
  /** SETTINGS_MAX_CONCURRENT_STREAMS; nothing is sent before APNs has sent it. */
  #limit = 0;
  #isReady = false;
  /** Nothing more is sent. */
  #isDraining = false;
  #isEnded = false;
  #wasUseful = false;
  /**
   * The time since the beginning, in milliseconds, as the sweeps count it: a pause of this process is none of APNs,
   * and a push needs no look at the clock.
   */
  #now = 0;
  #limitedAt = 0;
  #heardAt = 0;
  #pingedAt: number | null = null;
  #giveUpAt: number;
  /** Why APNs sent us away; why the connection failed. */
  #farewell: string | null = null;
  #fault: string | null = null;

  constructor(plan: ConnectionPlan, owner: ConnectionOwner) {
    this.#plan = plan;
    this.#owner = owner;
    this.#giveUpAt = plan.times.connectMs;
    this.#headers = headersOf(plan);
    this.#socket = openSocket(plan);
    this.#session = this.#openSession();
    this.#sweeper = setInterval(() => this.#sweep(), plan.times.sweepMs).unref();
  }

  /** How many pushes can be sent now. */
  get free(): number {
    return this.#isDraining || this.#session.destroyed ? 0 : this.#limit - this.#flights.size;
  }

  /** At least one push was answered here. */
  get wasUseful(): boolean {
    return this.#wasUseful;
  }

  /** Sends a push. There must be room for it. */
  send(push: Push): void {
    this.#headers[':path'] = `/3/device/${push.token}`;
    const stream = this.#session.request(this.#headers);
    const sentAt = this.#now;
    const flight: Flight = { push, stream, sentAt, status: 0, retryAfter: null, body: '', isOver: false };
    this.#flights.add(flight);
    stream.on('response', (headers, flags) => receive(flight, headers, flags));
    // What there is to know about a failure is known when the stream closes.
    stream.on('error', ignore);
    stream.on('close', () => this.#land(flight));
    stream.end(payload);
  }

  /** Sends nothing more, and ends when what is in flight is answered, or after `closeMs`. */
  close(): void {
    this.#isDraining = true;
    this.#giveUpAt = this.#now + this.#plan.times.closeMs;
    this.#fault = 'Closed';
    if (this.#flights.size === 0) this.#end('Closed');
    else this.#session.close();
  }

  #openSession(): ClientHttp2Session {
    const session = connect(this.#plan.url, {
      createConnection: () => this.#socket,
      settings: { enablePush: false },
      peerMaxConcurrentStreams: mostStreams,
    });
    session.on('connect', () => {
      if (this.#socket.alpnProtocol !== 'h2') this.#end('NoHttp2');
    });
    session.on('remoteSettings', ({ maxConcurrentStreams = mostStreams }) => {
      this.#limit = Math.min(maxConcurrentStreams, mostStreams);
      this.#limitedAt = this.#now;
      this.#heardAt = this.#now;
      if (!this.#isReady) this.#start();
      // Not from within the library that has just called.
      process.nextTick(() => this.#owner.onFree(this));
    });
    session.on('goaway', (code, lastStream, data) => this.#retire(code, lastStream, data));
    session.on('error', (error) => this.#blame(error));
    session.on('close', () => this.#end('ConnectionLost'));
    // Only the socket reports an alert of TLS, and the session may wait for ever for the end of such a connection.
    this.#socket.on('error', (error) => this.#blame(error));
    return session;
  }

  #start(): void {
    this.#isReady = true;
    if (!this.#isDraining) this.#giveUpAt = Number.POSITIVE_INFINITY;
    this.#owner.onReady();
  }

  #retire(code: number, lastStream: number, data: Buffer | undefined): void {
    const reason = readGoawayReason(data, code);
    this.#farewell = reason;
    // With an error, the connection ends at once.
    if (code !== constants.NGHTTP2_NO_ERROR) this.#fault ??= reason;
    else if (!this.#isDraining) this.#owner.onGoaway(this, reason, lastStream === 0);
    this.#isDraining = true;
  }

  #blame(error: Error): void {
    this.#fault ??= 'code' in error ? String(error.code) : error.name;
  }

  /** The stream of a push is closed. */
  #land(flight: Flight): void {
    const isAnswered = isComplete(flight);
    // The whole connection ends: the outcome of its pushes is decided for all together.
    if (!isAnswered && this.#session.destroyed) return;
    if (!this.#flights.delete(flight)) return;
    if (isAnswered) {
      this.#wasUseful = true;
      this.#heardAt = this.#now;
    }
    if (!flight.isOver) this.#settle(flight, isAnswered);
    this.#owner.onFree(this);
  }

  #settle(flight: Flight, isAnswered: boolean): void {
    const { push, stream } = flight;
    if (isAnswered) push.settle(readApnsAnswer(flight));
    else if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM)
      this.#owner.onUntouched(push, this.#farewell ?? 'RefusedStream');
    else push.settle({ kind: 'later', reason: `Reset${stream.rstCode}`, afterMs: resetMs });
  }

  /** Looks at all that may take too long. */
  #sweep(): void {
    this.#now += this.#plan.times.sweepMs;
    if (this.#now > this.#giveUpAt) this.#end(this.#isReady ? 'Closed' : 'ConnectTimeout');
    else if (this.#session.destroyed) this.#end('ConnectionLost');
    else if (this.#isReady) {
      this.#headers['apns-expiration'] = expirationOf(this.#plan.expirySeconds);
      this.#giveUpFlights(this.#now - this.#plan.times.answerMs);
      // No PING is sent on a connection that is being closed.
      if (!this.#isDraining) this.#watch();
    }
  }

  #giveUpFlights(sentBefore: number): void {
    for (const flight of this.#flights) {
      if (flight.sentAt >= sentBefore) return;
      if (flight.isOver) continue;
      flight.isOver = true;
      flight.stream.close(constants.NGHTTP2_CANCEL);
      flight.push.settle({ kind: 'later', reason: 'NoAnswer', afterMs: this.#plan.times.answerMs });
    }
  }

  /** Asks whether APNs is still there, when it has been silent for long. */
  #watch(): void {
    const { answerMs, busyPingMs, idlePingMs, pingMs } = this.#plan.times;
    const silentMs = this.#now - this.#heardAt;
    if (this.#pingedAt !== null) {
      if (this.#now - this.#pingedAt > pingMs) this.#end('NoPingAnswer');
    } else if (this.#limit === 0 && this.#now - this.#limitedAt > answerMs) {
      this.#end('NoStreams');
    } else if (silentMs > (this.#flights.size > 0 ? busyPingMs : idlePingMs)) {
      this.#ping();
    }
  }

  #ping(): void {
    this.#pingedAt = this.#now;
    this.#session.ping((error) => {
      this.#pingedAt = null;
      if (error === null) this.#heardAt = this.#now;
    });
  }

  #end(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#isDraining = true;
    clearInterval(this.#sweeper);
    this.#socket.destroy();
    const lost = [...this.#flights].filter(({ isOver }) => !isOver).map(({ push }) => push);
    this.#flights.clear();
    this.#owner.onEnd(this, this.#fault ?? reason, lost);
  }
}

const payload = Buffer.from('{}');
/** Answers are shorter by far. */
const mostBodyLength = 4_096;
/**
 * APNs allows 1,000. Half of that is as fast, since at 50 ms an answer it is more than a process can send, and streams
 * that live longer cost a tenth more time and memory.
 */
const mostStreams = 500;
/** When to try again what APNs broke off without a word. */
const resetMs = 1_000;

function ignore(): void {}

/** A reason that was cut off must not be mistaken for the answer. */
function isComplete({ status, stream }: Flight): boolean {
  return status === 200 || (status !== 0 && stream.rstCode === constants.NGHTTP2_NO_ERROR);
}

function receive(flight: Flight, headers: IncomingHttpHeaders & { ':status'?: number }, flags: number): void {
  flight.status = headers[':status'] ?? 0;
  flight.retryAfter = headers['retry-after'] ?? null;
  if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) return;
  flight.stream.setEncoding('utf8');
  flight.stream.on('data', (chunk: string) => {
    if (flight.body.length < mostBodyLength) flight.body += chunk;
  });
}

import type { Logger } from 'pino';
import { backOff } from '../../kit/time.ts';
import { ApnsConnection, type ConnectionOwner } from './apns-connection.ts';
import { type ApnsTimes, type ConnectionPlan, secureContextOf, usualTimes } from './apns-plan.ts';
import { type Apns, ApnsQueue, type ApnsResult, type Push } from './apns-push.ts';
import type { SigningIdentity } from './certificates/certificates.ts';

export interface ApnsOptions {
  /** `https://api.push.apple.com`, or a simulator. */
  readonly url: string;
  /** What the passes are signed with: APNs knows by the same certificate who pushes. */
  readonly identity: Pick<SigningIdentity, 'certificate' | 'privateKey' | 'wwdr'>;
  /** The pass type identifier. */
  readonly topic: string;
  /** How long APNs keeps a push for a device that is off; seven days by default, and 30 at most. */
  readonly expirySeconds?: number;
  /** PEM of an authority to trust, besides those that Node trusts. */
  readonly ca?: string | Buffer;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly times?: Partial<ApnsTimes>;
}

/**
 * A client that connects when the first push is asked for, keeps that one connection, and makes another when it is
 * lost. Throws when certificate and key do not belong together, or when the URL is none.
 */
export function createApns(options: ApnsOptions): Apns {
  const { log } = options;
  const plan = planOf(options);
  const circuit = new ApnsCircuit(plan.times);
  const queue = new ApnsQueue();
  /** The one that takes pushes, ready or not. */
  let current: ApnsConnection | null = null;
  /** Also those that only wait for their last answers. */
  const connections = new Set<ApnsConnection>();
  let isClosed = false;
  let isUnreachable = false;
  const { promise: allGone, resolve: endAllStreams } = Promise.withResolvers<void>();
  const owner: ConnectionOwner = { onReady, onFree, onGoaway, onUntouched, onEnd };

  return {
    push: (token) => new Promise((settle) => send({ token, settle, isRetried: false, next: null })),
    get pausedUntil() {
      return circuit.pausedUntil;
    },
    async close() {
      isClosed = true;
      drainQueue(later('Closed'));
      for (const connection of connections) connection.close();
      if (connections.size > 0) await allGone;
    },
  };

  function send(push: Push): void {
    if (!isDeviceToken(push.token)) push.settle({ kind: 'gone', reason: 'BadDeviceToken', at: null });
    else if (isClosed) push.settle(later('Closed'));
    else if (circuit.pausedUntil !== null) push.settle(later('Paused'));
    else {
      current ??= connect();
      if (queue.isEmpty && current.free > 0) current.send(push);
      else queue.add(push);
    }
  }

  function connect(): ApnsConnection {
    const connection = new ApnsConnection(plan, owner);
    connections.add(connection);
    return connection;
  }

  function onReady(): void {
    if (isUnreachable) log.info({}, 'APNs can be reached again');
    isUnreachable = false;
  }

  function onFree(connection: ApnsConnection): void {
    while (connection === current && connection.free > 0) {
      const push = queue.take();
      if (push === null) return;
      connection.send(push);
    }
  }

  function onGoaway(connection: ApnsConnection, reason: string, tookNothing: boolean): void {
    if (connection !== current) return;
    current = null;
    // A server that takes nothing would else be connected to again and again.
    if (tookNothing) pause(reason, connection);
    else log.info({ reason }, 'APNs ends a connection: the next one takes over');
    reconnect();
  }

  function onUntouched(push: Push, reason: string): void {
    if (push.isRetried || circuit.pausedUntil !== null) {
      push.settle(later(reason));
      return;
    }
    push.isRetried = true;
    send(push);
  }

  function onEnd(connection: ApnsConnection, reason: string, lost: readonly Push[]): void {
    const wasCurrent = connection === current;
    if (wasCurrent) current = null;
    connections.delete(connection);
    // An idle one may be closed at any time; the next push makes another, and that is all.
    if (wasCurrent && !isClosed && (lost.length > 0 || !connection.wasUseful)) pause(reason, connection);
    for (const push of lost) push.settle(failed(reason));
    reconnect();
    if (isClosed && connections.size === 0) endAllStreams();
  }

  /** Nothing waits for a connection that may not come. */
  function pause(reason: string, connection: ApnsConnection): void {
    circuit.open(connection.wasUseful);
    isUnreachable = true;
    log.warn({ reason, pauseMs: circuit.pauseMs }, 'APNs cannot be reached: pushes wait');
    drainQueue(failed(reason));
  }

  function reconnect(): void {
    if (!queue.isEmpty) current ??= connect();
  }

  function drainQueue(result: ApnsResult): void {
    for (let push = queue.take(); push !== null; push = queue.take()) push.settle(result);
  }

  function failed(reason: string): ApnsResult {
    return certificateAlert.test(reason) ? { kind: 'misconfigured', reason } : later(reason);
  }

  function later(reason: string): ApnsResult {
    return { kind: 'later', reason, afterMs: circuit.pauseMs };
  }
}

const sevenDays = 7 * 86_400;

/** How TLS says that the other side does not accept our certificate (RFC 8446 §6.2), as Node names it. */
const certificateAlert = /^ERR_SSL_.*ALERT_(?:.*CERTIFICATE.*|UNKNOWN_CA|ACCESS_DENIED)$/;

function planOf({ url, identity, topic, expirySeconds = sevenDays, ca, times }: ApnsOptions): ConnectionPlan {
  return {
    url: new URL(url),
    secureContext: secureContextOf(identity, ca),
    topic,
    expirySeconds,
    times: { ...usualTimes, ...times },
  };
}

/** Nothing else can be part of the path, and nothing else is a device token. */
function isDeviceToken(token: string): boolean {
  return /^[0-9A-Fa-f]+$/.test(token);
}

/**
 * Says when the next attempt to connect is worth it. The pause grows with each failure in a row, and is spread, so that
 * processes that lost APNs together do not come back together.
 */
class ApnsCircuit {
  readonly #times: ApnsTimes;
  #failures = 0;
  #pausedUntil: number | null = null;

  constructor(times: ApnsTimes) {
    this.#times = times;
  }

  /** By `performance.now()`; null when nothing speaks against an attempt. */
  get pausedUntil(): number | null {
    if (this.#pausedUntil !== null && this.#pausedUntil <= performance.now()) this.#pausedUntil = null;
    return this.#pausedUntil;
  }

  /** How long to leave APNs alone, in milliseconds. */
  get pauseMs(): number {
    return Math.ceil(Math.max((this.pausedUntil ?? 0) - performance.now(), 0)) || this.#times.firstPauseMs;
  }

  /** Opens after a failure. One that comes after answers is the first again. */
  open(wasUseful: boolean): void {
    const { firstPauseMs, mostPauseMs } = this.#times;
    this.#failures = wasUseful ? 1 : this.#failures + 1;
    const longestMs = backOff({ firstMs: firstPauseMs, mostMs: mostPauseMs }, this.#failures);
    this.#pausedUntil = performance.now() + longestMs * (0.5 + Math.random() / 2);
  }
}

import { randomUUID, constants as tlsConstants, type X509Certificate } from 'node:crypto';
import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createTcpServer } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import {
  certificateFields,
  isIssuedBy,
  passCertificateFacts,
} from '../../src/wallet/apple/certificates/certificate-fields.ts';
import { mostPayloadBytes, type PushSender, refusalOf, tokenOf } from './apns-rules.ts';
import { type Authority, issueServerCertificate } from './authority.ts';
import { GatedSocket } from './gated-socket.ts';

export interface FakeApnsOptions {
  /** Signs the certificate of the server, which is for localhost and 127.0.0.1. */
  readonly authority: Authority;
  /** The issuers of clients' certificates: roots or intermediates. */
  readonly clientAuthorities: readonly X509Certificate[];
  /** Any free port by default. */
  readonly port?: number;
  /** 1,000 by default, as at Apple. */
  readonly maxStreams?: number;
}

/** What the server does with a push instead of going by Apple's rules. */
export type ScriptedAnswer =
  | {
      readonly status: number;
      readonly reason?: string;
      /** Of a 410: since when the device has not been there. */
      readonly timestamp?: Date;
      /** The header Retry-After, in seconds. */
      readonly retryAfter?: number;
      /** How late this answer is. */
      readonly delayMs?: number;
      /** The stream is reset before the reason is sent. */
      readonly isCutOff?: boolean;
    }
  /** Ends the stream with this error code of HTTP/2. */
  | { readonly reset: number }
  /** Loses the connection: before the push is taken in, or when its device has it and before the answer. */
  | { readonly drop: 'request' | 'reply' }
  /** Never answers. */
  | { readonly silence: true };

/** A push that reached its device. */
export interface Delivery {
  readonly token: string;
  readonly topic: string;
  readonly headers: IncomingHttpHeaders;
  readonly payload: string;
  readonly at: Date;
}

/**
 * Apple's push service: HTTP/2 with client certificates, its rules about topics, tokens and headers, and faults on
 * demand.
 */
export interface FakeApns {
  /** For localhost; the certificate is good for 127.0.0.1 too. */
  readonly url: string;
  readonly port: number;
  /** TCP connections that were made so far, and those that are open now. */
  readonly connections: number;
  readonly openConnections: number;
  /** Pushes that were taken in, whatever the answer; and those that reached their device. */
  readonly pushes: number;
  readonly delivered: number;
  /** The most streams that were open on one connection at a time; set it back to zero to count anew. */
  peakStreams: number;
  /** SETTINGS_MAX_CONCURRENT_STREAMS: open connections learn of a change at once. */
  maxStreams: number;
  /** Sends GOAWAY on a connection after this many pushes; 0 sends it at once. Later streams on it are ignored. */
  goawayEvery: number | null;
  /** How late every answer is. */
  delayMs: number;
  /** Accepts connections, and then reads nothing, writes nothing and closes nothing. */
  isSilent: boolean;
  /**
   * Answers pushes so: to one token, or to any; so many `times`, or from now on. The first script that fits is
   * followed.
   */
  script(answer: ScriptedAnswer, which?: { readonly token?: string; readonly times?: number }): void;
  /** Forgets all scripts. */
  unscript(): void;
  deliveriesTo(token: string): number;
  lastDelivery(token: string): Delivery | null;
  /** Calls the listener for each push that reaches its device. Returns a function that ends this. */
  onPush(listener: (delivery: Delivery) => void): () => void;
  /** Sends GOAWAY on every connection; requests that were sent before are answered. */
  goaway(reason?: string, code?: number): void;
  dropConnections(): void;
  close(): Promise<void>;
}

interface Script {
  readonly answer: ScriptedAnswer;
  readonly token: string | null;
  left: number;
}

/** A connection of a client. */
interface Peer {
  readonly session: ServerHttp2Session;
  readonly socket: TLSSocket;
  readonly sender: PushSender;
  openStreams: number;
  pushes: number;
  newestStream: number;
  /** The last stream that is answered, once GOAWAY was sent. */
  lastStream: number;
}

/** Starts the server on 127.0.0.1. */
export async function startFakeApns(options: FakeApnsOptions): Promise<FakeApns> {
  const sockets = new Set<GatedSocket>();
  const peers = new Set<Peer>();
  const listeners = new Set<(delivery: Delivery) => void>();
  const deliveries = new Map<string, { times: number; last: Delivery }>();
  const counts = { connections: 0, pushes: 0, delivered: 0, peakStreams: 0 };
  let scripts: Script[] = [];
  let maxStreams = options.maxStreams ?? 1_000;
  let goawayEvery: number | null = null;
  let delayMs = 0;
  let isSilent = false;

  const tls = createTlsServer({
    ...issueServerCertificate(options.authority),
    ca: options.clientAuthorities.map((certificate) => certificate.toString()),
    requestCert: true,
    // An unknown client gets an answer that says so, instead of a failed handshake.
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['h2'],
    // A resumed session would not show its certificate again.
    secureOptions: tlsConstants.SSL_OP_NO_TICKET,
  });
  tls.on('secureConnection', welcome);
  const server = createTcpServer((socket) => {
    const gated = new GatedSocket(socket, isSilent);
    counts.connections++;
    sockets.add(gated);
    gated.on('error', () => undefined);
    gated.on('close', () => sockets.delete(gated));
    tls.emit('connection', gated);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const { port } = address;

  return {
    url: `https://localhost:${port}`,
    port,
    get connections() {
      return counts.connections;
    },
    get openConnections() {
      return sockets.size;
    },
    get pushes() {
      return counts.pushes;
    },
    get delivered() {
      return counts.delivered;
    },
    get peakStreams() {
      return counts.peakStreams;
    },
    set peakStreams(value) {
      counts.peakStreams = value;
    },
    get maxStreams() {
      return maxStreams;
    },
    set maxStreams(value) {
      maxStreams = value;
      for (const { session } of peers) session.settings({ maxConcurrentStreams: value });
    },
    get goawayEvery() {
      return goawayEvery;
    },
    set goawayEvery(value) {
      goawayEvery = value;
    },
    get delayMs() {
      return delayMs;
    },
    set delayMs(value) {
      delayMs = value;
    },
    get isSilent() {
      return isSilent;
    },
    set isSilent(value) {
      isSilent = value;
      for (const socket of sockets) socket.isSilent = value;
    },
    script(answer, { token = null, times = Number.POSITIVE_INFINITY } = {}) {
      scripts.push({ answer, token, left: times });
    },
    unscript() {
      scripts = [];
    },
    deliveriesTo: (token) => deliveries.get(token)?.times ?? 0,
    lastDelivery: (token) => deliveries.get(token)?.last ?? null,
    onPush(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    goaway(reason = 'Shutdown', code = 0) {
      for (const peer of peers) dismiss(peer, reason, code);
    },
    dropConnections() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };

  function welcome(socket: TLSSocket): void {
    socket.on('error', () => undefined);
    if (socket.alpnProtocol !== 'h2') {
      socket.destroy();
      return;
    }
    const session = performServerHandshake(socket, {
      settings: { maxConcurrentStreams: maxStreams },
      // Clients may cancel as many streams as they like.
      streamResetBurst: 1_000_000,
      streamResetRate: 1_000_000,
    });
    const peer: Peer = {
      session,
      socket,
      sender: senderOf(socket, options.clientAuthorities),
      openStreams: 0,
      pushes: 0,
      newestStream: 0,
      lastStream: Number.POSITIVE_INFINITY,
    };
    peers.add(peer);
    session.on('error', () => undefined);
    session.on('close', () => peers.delete(peer));
    session.on('stream', (stream, headers) => receive(peer, stream, headers));
    if (goawayEvery === 0) dismiss(peer, 'Shutdown', 0);
  }

  function receive(peer: Peer, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    stream.on('error', () => undefined);
    const id = stream.id ?? 0;
    // GOAWAY has said that this stream is not processed.
    if (id > peer.lastStream) return;
    peer.newestStream = id;
    peer.openStreams++;
    counts.peakStreams = Math.max(counts.peakStreams, peer.openStreams);
    stream.on('close', () => peer.openStreams--);
    const chunks: Buffer[] = [];
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      if (bytes <= mostPayloadBytes) chunks.push(chunk);
      bytes += chunk.length;
    });
    stream.on('end', () => answer(peer, stream, headers, Buffer.concat(chunks)));
    peer.pushes++;
    if (goawayEvery !== null && peer.pushes >= goawayEvery) dismiss(peer, 'Shutdown', 0);
  }

  function answer(
    peer: Peer,
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    payload: Buffer,
  ): void {
    if (stream.destroyed) return;
    const token = tokenOf(headers[':path'] ?? '') ?? '';
    const given: ScriptedAnswer = nextScript(token) ??
      refusalOf(headers, payload, peer.sender) ?? { status: 200 };
    counts.pushes++;
    if ('silence' in given) return;
    if ('reset' in given) {
      stream.close(given.reset);
      return;
    }
    if ('drop' in given) {
      if (given.drop === 'reply') deliver(token, headers, payload);
      peer.socket.destroy();
      return;
    }
    if (given.status === 200) deliver(token, headers, payload);
    const lateMs = given.delayMs ?? delayMs;
    if (lateMs === 0) respond(stream, given);
    else setTimeout(respond, lateMs, stream, given);
  }

  function nextScript(token: string): ScriptedAnswer | null {
    const script = scripts.find((one) => one.token === null || one.token === token);
    if (script === undefined) return null;
    script.left--;
    if (script.left === 0) scripts = scripts.filter((one) => one !== script);
    return script.answer;
  }

  function deliver(token: string, headers: IncomingHttpHeaders, payload: Buffer): void {
    const topic = String(headers['apns-topic']);
    const last: Delivery = { token, topic, headers, payload: payload.toString(), at: new Date() };
    counts.delivered++;
    deliveries.set(token, { times: (deliveries.get(token)?.times ?? 0) + 1, last });
    for (const listener of listeners) listener(last);
  }
}

type Answer = Extract<ScriptedAnswer, { readonly status: number }>;

function respond(stream: ServerHttp2Stream, answer: Answer): void {
  const { status, reason, timestamp, retryAfter, isCutOff = false } = answer;
  if (stream.destroyed) return;
  const headers = {
    ':status': status,
    'apns-id': randomUUID().toUpperCase(),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  };
  if (status === 200) {
    stream.respond(headers, { endStream: true });
    return;
  }
  // With trailers to come, Node does not end the stream before it resets it.
  stream.respond({ ...headers, 'content-type': 'application/json' }, { waitForTrailers: isCutOff });
  // The headers leave first.
  if (isCutOff) setTimeout(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR), 20);
  else stream.end(JSON.stringify({ reason, timestamp: timestamp?.getTime() }));
}

/** Sends GOAWAY; requests that were sent before are still answered. */
function dismiss(peer: Peer, reason: string, code: number): void {
  if (peer.lastStream !== Number.POSITIVE_INFINITY) return;
  peer.lastStream = peer.newestStream;
  peer.session.goaway(code, peer.lastStream, Buffer.from(JSON.stringify({ reason })));
}

function senderOf(socket: TLSSocket, authorities: readonly X509Certificate[]): PushSender {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return { hasCertificate: false, isTrusted: false, topic: null };
  // TLS itself follows chains to a root only.
  const isIssued = authorities.some((authority) => isIssuedBy(certificate, authority));
  const isValid = certificate.validFromDate <= new Date() && certificate.validToDate > new Date();
  return {
    hasCertificate: true,
    isTrusted: socket.authorized || (isIssued && isValid),
    topic: passCertificateFacts(certificateFields(certificate)).userId,
  };
}

import { type OutgoingHttpHeaders, sensitiveHeaders } from 'node:http2';
import { isIP } from 'node:net';
import {
  connect,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { bareHost } from '../../kit/bare-host.ts';
import type { SigningIdentity } from './certificates/certificates.ts';

/** How long things may take, in milliseconds. */
export interface ApnsTimes {
  /** The time until a connection is ready: TCP, TLS and the first SETTINGS. */
  readonly connectMs: number;
  /** Until a push is answered. */
  readonly answerMs: number;
  /** The silence after which a PING asks whether APNs is still there: with pushes in flight, and without. */
  readonly busyPingMs: number;
  readonly idlePingMs: number;
  /** Until a PING is answered. */
  readonly pingMs: number;
  /** The time until a closed client gives up what is in flight. */
  readonly closeMs: number;
  /** The first and the longest pause between attempts to connect. */
  readonly firstPauseMs: number;
  readonly mostPauseMs: number;
  /** How often all this is looked at. */
  readonly sweepMs: number;
}

export const usualTimes: ApnsTimes = {
  connectMs: 5_000,
  answerMs: 10_000,
  busyPingMs: 3_000,
  idlePingMs: 60_000,
  pingMs: 5_000,
  closeMs: 3_000,
  firstPauseMs: 1_000,
  mostPauseMs: 60_000,
  sweepMs: 250,
};

/** Where to, as whom, and what every push says. */
export interface ConnectionPlan {
  readonly url: URL;
  readonly secureContext: SecureContext;
  readonly topic: string;
  readonly expirySeconds: number;
  readonly times: ApnsTimes;
}

/** TLS with the certificate of the pass type. Throws when certificate and key do not belong together. */
export function secureContextOf(
  { certificate, privateKey, wwdr }: Pick<SigningIdentity, 'certificate' | 'privateKey' | 'wwdr'>,
  ca: string | Buffer | undefined,
): SecureContext {
  return createSecureContext({
    cert: certificate.toString() + wwdr.toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    minVersion: 'TLSv1.2',
    // Authorities that are given replace those of Node, so that these are given too.
    ...(ca !== undefined && { ca: [...getCACertificates('default'), ca] }),
  });
}

/** Begins a connection. */
export function openSocket({ url, secureContext }: ConnectionPlan): TLSSocket {
  const host = bareHost(url);
  return connect({
    host,
    port: url.port === '' ? 443 : Number(url.port),
    ...(isIP(host) === 0 && { servername: host }),
    secureContext,
    ALPNProtocols: ['h2'],
  });
}

/** The headers of every push; only the path is missing. */
export function headersOf({ topic, expirySeconds }: ConnectionPlan): OutgoingHttpHeaders {
  return {
    ':method': 'POST',
    ':path': '',
    'apns-topic': topic,
    'apns-push-type': 'background',
    // The one that a background push must have.
    'apns-priority': '5',
    'apns-expiration': expirationOf(expirySeconds),
    // Each push has another path, which is not worth its place in the table of the header compression.
    [sensitiveHeaders]: [':path'],
  };
}

/** The end of the time that APNs keeps a push for a device that is off, in seconds since 1970. */
export function expirationOf(expirySeconds: number): string {
  return String(Math.floor(Date.now() / 1_000) + expirySeconds);
}

import type { IncomingHttpHeaders } from 'node:http2';

/** The peer of a connection, by its TLS certificate. */
export interface PushSender {
  /** A certificate was shown. */
  readonly hasCertificate: boolean;
  /** It was issued by the authority that the server trusts. */
  readonly isTrusted: boolean;
  /** The UID of its subject: the only topic that it may push to. */
  readonly topic: string | null;
}

export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

/** APNs takes 4 KB. */
export const mostPayloadBytes = 4_096;

/** The device token in the path of a push; null when the path is none of a push. */
export function tokenOf(path: string): string | null {
  return /^\/3\/device\/([^/?]*)$/.exec(path)?.[1] ?? null;
}

/** Why APNs refuses a push before it looks at the device, in its own words; null when it does not. */
export function refusalOf(headers: IncomingHttpHeaders, payload: Buffer, sender: PushSender): Refusal | null {
  const token = tokenOf(headers[':path'] ?? '');
  if (headers[':method'] !== 'POST') return { status: 405, reason: 'MethodNotAllowed' };
  if (token === null) return { status: 404, reason: 'BadPath' };
  return (
    refusalOfSender(sender) ??
    refusalOfTopic(headers['apns-topic'], sender) ??
    refusalOfHeaders(headers) ??
    refusalOfToken(token) ??
    refusalOfPayload(payload)
  );
}

function refusalOfSender({ hasCertificate, isTrusted }: PushSender): Refusal | null {
  if (!hasCertificate) return { status: 403, reason: 'MissingProviderToken' };
  return isTrusted ? null : { status: 403, reason: 'BadCertificate' };
}

function refusalOfTopic(topic: string | string[] | undefined, sender: PushSender): Refusal | null {
  if (topic === undefined || topic === '') return { status: 400, reason: 'MissingTopic' };
  if (typeof topic !== 'string') return { status: 400, reason: 'BadTopic' };
  return topic === sender.topic ? null : { status: 400, reason: 'TopicDisallowed' };
}

function refusalOfHeaders(headers: IncomingHttpHeaders): Refusal | null {
  const type = headers['apns-push-type'] ?? 'alert';
  const priority = headers['apns-priority'] ?? '10';
  const expiration = headers['apns-expiration'] ?? '0';
  if (type !== 'background' && type !== 'alert') return { status: 400, reason: 'InvalidPushType' };
  // A background push with the priority of an alert is an error, says Apple.
  const priorities = type === 'background' ? ['1', '5'] : ['1', '5', '10'];
  if (!priorities.includes(String(priority))) return { status: 400, reason: 'BadPriority' };
  return /^\d{1,10}$/.test(String(expiration)) ? null : { status: 400, reason: 'BadExpirationDate' };
}

/** Tokens are 32 bytes today; Apple says that they may grow. */
function refusalOfToken(token: string): Refusal | null {
  if (token === '') return { status: 400, reason: 'MissingDeviceToken' };
  return /^(?:[0-9a-f]{2}){32,100}$/i.test(token) ? null : { status: 400, reason: 'BadDeviceToken' };
}

function refusalOfPayload(payload: Buffer): Refusal | null {
  if (payload.length === 0) return { status: 400, reason: 'PayloadEmpty' };
  return payload.length > mostPayloadBytes ? { status: 413, reason: 'PayloadTooLarge' } : null;
}

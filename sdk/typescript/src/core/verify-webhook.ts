import type { Event } from '../types.ts';
import { hmacSha256 } from './sha256.ts';

/** A webhook that is not to be trusted: answer 400, and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** An event as it is posted. `data` and `previous` are missing in thin payloads: ask `events.get(eventId)`. */
export type WebhookEvent = Omit<Event, 'data' | 'previous'> & Partial<Pick<Event, 'data' | 'previous'>>;

/** The headers of a request, as any framework has them. */
export type IncomingHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export interface VerifyOptions {
  /** How far the time of the message may be from now; 300 by default. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970; the clock of the machine by default. */
  readonly now?: () => number;
}

/**
 * The event that a webhook brings, once its signature and its time were found right: Standard Webhooks 1.0.0. The body has
 * to be the bytes or the text that arrived, not parsed and written again. Of several secrets one has to fit, as
 * while a secret is rotated. Throws `WebhookVerificationError`.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: IncomingHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent {
  const body = textOf(rawBody);
  verifySignature(body, headers, secret, options);
  const { data } = parsed(body) as { readonly data?: WebhookEvent };
  if (typeof data?.eventId !== 'string') throw new WebhookVerificationError('The body is no event.');
  return data;
}

/** The same for any message of Standard Webhooks, whatever its body says. */
export function verifySignature(
  body: string,
  headers: IncomingHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): void {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    header(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signature)
    throw new WebhookVerificationError('A header of the webhook is missing.');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now() / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('The webhook is too old, or a clock is wrong.');
  const message = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const sent = signature.split(' ').filter((part) => part.startsWith('v1,'));
  const expected = [secret].flat().map((one) => `v1,${base64(hmacSha256(keyOf(one), message))}`);
  const fits = expected.map((one) => sent.some((other) => areEqual(one, other)));
  if (!fits.includes(true)) throw new WebhookVerificationError('No signature fits.');
}

function textOf(body: string | Uint8Array | ArrayBuffer): string {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array || body instanceof ArrayBuffer)
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  throw new TypeError(
    'verifyWebhook needs the body as it arrived, as text or bytes: it seems to be parsed already.',
  );
}

function parsed(body: string): object {
  try {
    return Object(JSON.parse(body));
  } catch {
    throw new WebhookVerificationError('The body is no JSON.');
  }
}

function header(headers: IncomingHeaders, name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? '';
  const [, value] = Object.entries(headers).find(([own]) => own.toLowerCase() === name) ?? [];
  return String(value ?? '');
}

function keyOf(secret: string): Uint8Array {
  const [, key] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  if (key === undefined) throw new TypeError('The secret of a webhook begins with whsec_.');
  return Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Takes as long wherever they differ. */
function areEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

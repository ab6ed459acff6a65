import { createHmac, createSecretKey, hash, type KeyObject, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** 32 random bytes as the Standard Webhooks specification writes a secret. */
export function newSigningSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`;
}

/** The key of a secret. Node takes three times as long to sign by one that it has as bytes. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(secret.slice(prefix.length), 'base64');
}

/**
 * The `webhook-signature` of a message, as Standard Webhooks 1.0.0 has it: HMAC-SHA256 over `id.timestamp.body`, once by
 * each key.
 */
export function signMessage(
  keys: readonly KeyObject[],
  message: { readonly id: string; readonly seconds: number; readonly body: string },
): string {
  return keys
    .map((key) => {
      const signed = createHmac('sha256', key).update(`${message.id}.${message.seconds}.${message.body}`);
      return `v1,${signed.digest('base64')}`;
    })
    .join(' ');
}

/** The id of the delivery of an event to a webhook: the first half of the event's id, and one that is made of both. */
export function deliveryIdOf(eventId: string, webhookId: string): string {
  const made = hash('md5', `${eventId}${webhookId}`);
  return `${eventId.slice(0, 19)}${made.slice(16, 20)}-${made.slice(20)}`;
}

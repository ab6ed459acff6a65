import type { KeyObject } from 'node:crypto';
import type { App } from '../context.ts';
import { presentEvent } from '../events/event.schema.ts';
import { encodeId } from '../kit/ids.ts';
import { FetchRefused } from '../kit/safe-fetch/safe-fetch.ts';
import type { DueDelivery, SendableEvent } from './due-deliveries.sql.ts';
import { type Failure, readRetryAfter } from './schedule.ts';
import { signMessage } from './sign-message.ts';
import type { Attempt, WebhookRow } from './webhook-row.ts';

/** The outcome of an attempt. */
export interface Outcome {
  readonly attempt: Attempt;
  /** Null where it has succeeded. */
  readonly failure: Failure | null;
}

/** What is sent, where to, and by what it is signed. */
interface Attempted {
  readonly delivery: DueDelivery;
  readonly webhook: WebhookRow;
  readonly keys: readonly KeyObject[];
  readonly event: SendableEvent;
}

/** The receiver wants no more events. */
export const gone = 410;
/** The number of bytes that are kept of an answer. */
export const mostAnswerBytes = 1_000;

/**
 * Posts an event to a webhook once, as Standard Webhooks 1.0.0 has it. Only a 2xx is success. Raises the signal's reason,
 * and nothing else.
 */
export async function attemptDelivery(
  app: App,
  { delivery, webhook, keys, event }: Attempted,
  signal: AbortSignal,
): Promise<Outcome> {
  const now = app.now();
  const began = performance.now();
  const of = (given: Partial<Attempt>): Attempt => ({
    at: now.toISOString(),
    status: null,
    milliseconds: Math.round(performance.now() - began),
    answer: null,
    problem: null,
    ...given,
  });
  try {
    const id = encodeId('msg', delivery.deliveryId);
    const seconds = Math.floor(now.getTime() / 1_000);
    const body = bodyOf(webhook, event);
    const signature = signMessage(keys, { id, seconds, body });
    const message = {
      key: webhook.workspaceId,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signature,
      },
      body,
      signal,
    };
    const answered = await app.webhookPost.post(webhook.url, message);
    // A 410 on a reused connection may belong to no request of ours. Ask again before it disables the webhook.
    const isDoubtful = answered.status === gone && !answered.isFresh;
    const { status, retryAfter, beginning } = isDoubtful
      ? await app.webhookPost.post(webhook.url, { ...message, isAlone: true })
      : answered;
    const attempt = of({ status, answer: textOf(beginning) });
    if (status >= 200 && status < 300) return { attempt, failure: null };
    const retryAfterMs = readRetryAfter(retryAfter, app.now());
    return { attempt, failure: { status, isTimeout: false, retryAfterMs } };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FetchRefused)) throw error;
    const isTimeout = error.reason === 'timeout';
    return {
      attempt: of({ problem: error.message }),
      failure: { status: null, isTimeout, retryAfterMs: null },
    };
  }
}

/** Bodies of events that go to several webhooks, by whether they are thin. */
const bodies = new WeakMap<SendableEvent, Map<WebhookRow['payload'], string>>();

function bodyOf({ payload }: WebhookRow, event: SendableEvent): string {
  const known = bodies.get(event) ?? new Map<WebhookRow['payload'], string>();
  const body = known.get(payload) ?? writeBody(payload, event);
  bodies.set(event, known.set(payload, body));
  return body;
}

/** `{ type, timestamp, data: the event }`; thin, or where it is too large, without what the event concerns. */
function writeBody(payload: WebhookRow['payload'], event: SendableEvent): string {
  const { data, previous, ...thin } = presentEvent({
    ...event,
    data: event.data ?? {},
    previous: event.previous ?? {},
  });
  const isThin = payload === 'thin' || event.data === null;
  return JSON.stringify({
    type: event.type,
    timestamp: thin.createdAt,
    data: isThin ? thin : { ...thin, data, previous },
  });
}

/** Decodes bytes as text. Replaces invalid sequences, and characters that cannot be stored. */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\u0000', '\ufffd');
}

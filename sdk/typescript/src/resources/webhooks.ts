import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import type { Result } from '../core/result.ts';
import { WebhookReceiver } from '../core/webhook-receiver.ts';
import type {
  Delivery,
  ListDeliveriesQuery,
  ListWebhooksQuery,
  NewWebhook,
  RecoveredEvents,
  RecoverWebhookBody,
  SentTest,
  Webhook,
  WebhookChanges,
  WebhookWithSecret,
} from '../types.ts';

export class WebhooksResource extends WebhookReceiver {
  /**
   * Have events posted to a URL.
   *
   * From now on each event of these kinds is posted there, signed as Standard Webhooks 1.0.0 has it; the
   * `secret` that verifies it is shown once. Receivers may get an event more than once, by the same
   * `webhook-id`, and in any order: `seq` shows which is the newer. docs/API.md, "Webhooks", says how a
   * receiver answers and when it is tried again.
   *
   * Refused with `webhook_limit_reached`.
   */
  create(body: NewWebhook, options?: CallOptions): Promise<WebhookWithSecret & Result> {
    return this.sender.json<WebhookWithSecret>(
      { method: 'POST', path: '/webhooks', body, key: 'header' },
      options,
    );
  }

  /**
   * List webhooks.
   *
   * Each with the outcomes of the events of the last day.
   */
  list(query?: ListWebhooksQuery, options?: CallOptions): List<Webhook> {
    return this.sender.list<Webhook>({ method: 'GET', path: '/webhooks', query }, options);
  }

  /**
   * A webhook.
   *
   * `problem` says what a member has to look at: that it fails, or why it was disabled.
   *
   * Refused with `forbidden`, `webhook_not_found`.
   */
  get(webhookId: string, options?: CallOptions): Promise<Webhook & Result> {
    return this.sender.json<Webhook>({ method: 'GET', path: path`/webhooks/${webhookId}` }, options);
  }

  /**
   * Change a webhook, pause or activate it.
   *
   * Absent leaves alone, null clears. While a webhook is paused or disabled nothing is sent and nothing
   * kept for it: `recover` sends what it missed.
   *
   * Refused with `forbidden`, `webhook_not_found`.
   */
  update(webhookId: string, body: WebhookChanges, options?: CallOptions): Promise<Webhook & Result> {
    return this.sender.json<Webhook>(
      { method: 'PATCH', path: path`/webhooks/${webhookId}`, body, key: 'header' },
      options,
    );
  }

  /**
   * Delete a webhook.
   *
   * Nothing more is sent there, including what was about to be sent.
   *
   * Refused with `forbidden`, `webhook_not_found`.
   */
  delete(webhookId: string, options?: CallOptions): Promise<Result> {
    return this.sender.json<object>(
      { method: 'DELETE', path: path`/webhooks/${webhookId}`, key: 'header' },
      options,
    );
  }

  /**
   * A new secret for a webhook.
   *
   * For 24 hours messages are signed with the secrets before, too, so that a receiver can change over at
   * its leisure.
   *
   * Refused with `forbidden`, `webhook_not_found`.
   */
  rotateSecret(webhookId: string, options?: CallOptions): Promise<WebhookWithSecret & Result> {
    return this.sender.json<WebhookWithSecret>(
      { method: 'POST', path: path`/webhooks/${webhookId}/rotate`, key: 'header' },
      options,
    );
  }

  /**
   * Send a webhook a test.
   *
   * An event of the kind `webhook.test` is sent to it alone, once, whatever its status and kinds. Its
   * delivery shows, in a moment, what was answered.
   *
   * Refused with `forbidden`, `webhook_not_found`.
   */
  test(webhookId: string, options?: CallOptions): Promise<SentTest & Result> {
    return this.sender.json<SentTest>(
      { method: 'POST', path: path`/webhooks/${webhookId}/test`, key: 'header' },
      options,
    );
  }

  /**
   * Send again what was not delivered.
   *
   * Events since the moment, or seconds before, at most 14 days ago, which the webhook wants to hear of
   * and did not get, those among them that happened while it was paused or disabled. What was delivered
   * since is left out. 10,000 a call, of 50,000 events: where `nextSince` is not null, call again with
   * it.
   *
   * Refused with `forbidden`, `webhook_not_found`, `webhook_not_active`.
   */
  recover(
    webhookId: string,
    body: RecoverWebhookBody,
    options?: CallOptions,
  ): Promise<RecoveredEvents & Result> {
    return this.sender.json<RecoveredEvents>(
      { method: 'POST', path: path`/webhooks/${webhookId}/recover`, body, key: 'header' },
      options,
    );
  }

  /**
   * The outcomes of the events of a webhook.
   *
   * The newest events first; kept for 30 days.
   *
   * Refused with `forbidden`, `webhook_not_found`.
   */
  deliveries(webhookId: string, query?: ListDeliveriesQuery, options?: CallOptions): List<Delivery> {
    return this.sender.list<Delivery>(
      { method: 'GET', path: path`/webhooks/${webhookId}/deliveries`, query },
      options,
    );
  }

  /**
   * The outcome of an event at a webhook.
   *
   * With its attempts. What the receiver has answered is shown to keys with full access alone.
   *
   * Refused with `forbidden`, `webhook_not_found`, `delivery_not_found`.
   */
  delivery(webhookId: string, deliveryId: string, options?: CallOptions): Promise<Delivery & Result> {
    return this.sender.json<Delivery>(
      { method: 'GET', path: path`/webhooks/${webhookId}/deliveries/${deliveryId}` },
      options,
    );
  }

  /**
   * Send an event to a webhook again.
   *
   * At once, whatever the status of the webhook. Where it was delivered or given up it is tried once; one
   * that waits goes on as it would have.
   *
   * Refused with `forbidden`, `webhook_not_found`, `delivery_not_found`.
   */
  resend(webhookId: string, deliveryId: string, options?: CallOptions): Promise<Delivery & Result> {
    return this.sender.json<Delivery>(
      { method: 'POST', path: path`/webhooks/${webhookId}/deliveries/${deliveryId}/resend`, key: 'header' },
      options,
    );
  }
}

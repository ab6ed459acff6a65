import { Resource } from './resource.ts';
import { verifyWebhook } from './verify-webhook.ts';

/** What webhooks have besides their operations. */
export class WebhookReceiver extends Resource {
  /** The event that a webhook brings, once its signature was found right: `verifyWebhook`. */
  readonly verify = verifyWebhook;
}

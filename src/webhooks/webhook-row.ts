/** What a webhook is found by. */
export interface WebhookKey {
  readonly workspaceId: string;
  readonly webhookId: string;
}

/** Where a workspace wants to hear of its events. */
export interface WebhookRow extends WebhookKey {
  readonly url: string;
  readonly types: readonly string[];
  /** Only events of these passes; null for all, those of no pass among them. */
  readonly passIds: readonly string[] | null;
  readonly description: string | null;
  readonly payload: 'full' | 'thin';
  readonly status: 'active' | 'paused' | 'disabled' | 'deleted';
  /** What signs, sealed. */
  readonly secrets: string;
  readonly problem: WebhookProblem | null;
  /** The first failure since something succeeded. */
  readonly failingSince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A problem that needs attention. */
export type WebhookProblem = 'failing' | 'gone' | 'no_success';

/** One attempt to deliver an event, as it is kept. */
export interface Attempt {
  readonly at: string;
  /** Of the answer; null where there was none. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** The first bytes of the answer. */
  readonly answer: string | null;
  /** Why there was no answer; null where there was one. */
  readonly problem: string | null;
}

/** An event on its way to a webhook, and its outcome. */
export interface DeliveryRow {
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly type: string;
  readonly status: 'waiting' | 'delivered' | 'failed';
  readonly dueAt: Date | null;
  readonly attempts: readonly Attempt[];
  readonly createdAt: Date;
}

/** How long deliveries with their outcomes, and deleted webhooks, are kept. */
export const keptMs = 30 * 86_400_000;

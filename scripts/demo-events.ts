import assert from 'node:assert/strict';
import type { Event, Punchcard, WebhookEvent } from '../sdk/typescript/src/index.ts';
import { EventReceiver } from '../tools/fakes/event-receiver.ts';
import { describe } from '../tools/simulate-webhooks.ts';
import { done, say, until } from './demo-steps.ts';

/** A receiver of a shop's events, which shows them as they arrive. */
export interface EventsShown {
  /** Waits until it has all events of the shop, and holds them against the log. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Has the events of a shop posted to a receiver that verifies and prints each. */
export async function showEvents(shop: Punchcard): Promise<EventsShown> {
  say('Have what happens there posted to a receiver of its own');
  const receiver = await EventReceiver.start();
  const { webhookId, secret } = await shop.webhooks.create({ url: receiver.url, types: ['*'] });
  done(`${webhookId}; its secret is shown once`);
  const seen = new Map<string, number>();
  const arrived = new Map<string, WebhookEvent>();
  receiver.onMessage = (message) => {
    const line = describe(message, secret, seen);
    assert.match(line, /^verified/);
    const event = JSON.parse(message.body).data;
    arrived.set(event.eventId, event);
    console.log(`      event ${event.seq}: ${event.type}`);
  };
  return {
    async settle() {
      say('Hold what has arrived against the event log');
      const missing = async () =>
        (await eventsSince(shop, webhookId)).filter(({ eventId }) => !arrived.has(eventId));
      // The last push emits the last events.
      for (let left = await missing(); left.length > 0; left = await missing())
        await until(() => left.every(({ eventId }) => arrived.has(eventId)));
      const kinds = new Set([...arrived.values()].map(({ type }) => type));
      for (const type of ['instance.issued', 'points.awarded', 'reward.redeemed', 'push.delivered'])
        assert.ok(kinds.has(type), type);
      done(`${arrived.size} events of ${kinds.size} kinds, each signed, none missing`);
    },
    close: () => receiver.close(),
  };
}

/** The events from the moment on at which the webhook was there. */
async function eventsSince(shop: Punchcard, webhookId: string): Promise<Event[]> {
  const { createdAt } = await shop.webhooks.get(webhookId);
  return shop.events.list({ afterSeq: 0, createdAfter: createdAt, limit: 100 }).toArray();
}

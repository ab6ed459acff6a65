import { after } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { startTestApp, type TestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { EventReceiver } from '../../tools/fakes/event-receiver.ts';
import type { EventType } from '../events/event-kinds.ts';
import { recordEvent } from '../events/record-event.ts';
import { decodeId } from '../kit/ids.ts';

/** Receivers on this machine may be reached, without TLS. */
export const loopback = { WEBHOOK_ALLOW_HTTP: 'yes', FETCH_ALLOW_CIDRS: '127.0.0.0/8' };

const receivers: EventReceiver[] = [];

/** A service whose webhooks may lead to receivers on this machine; these are closed when the file's tests are over. */
export function startWebhookApp(settings: Record<string, string> = {}): Promise<TestApp> {
  after(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close();
  });
  return startTestApp({ ...loopback, ...settings });
}

/** A receiver, for a service that was started before. */
export async function startReceiver(
  options: Parameters<typeof EventReceiver.start>[0] = {},
): Promise<EventReceiver> {
  const receiver = await EventReceiver.start(options);
  receivers.push(receiver);
  return receiver;
}

/** Creates a webhook of the client, for all kinds of events by default. */
export async function makeWebhook(client: Client, url: string, more: Json = {}): Promise<Json> {
  const { body } = await client.post('/webhooks', { url, types: ['*'], ...more });
  return body;
}

/** Records events in a workspace, as a verb does. Their `data` distinguishes them, since no event's public id is known. */
export async function emitEvents(
  { running: { app } }: TestApp,
  workspaceId: string,
  events: readonly { type?: EventType; data?: Json; passId?: string | null; instanceId?: string | null }[] = [
    {},
  ],
): Promise<void> {
  const id = decodeId('ws', workspaceId) ?? '';
  await app.database.transaction(async (tx) => {
    for (const { type = 'points.awarded', data = {}, passId = null, instanceId = null } of events)
      recordEvent(
        tx,
        { app, requestId: 'req_emitted' },
        { type, workspaceId: id, actor: 'system', passId, instanceId, data },
      );
  });
}

/** The deliveries of a webhook, once the condition holds of them. */
export async function deliveriesOf(
  client: Client,
  webhookId: string,
  holds: (deliveries: Json[]) => boolean = (deliveries) => deliveries.length > 0,
): Promise<Json[]> {
  let deliveries: Json[] = [];
  await until(`the deliveries of ${webhookId}`, async () => {
    deliveries = (await client.get(`/webhooks/${webhookId}/deliveries?limit=100`)).body.data;
    return holds(deliveries);
  });
  return deliveries;
}

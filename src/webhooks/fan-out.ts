import type { KeyObject } from 'node:crypto';
import type { PublicCtx } from '../context.ts';
import { wakeAfter } from '../engine/wake-after.ts';
import type { SeqRange } from '../events/event-log.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { type ClaimedWebhook, insertClaim } from './claims.sql.ts';
import {
  findWanted,
  insertDeliveries,
  insertOwnDeliveries,
  isAnyOfWebhooks,
  type WantedEvent,
} from './new-deliveries.sql.ts';
import { leaseMs } from './send-webhooks.ts';
import { deliveryIdOf } from './sign-message.ts';
import type { WebhookRow } from './webhook-row.ts';
import { signingKeys } from './webhook-secrets.ts';
import type { Claim, Handed } from './webhook-sender.ts';
import { listWebhooks } from './webhooks.sql.ts';

/**
 * Creates deliveries of events, in the transaction that follows the log. This process claims as many as it has capacity for,
 * and sends them after the commit. The others wait in the table. Returns whether the workspace has webhooks.
 */
export async function fanOut(
  tx: Tx,
  ctx: PublicCtx,
  workspaceId: string,
  { from, to }: SeqRange,
): Promise<boolean> {
  const { now, webhookSender } = ctx.app;
  const webhooks = await listWebhooks(tx, workspaceId, null, mostWebhooks);
  if (webhooks.length === 0 || from > to) return webhooks.length > 0;
  const numbers = { from, to, now: now() };
  const active = webhooks.filter(({ status }) => status === 'active');
  const { handed, ends } = await claim(tx, ctx, workspaceId, active, numbers);
  const rest = active
    .map(({ webhookId }) => ({ webhookId, afterSeq: ends.get(webhookId) ?? from - 1, toSeq: to }))
    .filter(({ afterSeq }) => afterSeq < to);
  const [behind, areOfWebhooks] = await Promise.all([
    rest.length === 0 ? [] : insertDeliveries(tx, workspaceId, rest, numbers.now),
    isAnyOfWebhooks(tx, workspaceId, numbers),
  ]);
  const own = areOfWebhooks ? await fanOutToWebhooks(tx, workspaceId, webhooks, numbers) : 0;
  if (behind.length > 0 || own > 0) wakeAfter(tx, ctx, workspaceId, 'deliverWebhooks');
  tx.unit.afterCommit(`handDeliveries ${workspaceId} ${from}`, () => {
    for (const { webhookId } of behind) webhookSender.handed.markSpilled(webhookId);
    webhookSender.handed.add(handed);
  });
  return true;
}

type Numbers = SeqRange & { readonly now: Date };

/** A webhook that has room for deliveries in this process. */
interface Open {
  readonly webhook: WebhookRow;
  readonly keys: readonly KeyObject[];
  readonly room: number;
}

/** Returns what this process will send, and for each webhook the number of the last event that it has claimed. */
async function claim(
  tx: Tx,
  ctx: PublicCtx,
  workspaceId: string,
  active: readonly WebhookRow[],
  { from, to, now }: Numbers,
): Promise<{ handed: Handed[]; ends: ReadonlyMap<string, number> }> {
  const open = active.flatMap((webhook): Open[] => {
    const room = ctx.app.webhookSender.handed.roomOf(webhook);
    const keys = room === 0 ? null : keysOf(ctx, webhook);
    return keys === null ? [] : [{ webhook, keys, room }];
  });
  if (open.length === 0) return { handed: [], ends: new Map() };
  const most = Math.max(...open.map(({ room }) => room));
  const ids = open.map(({ webhook }) => webhook.webhookId);
  const events = await findWanted(tx, workspaceId, { from, to, now }, ids, most);
  const seen = events.length < most ? to : (events.at(-1)?.event.seq ?? to);
  const until = new Date(now.getTime() + leaseMs);
  const made: Claim = { workspaceId, fromSeq: from, left: 0 };
  const handed: Handed[] = [];
  const claimed: ClaimedWebhook[] = [];
  const ends = new Map<string, number>();
  for (const { webhook, keys, room } of open) {
    const { webhookId } = webhook;
    const wanted = events.filter(({ webhookIds }) => webhookIds.has(webhookId));
    const its = wanted.slice(0, room);
    const toSeq = its.length < wanted.length ? (its.at(-1)?.event.seq ?? seen) : seen;
    ends.set(webhookId, toSeq);
    if (its.length > 0) claimed.push({ webhookId, toSeq });
    handed.push(...its.map((one) => handedOf(one, { webhook, keys, claim: made, until })));
  }
  made.left = handed.length;
  if (handed.length > 0) await insertClaim(tx, made, claimed, until);
  return { handed, ends };
}

function handedOf(
  { event }: WantedEvent,
  { until, ...to }: Pick<Handed, 'webhook' | 'keys' | 'claim'> & { readonly until: Date },
): Handed {
  const { workspaceId, eventId, type } = event;
  const { webhookId } = to.webhook;
  const deliveryId = deliveryIdOf(eventId, webhookId);
  const delivery = {
    workspaceId,
    webhookId,
    deliveryId,
    eventId,
    type,
    tries: 0,
    isSingle: false,
    dueAt: until,
  };
  return { ...to, event, delivery };
}

/** The signing keys of a webhook. Null if they cannot be opened: its deliveries wait in the table, and the others are sent. */
function keysOf({ app }: PublicCtx, webhook: WebhookRow): KeyObject[] | null {
  try {
    return signingKeys(app, webhook);
  } catch {
    return null;
  }
}

async function fanOutToWebhooks(
  tx: Tx,
  workspaceId: string,
  webhooks: readonly WebhookRow[],
  numbers: Numbers,
): Promise<number> {
  const named = webhooks.map(({ webhookId }) => ({ webhookId, publicId: encodeId('hook', webhookId) }));
  return insertOwnDeliveries(tx, workspaceId, named, numbers);
}

/** No workspace has more. */
const mostWebhooks = 100;

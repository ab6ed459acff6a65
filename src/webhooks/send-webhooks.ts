import { setTimeout as sleep } from 'node:timers/promises';
import type { PublicCtx } from '../context.ts';
import { byWorkspace } from '../engine/by-workspace.ts';
import { groupByTransaction, transactionsAtOnce } from '../engine/share-transactions.ts';
import { allEnded, withConcurrency } from '../kit/promises.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { inProcessQueue } from './handed-deliveries.ts';
import type { Places } from './places.ts';
import { type Ended, saveAttempts } from './save-attempts.ts';
import type { Attempt } from './webhook-row.ts';
import type { Handed, Outgoing, WebhookSender } from './webhook-sender.ts';

/** A leased delivery is sent within this time, or by the worker that leases it next. An attempt takes half of it at most. */
export const leaseMs = 60_000;
/** Outcomes are recorded in batches: how long one collects, and its size. */
const gather = { ms: 50, most: 1_000 };
/** The time that messages under way have to end after the sender is closed. */
const timeoutMs = 3_000;

/**
 * Sends messages, and records their outcomes. A process without background work gets no messages, and sends nothing.
 */
export function createWebhookSender(
  { ctx, places }: { readonly ctx: () => PublicCtx; readonly places: Places },
  { works }: { readonly works: boolean },
): WebhookSender {
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  const wanting = new Set<string>();
  let ended: Ended[] = [];
  let recording: Promise<void> | null = null;
  const handed = inProcessQueue({ places, send, giveBack, isOpen: works });

  function send(outgoing: Outgoing): void {
    const sending = attempt(outgoing).finally(() => underWay.delete(sending));
    underWay.add(sending);
  }

  function giveBack(some: readonly Handed[]): void {
    for (const { delivery, claim, webhook, event } of some)
      ended.push({ delivery, claim, webhook, event, attempt: null, failure: 'later' });
    recording ??= record();
  }

  async function attempt({ place, keys, ...sent }: Outgoing): Promise<void> {
    const { delivery, webhook, event } = sent;
    const reason =
      webhook === undefined || event === undefined
        ? 'It is gone.'
        : reasonNotTo(webhook.status, delivery.isSingle);
    if (webhook === undefined || event === undefined || reason !== null) {
      place.leave();
      keep({ ...sent, attempt: notTried(reason ?? ''), failure: 'never' });
      return;
    }
    try {
      const outcome = await attemptDelivery(ctx().app, { delivery, webhook, keys, event }, stopping.signal);
      place.leave(outcome.failure === null);
      keep({ ...sent, ...outcome });
    } catch (error) {
      place.leave();
      if (stopping.signal.aborted)
        keep({ ...sent, attempt: notTried('The service was stopped.'), failure: 'later' });
      // It is due again at the end of its lease.
      else ctx().app.log.error({ err: error }, 'a webhook could not be sent');
    }
  }

  function notTried(problem: string): Attempt {
    return { at: ctx().app.now().toISOString(), status: null, milliseconds: 0, answer: null, problem };
  }

  function keep(one: Ended): void {
    ended.push(one);
    recording ??= record();
    handed.next(one.delivery.webhookId);
    // Its place is free: what is taken next need not wait until this is written.
    const { workspaceId } = one.delivery;
    if (wanting.delete(workspaceId)) ctx().app.wake('deliverWebhooks', workspaceId);
  }

  async function record(): Promise<void> {
    await sleep(gather.ms);
    while (ended.length > 0) {
      const some = ended.slice(0, gather.most);
      ended = ended.slice(gather.most);
      const groups = byWorkspace(some.map((one) => ({ workspaceId: one.delivery.workspaceId, one })));
      await withConcurrency(groupByTransaction(ctx().app, groups), transactionsAtOnce, recordGroups);
    }
    recording = null;
  }

  async function recordGroups(
    groups: readonly (readonly [string, readonly { readonly one: Ended }[]])[],
  ): Promise<void> {
    const { app } = ctx();
    try {
      await app.database.transaction((tx) =>
        allEnded(
          groups.map(([id, its]) =>
            saveAttempts(
              tx,
              ctx(),
              id,
              its.map(({ one }) => one),
            ),
          ),
        ),
      );
      for (const [workspaceId, its] of groups) {
        for (const { one } of its) if (one.claim !== null) one.claim.left -= 1;
        if (its.some(({ one }) => one.attempt === null)) app.wake('deliverWebhooks', workspaceId);
      }
    } catch (error) {
      // One failure must not keep the others from being recorded.
      if (groups.length > 1) for (const group of groups) await recordGroups([group]);
      // They are sent again at the end of their leases. A receiver recognizes repeated messages by their ids.
      else app.log.error({ err: error }, 'outcomes of webhook deliveries could not be recorded');
    }
  }

  return {
    places,
    handed,
    send,
    onCapacity: (workspaceId) => {
      wanting.add(workspaceId);
    },
    async close() {
      handed.close();
      await Promise.race([Promise.all(underWay), sleep(timeoutMs, undefined, { ref: false })]);
      stopping.abort();
      await Promise.all(underWay);
      await recording;
    },
  };
}

/** Why a delivery is not sent, as the webhook is; null where it is. */
function reasonNotTo(status: string, isSingle: boolean): string | null {
  if (status === 'active' || (isSingle && status !== 'deleted')) return null;
  return `The webhook is ${status}.`;
}

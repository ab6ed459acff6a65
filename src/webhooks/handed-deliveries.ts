import { hostOf, type Places, type Receiver } from './places.ts';
import type { WebhookRow } from './webhook-row.ts';
import type { Handed, HandedDeliveries, Outgoing } from './webhook-sender.ts';

interface Options {
  readonly places: Places;
  send(outgoing: Outgoing): void;
  /** Has them wait in the table. */
  giveBack(some: readonly Handed[]): void;
  /** Whether any may be handed over. */
  readonly isOpen: boolean;
  readonly clock?: () => number;
}

/** The limits of waiting deliveries: for each permit of their webhook, in all, and in bytes of their events. */
export const most = { perPlace: 32, total: 32_768, bytes: 32 * 1_048_576 };
/**
 * Deliveries that wait for longer are given back. Their lease must last for the attempt, and a webhook that is paused
 * or changed must take effect soon.
 */
export const maxQueueMs = 5_000;
/** How often a queue checks for permits that other webhooks have given back. */
const lookMs = 50;

interface Waiting {
  readonly handed: Handed;
  readonly receiver: Receiver;
  readonly since: number;
}

/** Keeps the deliveries of a process until they are sent, or given back. */
export function inProcessQueue({
  places,
  send,
  giveBack,
  clock = () => performance.now(),
  ...options
}: Options): HandedDeliveries {
  const lines = new Map<string, Waiting[]>();
  const behind = new Set<string>();
  const count = { all: 0, bytes: 0 };
  let look: NodeJS.Timeout | null = null;
  let { isOpen } = options;

  function give(some: readonly Handed[]): void {
    if (some.length === 0) return;
    for (const { webhook } of some) behind.add(webhook.webhookId);
    giveBack(some);
  }

  /** Sends as many deliveries of a webhook as there are permits for, and gives back those that have waited too long. */
  function serve(webhookId: string): void {
    const line = lines.get(webhookId);
    if (line === undefined) return;
    const before = clock() - maxQueueMs;
    const late: Handed[] = [];
    for (let first = line[0]; first !== undefined; first = line[0]) {
      const isLate = first.since < before;
      const place = isLate ? null : places.enter(first.receiver, 'process');
      if (!isLate && place === null) break;
      // Before the send, which may ask for the next one at once.
      line.shift();
      count.all -= 1;
      count.bytes -= bytesOf(first.handed);
      if (place === null) late.push(first.handed);
      else send({ ...first.handed, place });
    }
    if (line.length === 0) lines.delete(webhookId);
    give(late);
  }

  function serveAll(): void {
    look = null;
    for (const webhookId of [...lines.keys()]) serve(webhookId);
    lookLater();
  }

  function lookLater(): void {
    if (lines.size > 0) look ??= setTimeout(serveAll, lookMs);
  }

  return {
    behind,
    markSpilled: (webhookId) => {
      behind.add(webhookId);
    },
    clearSpilled: (webhookId) => {
      behind.delete(webhookId);
    },
    roomOf(webhook) {
      const { webhookId, failingSince } = webhook;
      if (!isOpen || failingSince !== null || behind.has(webhookId) || count.bytes >= most.bytes) return 0;
      const room = places.windowOf(receiverOf(webhook)) * most.perPlace - (lines.get(webhookId)?.length ?? 0);
      return Math.max(0, Math.min(room, most.total - count.all));
    },
    add(some) {
      const free = isOpen ? Math.max(0, most.total - count.all) : 0;
      const since = clock();
      for (const [webhook, its] of Map.groupBy(some.slice(0, free), (one) => one.webhook)) {
        const receiver = receiverOf(webhook);
        const line = lines.get(webhook.webhookId) ?? [];
        lines.set(webhook.webhookId, line);
        for (const handed of its) {
          line.push({ handed, receiver, since });
          count.all += 1;
          count.bytes += bytesOf(handed);
        }
      }
      give(some.slice(free));
      for (const webhookId of new Set(some.map(({ webhook }) => webhook.webhookId))) serve(webhookId);
      lookLater();
    },
    next: serve,
    close() {
      isOpen = false;
      if (look !== null) clearTimeout(look);
      const all = [...lines.values()].flat();
      lines.clear();
      give(all.map(({ handed }) => handed));
    },
  };
}

function receiverOf({ workspaceId, webhookId, url, failingSince }: WebhookRow): Receiver {
  return { workspaceId, webhookId, host: hostOf(url), isFailing: failingSince !== null };
}

function bytesOf({ event }: Handed): number {
  return event.data === null ? 0 : event.bytes;
}

import type { KeyObject } from 'node:crypto';
import type { ClaimKey } from './claims.sql.ts';
import type { DueDelivery, SendableEvent } from './due-deliveries.sql.ts';
import type { Place, Places } from './places.ts';
import type { WebhookRow } from './webhook-row.ts';

/** Deliveries that one process sends for the first time, and that have no rows until that has ended. */
export interface Claim extends ClaimKey {
  /** How many of them have not ended. */
  left: number;
}

/** A delivery that was taken, with its place, and all that it needs. */
export interface Outgoing {
  readonly delivery: DueDelivery;
  /** Null where it has a row. */
  readonly claim: Claim | null;
  readonly place: Place;
  /** Undefined where it is gone. */
  readonly webhook: WebhookRow | undefined;
  /** What signs its messages. */
  readonly keys: readonly KeyObject[];
  /** Undefined where it is gone. */
  readonly event: SendableEvent | undefined;
}

/** A new delivery that is claimed, and all that it needs. */
export type Handed = Omit<Outgoing, 'place' | 'claim' | 'webhook' | 'event'> & {
  readonly claim: Claim;
  readonly webhook: WebhookRow;
  readonly event: SendableEvent;
};

/** New deliveries that are claimed: they wait in this process for their places. */
export interface HandedDeliveries {
  /** How many new ones of a webhook may be handed over; 0 while others of it wait in the table, and before it has answered well. */
  roomOf(webhook: WebhookRow): number;
  /** Has them sent when there are places. What waits for too long, or is too much, is given back to the table. */
  add(some: readonly Handed[]): void;
  /** New ones of a webhook were left in the table, since there was no room: those that follow wait behind them. */
  markSpilled(webhookId: string): void;
  /** The webhooks of which that was said. */
  readonly behind: ReadonlySet<string>;
  /** Reports that no delivery waits there. */
  clearSpilled(webhookId: string): void;
  /** A place was given back. */
  next(webhookId: string): void;
  /** Gives back all waiting deliveries, and accepts no more. */
  close(): void;
}

/** Sends messages outside the rounds of the job that leases them, so that a slow receiver delays only its own. */
export interface WebhookSender {
  readonly places: Places;
  /** Attempts a delivery, then records its outcome, and gives its permit back. */
  send(outgoing: Outgoing): void;
  /** Something waits in a workspace for a place: the job is woken there when one is given back. */
  onCapacity(workspaceId: string): void;
  /** Deliveries that wait in this process for a place, without a look at the table. */
  readonly handed: HandedDeliveries;
  /** Lets what is under way end, for a moment, gives back the rest, and records all of it. */
  close(): Promise<void>;
}

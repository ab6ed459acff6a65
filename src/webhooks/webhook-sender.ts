import type { KeyObject } from 'node:crypto';
import type { DueDelivery, SendableEvent } from './due-deliveries.sql.ts';
import type { Place, Places } from './places.ts';
import type { WebhookRow } from './webhook-row.ts';

/** A delivery that was taken, with its place, and all that it needs. */
export interface Outgoing {
  readonly delivery: DueDelivery;
  readonly place: Place;
  /** Undefined where it is gone. */
  readonly webhook: WebhookRow | undefined;
  /** What signs its messages. */
  readonly keys: readonly KeyObject[];
  /** Undefined where it is gone. */
  readonly event: SendableEvent | undefined;
}

/** Sends messages beside the turns of the job that takes them: a receiver that is slow holds up its own alone. */
export interface WebhookSender {
  readonly places: Places;
  /** Attempts a delivery, then records what became of it, and gives its place back. */
  send(outgoing: Outgoing): void;
  /** Something waits in a workspace for a place: the job is woken there when one is given back. */
  wantMore(workspaceId: string): void;
  /** Lets what is under way end, for a moment, gives back the rest, and records all of it. */
  close(): Promise<void>;
}

import { Readable } from 'node:stream';
import type { Arrival } from '../capacity/arriving-bodies.ts';
import type { Exchange } from './exchange.ts';
import { bodyTooLarge, brokenBody, lateRequest, missingBody } from './refusals.ts';
import type { RoutePlan } from './route-plan.ts';
import { giveUp } from './send-answer.ts';

/** The part of a stream that counts as kept in memory, in bytes; readers of more write it to disk, or take turns. */
const mostKept = 65_536;

/**
 * The body of a request while it arrives, as fast as the reader takes it; before that the client sends nothing. It fails
 * with the refusal of the request: too large, broken off, or empty where a body is required. `destroy` skips the rest of
 * the body, so that the connection can be used again.
 */
export class BodyStream extends Readable {
  readonly #exchange: Exchange;
  readonly #plan: RoutePlan;
  #length = 0;
  #isReading = false;
  /** The arrival, while the stream waits for its client; null while it waits for its reader. */
  #arrival: Arrival | null = null;

  constructor(exchange: Exchange, plan: RoutePlan) {
    super();
    this.#exchange = exchange;
    this.#plan = plan;
    // Its reader learns of an error by reading; the reader may be gone.
    this.on('error', () => undefined);
  }

  override _read(): void {
    const { incoming } = this.#exchange;
    if (!this.#isReading) this.#begin();
    if (this.destroyed) return;
    this.#arrival ??= this.#exchange.awaitBody(() => giveUp(this.#exchange, lateRequest()));
    incoming.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { incoming, outgoing } = this.#exchange;
    this.#rest();
    incoming.off('data', this.#onData);
    incoming.off('end', this.#onEnd);
    incoming.off('error', this.#onBroken);
    outgoing.off('close', this.#onBroken);
    incoming.resume();
    done(error);
  }

  #begin(): void {
    this.#isReading = true;
    const { incoming, outgoing } = this.#exchange;
    if (incoming.destroyed || this.#exchange.isClosed) {
      this.destroy(brokenBody());
      return;
    }
    if (incoming.headers.expect !== undefined && incoming.httpVersion === '1.1') outgoing.writeContinue();
    incoming.on('data', this.#onData);
    incoming.on('end', this.#onEnd);
    incoming.on('error', this.#onBroken);
    // The client has a refusal for its broken request already.
    outgoing.on('close', this.#onBroken);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#length += chunk.length;
    if (this.#length <= mostKept) this.#arrival?.keep(chunk.length);
    if (this.#length > this.#plan.bodyLimit) this.destroy(bodyTooLarge(this.#plan));
    else if (!this.push(chunk)) {
      this.#rest();
      this.#exchange.incoming.pause();
    }
  };

  readonly #onEnd = (): void => {
    this.#rest();
    if (this.#length === 0 && this.#plan.bodyRequired) this.destroy(missingBody(this.#plan));
    else this.push(null);
  };

  /** Stops waiting for the client. */
  #rest(): void {
    this.#arrival?.end();
    this.#arrival = null;
  }

  readonly #onBroken = (): void => {
    this.destroy(brokenBody());
  };
}

import type { IncomingMessage } from 'node:http';
import { type BufferedBody, FairRoom } from './fair-room.ts';
import type { InFlight } from './in-flight.ts';

const MiB = 1_048_576;
/** The memory for the bodies of known callers, and for those of all others, in bytes. */
const roomOfKnown = 128 * MiB;
const roomOfStrangers = 64 * MiB;
/** The memory of a waiting request with its connection and parser, in bytes; a high estimate. */
const bytesOfRequest = 32_768;
/** The time that a closing server waits before it gives up bodies that come too slowly, in ms. */
const lastGraceMs = 5_000;
/** The least rate of a body, on average since its arrival began, in bytes a second. */
const leastRate = 500;

/** The sender of a body. */
export interface Sender {
  /** The name of a known caller, else an address. */
  readonly name: string;
  readonly isKnown: boolean;
}

/** A body of which a part is still to come. */
export interface Arrival {
  /** Counts further bytes that are kept in memory. */
  keep(bytes: number): void;
  /** Ends the wait. May be called again. */
  end(): void;
}

/**
 * The requests that wait for their bodies. They use memory and no handler. Slow callers share that memory among
 * themselves, and never take it from known callers. Requests that arrived whole with their heads are not counted.
 */
export class ArrivingBodies {
  readonly #inFlight: InFlight;
  readonly #known = new FairRoom<Body>(roomOfKnown);
  readonly #strangers = new FairRoom<Body>(roomOfStrangers);
  #graceMs = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(inFlight: InFlight) {
    this.#inFlight = inFlight;
  }

  /**
   * Waits for the rest of a body whose request is in flight. Calls `onLate` once to give the body up: it comes too slowly, or
   * other callers need the room.
   */
  wait(incoming: IncomingMessage, sender: Sender, onLate: () => void): Arrival {
    const inFlight = this.#inFlight;
    inFlight.waiting += 1;
    return this.#enter(incoming, sender, onLate, () => {
      inFlight.waiting -= 1;
    });
  }

  /** The same for the rest of an answered request: the handler does not get it, but the connection stays open for it. */
  discard(incoming: IncomingMessage, sender: Sender): void {
    const { socket } = incoming;
    if (incoming.complete || !socket.writable) return;
    const arrival = this.#enter(
      incoming,
      sender,
      () => socket.destroySoon(),
      () => undefined,
    );
    const end = () => {
      arrival.end();
      incoming.off('close', end);
      socket.off('close', end);
    };
    incoming.on('close', end);
    socket.on('close', end);
  }

  /** Gives up bodies that come too slowly for longer than `graceMs`; checks every `checkMs` milliseconds. */
  watch(checkMs: number, graceMs: number): void {
    this.#graceMs = graceMs;
    // The process first reads what has arrived while it was busy, before it calls a sender late.
    this.#timer = setInterval(() => setImmediate(() => this.#giveUpLate()), checkMs);
    this.#timer.unref();
  }

  /** Notes that the server is closing: after five seconds it gives up bodies that have stopped arriving. */
  hurry(): void {
    const hurry = () => {
      this.#graceMs = Math.min(this.#graceMs, lastGraceMs);
    };
    setTimeout(hurry, lastGraceMs).unref();
  }

  stopWatching(): void {
    clearInterval(this.#timer);
  }

  #giveUpLate(): void {
    const now = performance.now();
    for (const room of [this.#known, this.#strangers])
      for (const body of room.occupants()) if (body.isLate(now, this.#graceMs)) body.giveUp();
  }

  #enter(incoming: IncomingMessage, sender: Sender, onLate: () => void, onEnd: () => void): Arrival {
    const room = sender.isKnown ? this.#known : this.#strangers;
    const body = new Body(room, incoming, sender.name, onLate, onEnd);
    room.enter(body);
    return body;
  }
}

class Body implements Arrival, BufferedBody {
  readonly caller: string;
  size = bytesOfRequest;
  readonly #room: FairRoom<Body>;
  readonly #incoming: IncomingMessage;
  readonly #onLate: () => void;
  readonly #onEnd: () => void;
  readonly #since = performance.now();
  readonly #bytesBefore: number;
  #isOver = false;

  constructor(
    room: FairRoom<Body>,
    incoming: IncomingMessage,
    caller: string,
    onLate: () => void,
    onEnd: () => void,
  ) {
    this.caller = caller;
    this.#room = room;
    this.#incoming = incoming;
    // What came with the head counts.
    this.#bytesBefore = incoming.socket.bytesRead - incoming.readableLength;
    this.#onLate = onLate;
    this.#onEnd = onEnd;
  }

  keep(bytes: number): void {
    this.#room.grow(this, bytes);
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#room.leave(this);
    this.#onEnd();
  }

  isLate(now: number, grace: number): boolean {
    const ms = now - this.#since;
    if (ms <= grace) return false;
    const bytes = this.#incoming.socket.bytesRead - this.#bytesBefore;
    return bytes < (leastRate * ms) / 1_000;
  }

  giveUp(): void {
    if (this.#isOver) return;
    this.end();
    this.#onLate();
  }

  evict(): void {
    this.giveUp();
  }
}

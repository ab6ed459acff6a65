import type { CardKey } from '../../engine/card-key.ts';
import { refusal } from '../../errors.ts';
import type { ApiError } from '../../kit/http/api-error.ts';
import { EventStream, type ServerEvent } from '../../kit/http/endpoints/event-stream.ts';
import type { WebCardState } from './open-web-cards.ts';
import type { OpenCard } from './web-cards.sql.ts';

/** One browser's stream of a card. */
export interface LiveStream {
  readonly card: LiveCard;
  readonly events: EventStream;
  /** What the browser shows. */
  version: string | null;
  /** False until the browser was counted: it is sent nothing before. */
  hasBegun: boolean;
}

/** A card that has streams. */
interface LiveCard extends CardKey {
  /** Identifies the state that was sent last. */
  stamp: string | null;
  /** The moment at which the card changes by itself, in ms; null for never. */
  changesAt: number | null;
  /** How often there was reason to look at the card whatever its stamp, and how many of these looks were had. */
  doubts: number;
  settled: number;
  readonly streams: Set<LiveStream>;
}

const mostStreamsOfCard = 20;
/** Spreads the return of browsers whose process has ended. */
const retryMs = { least: 1_000, spread: 4_000 };

/** All streams of a process, by card. It knows nothing of the database. */
export class LiveStreams {
  readonly #cards = new Map<string, LiveCard>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a stream. Raises `rate_limited` when the card has many. */
  add({ workspaceId, instanceId }: CardKey, version: string | null, onClose: () => void): LiveStream {
    const card = this.#cards.get(instanceId) ?? newCard(workspaceId, instanceId);
    if (card.streams.size >= mostStreamsOfCard) throw tooManyOfCard();
    const events = new EventStream(() => {
      this.#remove(stream);
      onClose();
    });
    const stream: LiveStream = { card, events, version, hasBegun: false };
    this.#cards.set(instanceId, card);
    card.streams.add(stream);
    this.#size += 1;
    return stream;
  }

  /** Sends the first state, unless the browser has it. The card may have changed since: it is looked at again. */
  begin(stream: LiveStream, state: WebCardState): void {
    const { card, events } = stream;
    const isNew = stream.version !== state.version;
    stream.version = state.version;
    stream.hasBegun = true;
    card.doubts += 1;
    events.begin(retryMs.least + Math.random() * retryMs.spread, ...(isNew ? [cardEvent(state)] : []));
  }

  /** Sends every stream of the card that shows something else the state. */
  show(instanceId: string, state: WebCardState): void {
    const card = this.#cards.get(instanceId);
    if (card === undefined) return;
    card.changesAt = state.changesAt === null ? null : Date.parse(state.changesAt);
    const event = cardEvent(state);
    for (const stream of card.streams) {
      if (!stream.hasBegun || stream.version === state.version) continue;
      stream.version = state.version;
      stream.events.send(event);
    }
  }

  /** The card is there no longer. */
  endStreamsOf(instanceId: string): void {
    for (const { events } of this.#cards.get(instanceId)?.streams ?? []) {
      events.send({ event: 'gone', data: '' });
      events.end();
    }
  }

  /** Lets every browser hear that it is still connected, which a script cannot see otherwise. */
  beat(): void {
    for (const { streams } of this.#cards.values())
      for (const { events, hasBegun } of streams) if (hasBegun) events.send({ event: 'beat', data: '' });
  }

  endAll(): void {
    for (const { streams } of this.#cards.values()) for (const { events } of streams) events.end();
  }

  cutAll(): void {
    for (const { streams } of this.#cards.values()) for (const { events } of streams) events.body.destroy();
  }

  /** What to ask the database, and what to note when its answer has been sent. */
  look(now: Date): Look[] {
    return [...this.#cards.values()].map((card) => {
      if (card.changesAt !== null && card.changesAt <= now.getTime()) {
        card.changesAt = null;
        card.doubts += 1;
      }
      const { workspaceId, instanceId, doubts } = card;
      return { workspaceId, instanceId, stamp: doubts === card.settled ? card.stamp : null, doubts };
    });
  }

  /** The state of the stamp was sent to the streams that there were. */
  settle({ instanceId, doubts }: Look, stamp: string): void {
    const card = this.#cards.get(instanceId);
    if (card === undefined) return;
    card.stamp = stamp;
    card.settled = doubts;
  }

  #remove(stream: LiveStream): void {
    const { streams, instanceId } = stream.card;
    if (!streams.delete(stream)) return;
    this.#size -= 1;
    if (streams.size === 0) this.#cards.delete(instanceId);
  }
}

/** A question about a card. */
export interface Look extends OpenCard {
  readonly doubts: number;
}

function newCard(workspaceId: string, instanceId: string): LiveCard {
  return {
    workspaceId,
    instanceId,
    stamp: null,
    changesAt: null,
    doubts: 0,
    settled: -1,
    streams: new Set(),
  };
}

function cardEvent(state: WebCardState): ServerEvent {
  return { event: 'card', id: state.version, data: JSON.stringify(state) };
}

/** The refusal of a process that takes no more streams: another one may. */
export function overloaded(reason: string): ApiError {
  return refusal('overloaded', `${reason} Come back in a moment.`);
}

function tooManyOfCard(): ApiError {
  const message = 'This card is open in too many places. Close some of them.';
  return refusal('rate_limited', message, {}, { 'retry-after': '60' });
}

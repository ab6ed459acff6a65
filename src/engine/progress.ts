import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { refusal } from '../errors.ts';
import { ApiError } from '../kit/http/api-error.ts';
import { EventStream } from '../kit/http/endpoints/event-stream.ts';
import { type Bulkhead, type BulkheadOptions, takePlace } from '../kit/limits/bulkhead.ts';

/** Long work, and who watches it. */
export interface Watched {
  /** The work, the same for all who watch it. */
  readonly name: string;
  /** Whose places it takes. */
  readonly workspaceId: string;
  /** Raises what the caller would be refused with now: a key may have been revoked, or restricted to other passes. */
  admit(): Promise<void>;
  /** What the GET of its resource answers now, and whether the work has ended; raises what that refuses. */
  show(): Promise<{ readonly shown: object; readonly isDone: boolean }>;
}

/** The streams of a process by which long work is watched. */
export interface ProgressStreams {
  /** A stream that begins with the present state; null for who has the last one already. */
  open(watched: Watched, lastEventId: string | undefined, signal?: AbortSignal): Promise<Readable | null>;
  /** Cuts all off. */
  close(): Promise<void>;
}

/** So many streams are open, of a workspace and in all. */
export const progressLimits: BulkheadOptions = {
  places: { perKey: 32, total: 512 },
  waiting: { perKey: 32, total: 512 },
  maxQueueMs: 2_000,
  refusal: () => refusal('overloaded', 'Too much work is watched already. Try again in a while.'),
};

interface Stream {
  readonly watched: Watched;
  readonly events: EventStream;
  /** Identifies the state that was sent last. */
  sentId: string;
}

/** With the age that what is known of keys may have, a revoked one is cut off within about a second. */
const everyMs = 500;
const beatMs = 15_000;
/** Spreads the return of clients whose process has ended. */
const retryMs = { least: 1_000, spread: 4_000 };

/**
 * Looks at all that is watched in this process in turn, one thing after the other and each once however many watch it; at
 * nothing while there is no watcher. So it costs one connection at most.
 */
export function createProgressStreams(
  app: () => { readonly log: Logger; isDraining(): boolean },
  places: Bulkhead,
): ProgressStreams {
  const streams = new Set<Stream>();
  let looking: Promise<void> | null = null;
  let isClosed = false;

  async function look(): Promise<void> {
    for (let beatAt = performance.now() + beatMs; streams.size > 0; ) {
      await sleep(everyMs);
      if (app().isDraining()) for (const { events } of streams) events.end();
      if (performance.now() >= beatAt) {
        beatAt = performance.now() + beatMs;
        for (const { events } of streams) events.beat();
      }
      await acquirePace();
    }
    looking = null;
  }

  async function acquirePace(): Promise<void> {
    const open = [...streams].filter(({ events }) => events.isOpen);
    const admit = (stream: Stream) => tried(stream, () => stream.watched.admit().then(() => stream));
    const admitted = await Promise.all(open.map(admit));
    const asked = admitted.filter((stream) => stream !== null);
    for (const those of Map.groupBy(asked, ({ watched }) => watched.name).values()) {
      const [first] = those;
      if (first === undefined) continue;
      const state = await tried(first, () => stateOf(first.watched));
      if (state !== null) for (const stream of those) sendTo(stream, state);
    }
  }

  /** What is done for a stream; null where it was refused, which ends the stream, or has failed, which passes. */
  async function tried<T>({ events }: Stream, act: () => Promise<T>): Promise<T | null> {
    try {
      return await act();
    } catch (error) {
      // A client that reconnects gets the reason.
      if (error instanceof ApiError && error.status < 500) events.end();
      else app().log.warn({ err: error }, 'watched work could not be looked at');
      return null;
    }
  }

  function begin(
    watched: Watched,
    state: State,
    lastEventId: string | undefined,
    ended: () => void,
  ): Readable {
    const events = new EventStream(() => {
      streams.delete(stream);
      ended();
    });
    const stream: Stream = { watched, events, sentId: state.id };
    events.begin(
      retryMs.least + Math.random() * retryMs.spread,
      ...(lastEventId === state.id ? [] : [eventOf(state)]),
    );
    if (state.isDone) events.end();
    else {
      streams.add(stream);
      looking ??= look();
    }
    return events.body;
  }

  return {
    async open(watched, lastEventId, signal) {
      const state = await stateOf(watched);
      if (state.isDone && state.id === lastEventId) return null;
      const leave = await takePlace(places, watched.workspaceId, signal);
      if (!isClosed && !app().isDraining()) return begin(watched, state, lastEventId, leave);
      leave();
      throw refusal('overloaded', 'The process is shutting down.');
    },
    async close() {
      isClosed = true;
      for (const { events } of streams) events.body.destroy();
      streams.clear();
      await looking;
    },
  };
}

interface State {
  readonly id: string;
  readonly data: string;
  readonly isDone: boolean;
}

async function stateOf(watched: Watched): Promise<State> {
  const { shown, isDone } = await watched.show();
  const data = JSON.stringify(shown);
  return { id: hash('sha256', data, 'base64url').slice(0, 22), data, isDone };
}

function sendTo(stream: Stream, state: State): void {
  if (stream.sentId !== state.id) stream.events.send(eventOf(state));
  stream.sentId = state.id;
  if (state.isDone) stream.events.end();
}

function eventOf({ id, data, isDone }: State) {
  return { event: isDone ? 'done' : 'progress', id, data };
}

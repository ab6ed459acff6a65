import type { PublicCtx } from '../../context.ts';
import { readByWorkspace } from '../../engine/by-workspace.ts';
import { encodeId } from '../../kit/ids.ts';
import { type Bulkhead, type BulkheadOptions, takePlace } from '../../kit/limits/bulkhead.ts';
import { type ReadCard, readCards } from '../../rendering/read-cards.ts';
import { type LiveStream, LiveStreams, overloaded } from './live-streams.ts';
import { LiveViewers } from './live-viewers.ts';
import type { OpenWebCards } from './open-web-cards.ts';
import { webCardState } from './web-card-state.ts';
import { listChanged } from './web-cards.sql.ts';

interface Options {
  /** What the streams are kept up with; asked for once there is one. */
  ctx(): PublicCtx;
  /** Those of the streams. */
  readonly places: Bulkhead;
}

/** Two of them, and the time to draw, fit into the second that a holder waits at most. */
const pollMs = 500;
const afterFailureMs = 2_000;
const beatMs = 15_000;
const cardsPerQuery = 200;
/** The most streams of a process. A workspace has a quarter at most, and so has an address. */
export const streamPlaces: BulkheadOptions = {
  places: { perKey: 2_500, total: 10_000 },
  waiting: { perKey: 100, total: 400 },
  maxQueueMs: 2_000,
  refusal: () => overloaded('Too many cards are open.'),
};

/**
 * Looks at all cards that are open in this process with one query, twice a second, however many streams they have; and
 * at nothing while none is open. Processes exchange no messages, and no connection is kept for it, so it works with
 * any number of processes, and behind a pooler that hands out connections by transaction.
 */
export function createLiveCards({ ctx, places }: Options): OpenWebCards {
  const streams = new LiveStreams();
  const viewers = new LiveViewers(ctx);
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> | null = null;
  let upkeep: Promise<void> | null = null;
  let upkeepAt = 0;
  let beatAt = 0;
  let isClosed = false;

  function poll(): void {
    const began = performance.now();
    turn = acquirePace()
      .then(
        () => began + pollMs - performance.now(),
        (error) => {
          ctx().app.log.warn({ err: error }, 'open web cards could not be looked at');
          return afterFailureMs;
        },
      )
      .then((pauseMs) => {
        turn = null;
        timer = undefined;
        if (!isClosed && (streams.size > 0 || viewers.size > 0))
          timer = setTimeout(poll, Math.max(0, pauseMs));
      });
  }

  async function acquirePace(): Promise<void> {
    if (ctx().app.isDraining()) return leaveToOthers();
    keepUp();
    if (performance.now() >= beatAt) {
      beatAt = performance.now() + beatMs;
      streams.beat();
    }
    if (streams.size > 0) await pushChanges();
  }

  async function pushChanges(): Promise<void> {
    const { app } = ctx();
    const looks = new Map(streams.look(app.now()).map((look) => [look.instanceId, look]));
    const changed = await readByWorkspace(app.database.db, [...looks.values()], listChanged);
    for (let at = 0; at < changed.length; at += cardsPerQuery) {
      const some = changed.slice(at, at + cardsPerQuery);
      for (const card of await readCards(ctx(), some)) show(card);
      // Last: what fails before is found again.
      for (const { instanceId, stamp } of some) {
        const look = looks.get(instanceId);
        if (stamp === null) streams.endStreamsOf(instanceId);
        else if (look !== undefined) streams.settle(look, stamp);
      }
    }
  }

  /** One card that cannot be drawn keeps no other from being sent. */
  function show({ instanceId, view }: ReadCard): void {
    const { app } = ctx();
    try {
      streams.show(instanceId, webCardState(view, app.now()));
    } catch (error) {
      app.log.error({ err: error, instanceId: encodeId('inst', instanceId) }, 'a web card cannot be drawn');
    }
  }

  /** Apart from the rounds: no page waits for a change because others come and go. */
  function keepUp(): void {
    if (upkeep !== null || performance.now() < upkeepAt) return;
    upkeep = viewers
      .upkeep()
      .catch((error) => {
        upkeepAt = performance.now() + afterFailureMs;
        ctx().app.log.warn({ err: error }, 'viewers of web cards could not be counted');
      })
      .finally(() => {
        upkeep = null;
      });
  }

  function leaveToOthers(): void {
    viewers.forgetAll();
    streams.endAll();
  }

  return {
    get size() {
      return streams.size;
    },
    async open({ version, state, shares, signal, ...named }) {
      const leave = await takePlace(places, shares, signal);
      let stream: LiveStream;
      try {
        if (isClosed || ctx().app.isDraining()) throw overloaded('The process is shutting down.');
        stream = streams.add(named, version, () => {
          leave();
          viewers.leave(viewer);
        });
      } catch (error) {
        leave();
        throw error;
      }
      const viewer = viewers.enter(named);
      timer ??= setTimeout(poll, pollMs);
      try {
        await viewers.arrive(viewer);
      } catch (error) {
        stream.events.body.destroy();
        throw error;
      }
      streams.begin(stream, state);
      return stream.events.body;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      viewers.forgetAll();
      streams.cutAll();
      await turn;
      await upkeep;
    },
  };
}

import { countIn, type Limit } from '../../access/limits.ts';
import type { PublicCtx } from '../../context.ts';
import { byWorkspace } from '../../engine/by-workspace.ts';
import { dropEnded, keepOpen, watchedForMs } from './keep-viewer.ts';
import { renewViewers, type Viewer } from './web-cards.sql.ts';

/** A browser that has a card open, in one tab or several. */
export interface LiveViewer extends Viewer {
  streams: number;
  /** The end of its last count, by the service's clock in ms; 0 for not yet. */
  keptUntil: number;
  /** The moment of the end of its last stream, in ms of `performance.now()`. */
  leftAt: number;
}

const renewMs = watchedForMs / 3;
const viewersPerStatement = 2_000;
const dropsPerTurn = 200;
/** Who reloads a page is back within this time, and was never away. */
const lingerMs = 2_000;
/** New viewers of one card, since each is noted on the timeline. */
const arrivals: Limit = { atOnce: 20, everyS: 3 };

/** Counts the browsers that have cards open here as wallets, for as long as they have. */
export class LiveViewers {
  readonly #ctx: () => PublicCtx;
  readonly #viewers = new Map<string, LiveViewer>();
  #renewAt = 0;

  constructor(ctx: () => PublicCtx) {
    this.#ctx = ctx;
  }

  get size(): number {
    return this.#viewers.size;
  }

  /** Adds a stream of the viewer. */
  enter({ workspaceId, instanceId, viewerId }: Viewer): LiveViewer {
    const viewer = this.#viewers.get(nameOf({ instanceId, viewerId })) ?? {
      workspaceId,
      instanceId,
      viewerId,
      streams: 0,
      keptUntil: 0,
      leftAt: 0,
    };
    viewer.streams += 1;
    this.#viewers.set(nameOf(viewer), viewer);
    return viewer;
  }

  leave(viewer: LiveViewer): void {
    viewer.streams -= 1;
    viewer.leftAt = performance.now();
  }

  /** Counts a viewer that is new here. A viewer that comes too often is counted when it is still here at the next renewal. */
  async arrive(viewer: LiveViewer): Promise<void> {
    if (viewer.keptUntil > this.#now() || !(await this.#mayArrive(viewer))) return;
    await this.#keep(viewer);
  }

  /** Keeps those counted that are here, and drops those that have left. */
  async upkeep(): Promise<void> {
    const now = this.#now();
    if (now >= this.#renewAt) {
      await this.#renew(now + watchedForMs);
      this.#renewAt = now + renewMs;
    }
    const left = (viewer: LiveViewer) => viewer.streams === 0 && viewer.leftAt + lingerMs < performance.now();
    // Not all at once: no viewer is renewed during the deletes.
    for (const viewer of [...this.#viewers.values()].filter(left).slice(0, dropsPerTurn))
      await this.#drop(viewer);
  }

  /** Leaves them to the process that they come back to, or to their end. */
  forgetAll(): void {
    this.#viewers.clear();
  }

  async #renew(until: number): Promise<void> {
    const present = [...this.#viewers.values()].filter(({ streams }) => streams > 0);
    for (const [workspaceId, viewers] of byWorkspace(present)) {
      for (let at = 0; at < viewers.length; at += viewersPerStatement) {
        const some = viewers.slice(at, at + viewersPerStatement);
        const missing = await this.#database.transaction((tx) =>
          renewViewers(tx, workspaceId, some, new Date(until)),
        );
        for (const viewer of some) viewer.keptUntil = until;
        for (const viewer of missing) {
          const known = this.#viewers.get(nameOf(viewer));
          if (known !== undefined && known.streams > 0) await this.#keep(known);
        }
      }
    }
  }

  async #keep(viewer: LiveViewer): Promise<void> {
    await this.#database.transaction((tx) => keepOpen(tx, this.#ctx(), viewer));
    viewer.keptUntil = this.#now() + watchedForMs;
  }

  async #drop(viewer: LiveViewer): Promise<void> {
    const end = new Date(viewer.keptUntil);
    // A viewer that has it installed, or was seen by another process since, ends later.
    if (viewer.keptUntil > 0)
      await this.#database.transaction((tx) => dropEnded(tx, this.#ctx(), viewer, end));
    viewer.keptUntil = 0;
    if (viewer.streams === 0) this.#viewers.delete(nameOf(viewer));
    // It came back while it was dropped.
    else this.#renewAt = 0;
  }

  async #mayArrive({ instanceId }: Viewer): Promise<boolean> {
    const name = `web-card:${instanceId}`;
    return (await countIn(this.#ctx().app, name, arrivals)).allowed;
  }

  #now(): number {
    return this.#ctx().app.now().getTime();
  }

  get #database() {
    return this.#ctx().app.database;
  }
}

function nameOf({ instanceId, viewerId }: Pick<Viewer, 'instanceId' | 'viewerId'>): string {
  return `${instanceId} ${viewerId}`;
}

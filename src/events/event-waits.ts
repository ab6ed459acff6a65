import { setTimeout as sleep } from 'node:timers/promises';
import { readByWorkspace } from '../engine/by-workspace.ts';
import { refusal } from '../errors.ts';
import type { Database } from '../kit/db/database.ts';
import type { Bulkhead, BulkheadOptions } from '../kit/limits/bulkhead.ts';
import { findHeads } from './event-log.sql.ts';

/** Callers who wait for events: each process asks the database for all of theirs together. */
export interface EventWaits {
  /** How many may wait, of one workspace and in all. */
  readonly places: Bulkhead;
  /** How many wait at the moment. */
  readonly count: number;
  /**
   * Whether the workspace has got events above a number: resolves once it has, or after `ms`. Raises the signal's reason.
   */
  until(workspaceId: string, seq: number, ms: number, signal?: AbortSignal): Promise<boolean>;
  /** Lets all go. */
  close(): void;
}

interface Waiter {
  readonly workspaceId: string;
  readonly seq: number;
  go(hasMore: boolean): void;
}

const everyMs = 250;

/** The most calls that wait, of a workspace and in all. */
export const waitLimits: BulkheadOptions = {
  places: { perKey: 32, total: 512 },
  waiting: { perKey: 32, total: 512 },
  maxQueueMs: 2_000,
  refusal: () => refusal('overloaded', 'Too many calls wait for events already: try again in a while.'),
};

export function createEventWaits({ db }: Pick<Database, 'db'>, places: Bulkhead): EventWaits {
  const waiters = new Set<Waiter>();
  let isLooking = false;
  let isClosed = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (waiters.size > 0) {
      await sleep(everyMs);
      const asked = [...waiters];
      // Should the database be away, they wait until their time is over.
      const heads = await readByWorkspace(db, asked, findHeads).catch(() => []);
      const bySpace = new Map(heads.map((head) => [head.workspaceId, head]));
      for (const waiter of asked) {
        const head = bySpace.get(waiter.workspaceId);
        if (head !== undefined && head.lastSeq > waiter.seq) waiter.go(true);
      }
    }
    isLooking = false;
  }

  return {
    places,
    get count() {
      return waiters.size;
    },
    async until(workspaceId, seq, ms, signal) {
      signal?.throwIfAborted();
      if (isClosed) return false;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const waiter = { workspaceId, seq, go: resolve };
      const end = () => resolve(false);
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end);
      waiters.add(waiter);
      void look();
      const hasMore = await promise;
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      waiters.delete(waiter);
      signal?.throwIfAborted();
      return hasMore;
    },
    close() {
      isClosed = true;
      for (const waiter of waiters) waiter.go(false);
    },
  };
}

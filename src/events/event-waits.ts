import { setTimeout as sleep } from 'node:timers/promises';
import { readByWorkspace } from '../engine/by-workspace.ts';
import { refusal } from '../errors.ts';
import type { Database } from '../kit/db/database.ts';
import type { Bulkhead, BulkheadOptions } from '../kit/limits/bulkhead.ts';
import { findHeads } from './event-log.sql.ts';

/** Callers who wait for events: each process asks the database for all of theirs together. */
export interface EventWaits {
  /** How many may wait, of one caller and in all. */
  readonly places: Bulkhead;
  /** Resolves once the workspace has events above a number, those that are yet to be numbered among them, or after `ms`. */
  until(workspaceId: string, seq: number, ms: number): Promise<void>;
  /** Lets all go. */
  close(): void;
}

interface Waiter {
  readonly workspaceId: string;
  readonly seq: number;
  go(): void;
}

const everyMs = 250;

/** So many calls wait, of a key and in all. */
export const waitLimits: BulkheadOptions = {
  places: { perKey: 8, total: 256 },
  waiting: { perKey: 0, total: 0 },
  patienceMs: 0,
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
        if (head !== undefined && (head.isMore || head.lastSeq > waiter.seq)) waiter.go();
      }
    }
    isLooking = false;
  }

  return {
    places,
    until(workspaceId, seq, ms) {
      if (isClosed) return Promise.resolve();
      return new Promise((resolve) => {
        const waiter = { workspaceId, seq, go };
        const timer = setTimeout(go, ms);
        waiters.add(waiter);
        void look();
        function go(): void {
          clearTimeout(timer);
          waiters.delete(waiter);
          resolve();
        }
      });
    },
    close() {
      isClosed = true;
      for (const waiter of waiters) waiter.go();
    },
  };
}

import { type Batcher, createBatcher } from './batcher.ts';
import { CommitUnknown, type Db, isTransient, LostRace, NoTurn, sqlState, type Tx } from './database.ts';
import type { Tenants } from './tenants.ts';

/** A set-based write: takes a list of one lane and answers each item, refusals included, in the same order. */
export type WriteMany<Item, Result> = (
  tx: Tx,
  lane: string,
  items: readonly Item[],
) => Promise<readonly Result[]>;
/** A set-based read. */
export type ReadMany<Item, Result> = (
  db: Db,
  lane: string,
  items: readonly Item[],
) => Promise<readonly Result[]>;

/**
 * Merges concurrent calls of the same set-based function and lane into one transaction, or one query. A lane that begins with
 * the id of a tenant is about rows of that tenant alone.
 */
export interface GroupCommit {
  write<Item, Result>(many: WriteMany<Item, Result>, lane: string, item: Item): Promise<Result>;
  read<Item, Result>(many: ReadMany<Item, Result>, lane: string, item: Item): Promise<Result>;
}

/** A batch larger than this would hold its locks longer than it saves commits. */
const largest = 100;
/** A second run goes beside the first where that is worth it, or where the first is stuck. */
const width = 2;
/**
 * Small runs cost each item more than it gains by not waiting: most of a run's cost is its own. Of writes one run fills
 * while another waits for the disk; reads wait for nothing, so only a full run is worth it.
 */
const worthwhile = { write: 24, read: largest };
/** A run that takes longer waits for a lock, or its connection is lost. */
const slowMs = 100;
/** As long as for a connection. */
const patienceMs = 2_000;

/** One batcher per function, made at its first call. */
export function createGroupCommit(tenants: Tenants): GroupCommit {
  const batchers = new Map<unknown, Batcher<unknown, unknown>>();

  function batcherOf<Item, Result>(
    many: unknown,
    kind: 'write' | 'read',
    run: (lane: string, items: readonly Item[]) => Promise<readonly Result[]>,
  ): Batcher<Item, Result> {
    const known = batchers.get(many);
    if (known !== undefined) return known as Batcher<Item, Result>;
    const made = createBatcher<Item, Result>({
      largest,
      width,
      worthwhile: worthwhile[kind],
      slowMs,
      patienceMs,
      refusal: () => new NoTurn(),
      run,
      mayBeOneItem,
      isStall,
    });
    batchers.set(many, made as Batcher<unknown, unknown>);
    return made;
  }

  return {
    write: (many, lane, item) =>
      batcherOf(many, 'write', (name, items: readonly (typeof item)[]) =>
        tenants.transaction(tenantOf(name), (tx) => many(tx, name, items)),
      ).submit(lane, item),
    read: (many, lane, item) =>
      batcherOf(many, 'read', (name, items: readonly (typeof item)[]) =>
        tenants.read(tenantOf(name), (db) => many(db, name, items)),
      ).submit(lane, item),
  };
}

function tenantOf(lane: string): string | null {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?= |$)/.exec(lane)?.[0] ?? null;
}

function isStall(error: unknown): boolean {
  return sqlState(error) === '55P03';
}

/** A row that the database refuses, or one that somebody else holds. */
function mayBeOneItem(error: unknown): boolean {
  const isHeld = error instanceof LostRace || ['40001', '40P01', '55P03'].includes(sqlState(error) ?? '');
  return isHeld || !(isTransient(error) || error instanceof CommitUnknown);
}

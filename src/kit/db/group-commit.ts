import type { Tenants } from '../citus/tenants.ts';
import { allEnded } from '../promises.ts';
import { type Batcher, createBatcher, type SharedRuns } from './batcher.ts';
import { type Db, inOneWrite, splitTransaction, type Tx } from './database.ts';
import { CommitUnknown, isTransient, LostRace, NoTurn, sqlState } from './database-errors.ts';

/** A set-based write: takes a list of one lane and answers each item, refusals included, in the same order. */
export interface WriteMany<Item, Result> {
  (tx: Tx, lane: string, items: readonly Item[]): Promise<readonly Result[]>;
  /** Whether lanes of several tenants may share a transaction: it goes back to no savepoint in a part of one. */
  readonly isShareable?: boolean;
}
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
/** A second run starts next to the first where that is worth it, or where the first is stuck. */
const width = 2;
/**
 * Small runs cost each item more than it gains by not waiting: most of a run's cost is its own. Of writes one run fills
 * while another waits for the disk; reads wait for nothing, so only a full run is worth it.
 */
const minItemsForSecondRun = { write: 24, read: largest };
/** A run that takes longer waits for a lock, or its connection is lost. */
const slowMs = 100;
/** Runs that tenants share at a time: one fills while another waits for the disk, or its answers. */
const sharedWidth = 2;
/** What tenants wait for a lock of another one that shares their transaction. Afterwards each has its own. */
const sharedLockMs = 100;
/** As long as for a connection. */
const maxQueueMs = 2_000;

/** Where a set-based function does its work: on rows of one tenant, or on those of several, each on a part of its own. */
interface WorkPlace<On> {
  alone<T>(tenant: string | null, work: (on: On) => Promise<T>): Promise<T>;
  together<T>(work: (nextPart: () => On) => Promise<T>): Promise<T>;
}

/** One batcher per function, made at its first call. Lanes of so many tenants share a query, or a transaction where the function allows it. */
export function createGroupCommit(tenants: Tenants, tenantsTogether = 1): GroupCommit {
  const batchers = new Map<unknown, Batcher<unknown, unknown>>();
  const writing: WorkPlace<Tx> = {
    alone: (tenant, work) => tenants.transaction(tenant, work),
    together: (work) =>
      tenants.transaction(null, (tx) => work(() => splitTransaction(tx)), {
        tries: 1,
        lockMs: sharedLockMs,
      }),
  };
  const reading: WorkPlace<Db> = {
    alone: (tenant, work) => tenants.read(tenant, work),
    together: (work) => tenants.read(null, (db) => inOneWrite(db, (one) => work(() => one))),
  };

  function batcherOf<On, Item, Result>(
    many: (on: On, lane: string, items: readonly Item[]) => Promise<readonly Result[]>,
    kind: 'write' | 'read',
    { alone, together }: WorkPlace<On>,
    isShareable: boolean,
  ): Batcher<Item, Result> {
    const known = batchers.get(many);
    if (known !== undefined) return known as Batcher<Item, Result>;
    const shared: SharedRuns<Item, Result> = {
      lanes: tenantsTogether,
      width: sharedWidth,
      ownerOf: (lane) => tenantOf(lane) ?? lane,
      run: (parts, failed) =>
        together((nextPart) =>
          allEnded(
            parts.map(({ lane, items }) =>
              many(nextPart(), lane, items).catch((error) => {
                failed(lane);
                throw error;
              }),
            ),
          ),
        ),
    };
    const made = createBatcher<Item, Result>({
      largest,
      width,
      minItemsForSecondRun: minItemsForSecondRun[kind],
      slowMs,
      maxQueueMs,
      refusal: () => new NoTurn(),
      run: (lane, items) => alone(tenantOf(lane), (on) => many(on, lane, items)),
      ...(tenantsTogether > 1 && isShareable && { shared }),
      mayBeOneItem,
      isStall,
    });
    batchers.set(many, made as Batcher<unknown, unknown>);
    return made;
  }

  return {
    write: (many, lane, item) =>
      batcherOf(many, 'write', writing, many.isShareable === true).submit(lane, item),
    read: (many, lane, item) => batcherOf(many, 'read', reading, true).submit(lane, item),
  };
}

function tenantOf(lane: string): string | null {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?= |$)/.exec(lane)?.[0] ?? null;
}

function isStall(error: unknown): boolean {
  return sqlState(error) === '55P03';
}

/** A row that the database refuses, or one that another transaction holds. */
function mayBeOneItem(error: unknown): boolean {
  const isHeld = error instanceof LostRace || ['40001', '40P01', '55P03'].includes(sqlState(error) ?? '');
  return isHeld || !(isTransient(error) || error instanceof CommitUnknown);
}

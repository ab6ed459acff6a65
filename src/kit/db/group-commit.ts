import { type Batcher, createBatcher } from './batcher.ts';
import { CommitUnknown, type Database, type Db, isTransient, type Tx } from './database.ts';

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

/** Merges concurrent calls of the same set-based function and lane into one transaction, or one query. */
export interface GroupCommit {
  write<Item, Result>(many: WriteMany<Item, Result>, lane: string, item: Item): Promise<Result>;
  read<Item, Result>(many: ReadMany<Item, Result>, lane: string, item: Item): Promise<Result>;
}

/** One batcher per function, made at its first call. `largest` bounds the items of one run. */
export function createGroupCommit(database: Database, largest: number): GroupCommit {
  const batchers = new Map<unknown, Batcher<unknown, unknown>>();

  function batcherOf<Item, Result>(
    many: unknown,
    run: (lane: string, items: readonly Item[]) => Promise<readonly Result[]>,
  ): Batcher<Item, Result> {
    const known = batchers.get(many);
    if (known !== undefined) return known as Batcher<Item, Result>;
    const made = createBatcher<Item, Result>({ largest, run, mayBeOneItem });
    batchers.set(many, made as Batcher<unknown, unknown>);
    return made;
  }

  return {
    write: (many, lane, item) =>
      batcherOf(many, (name, items: readonly (typeof item)[]) =>
        database.transaction((tx) => many(tx, name, items)),
      ).submit(lane, item),
    read: (many, lane, item) =>
      batcherOf(many, (name, items: readonly (typeof item)[]) => many(database.db, name, items)).submit(
        lane,
        item,
      ),
  };
}

function mayBeOneItem(error: unknown): boolean {
  return !isTransient(error) && !(error instanceof CommitUnknown);
}

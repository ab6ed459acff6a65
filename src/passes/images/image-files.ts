import { LRUCache } from 'lru-cache';
import type { Database } from '../../kit/db/database.ts';
import { findFile } from './images.sql.ts';

const cachedBytes = 64 * 1024 * 1024;

/** The stored images, the recent ones in memory. They never change: equal hashes are equal bytes. */
export interface ImageFiles {
  /** The bytes of a PNG by their SHA-256; undefined where no pass shows it. The same Buffer for all: do not write to it. */
  read(hash: string): Promise<Buffer | undefined>;
}

/** Reads images of the database, each once for callers at the same time. */
export function createImageFiles(database: Database): ImageFiles {
  const files = new LRUCache<string, Buffer>({
    maxSize: cachedBytes,
    sizeCalculation: ({ length }) => length + 500,
    // What others push out while it is being read is answered all the same.
    ignoreFetchAbort: true,
    fetchMethod: (hash) => findFile(database.db, hash),
  });
  return { read: (hash) => files.fetch(hash) };
}

import { LRUCache } from 'lru-cache';
import type { Database } from '../../kit/db/database.ts';
import type { GroupCommit } from '../../kit/db/group-commit.ts';
import { keptWork } from '../../kit/kept-work.ts';
import { type AdmittedKeyRow, findKeysBySecret, touchKey } from './keys.sql.ts';

/** The keys of recent requests. Half a second old at most, which bounds how long a revoked key still works. */
export interface KeyCache {
  /** The key that a secret's hash opens, live or not; undefined when nobody has it. */
  find(secretHash: Buffer): Promise<AdmittedKeyRow | undefined>;
  /** Forgets everything, after a change of this process. */
  clear(): void;
}

const maxAgeMs = 500;
const maxKeys = 10_000;
/** The use of a key is noted at most this often. */
const touchEveryMs = 60_000;

/**
 * Reads through to the database. Look-ups that come together share a query, so that a flood of made-up keys takes one
 * connection and not all of them.
 */
export function createKeyCache(
  { database, groupCommit }: { database: Database; groupCommit: GroupCommit },
  onError: (error: unknown) => void,
): KeyCache {
  const cache = new LRUCache<string, Promise<AdmittedKeyRow | undefined>>({
    max: maxKeys,
    ttl: maxAgeMs,
    ttlResolution: 20,
  });

  async function load(secretHash: Buffer): Promise<AdmittedKeyRow | undefined> {
    const row = await groupCommit.read(findKeysBySecret, 'all', secretHash);
    if (
      row !== undefined &&
      (row.lastUsedAt === null || Date.now() - row.lastUsedAt.getTime() > touchEveryMs)
    ) {
      // Noting the use must neither delay nor fail the request.
      void database
        .transaction((tx) => touchKey(tx, row.workspaceId, row.keyId, touchEveryMs))
        .catch(onError);
    }
    return row;
  }

  return {
    find: (secretHash) => keptWork(cache, secretHash.toString('latin1'), () => load(secretHash)),
    clear: () => cache.clear(),
  };
}

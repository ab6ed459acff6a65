import { LRUCache } from 'lru-cache';
import type { Database } from '../../kit/db/database.ts';
import { type AdmittedKeyRow, findKeyBySecret, touchKey } from './keys.sql.ts';

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

/** Reads through to the database; concurrent look-ups of one key share a query. */
export function createKeyCache(database: Database, onError: (error: unknown) => void): KeyCache {
  const cache = new LRUCache<string, Promise<AdmittedKeyRow | undefined>>({
    max: maxKeys,
    ttl: maxAgeMs,
    ttlResolution: 20,
  });

  async function load(secretHash: Buffer): Promise<AdmittedKeyRow | undefined> {
    const row = await findKeyBySecret(database.db, secretHash);
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
    find(secretHash) {
      const name = secretHash.toString('latin1');
      const known = cache.get(name);
      if (known !== undefined) return known;
      const loading = load(secretHash);
      cache.set(name, loading);
      loading.catch(() => cache.delete(name));
      return loading;
    },
    clear: () => cache.clear(),
  };
}

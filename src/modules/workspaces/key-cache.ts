import { LRUCache } from 'lru-cache';
import type { Database } from '../../kit/db/database.ts';
import type { GroupCommit } from '../../kit/db/group-commit.ts';
import { type AdmittedKeyRow, findKeysBySecret, touchKey } from './keys.sql.ts';

/** The keys of recent requests. 0.8 s old at most, which bounds how long a revoked key still works. */
export interface KeyCache {
  /** The key that a secret's hash opens, live or not; undefined when nobody has it. */
  find(secretHash: Buffer): Promise<AdmittedKeyRow | undefined>;
  /** Forgets everything, after a change of this process. */
  clear(): void;
}

const maxAgeMs = 800;
/** Older than this it is looked up again, but nobody waits for that: under load it may take a while. */
const renewMs = 300;
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
  const cache = new LRUCache<string, { readonly row: AdmittedKeyRow | undefined; readonly askedAt: number }>({
    max: maxKeys,
  });
  const loading = new Map<string, Promise<AdmittedKeyRow | undefined>>();

  /** What was asked for before the cache was cleared is not kept. */
  function renew(name: string, secretHash: Buffer): Promise<AdmittedKeyRow | undefined> {
    const askedAt = performance.now();
    const begun = load(secretHash)
      .then((row) => {
        if (loading.get(name) === begun) cache.set(name, { row, askedAt });
        return row;
      })
      .finally(() => {
        if (loading.get(name) === begun) loading.delete(name);
      });
    loading.set(name, begun);
    return begun;
  }

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
    async find(secretHash) {
      const name = secretHash.toString('latin1');
      const known = cache.get(name);
      const age = known === undefined ? Number.POSITIVE_INFINITY : performance.now() - known.askedAt;
      if (known !== undefined && age < renewMs) return known.row;
      const renewed = loading.get(name) ?? renew(name, secretHash);
      if (known === undefined || age > maxAgeMs) return renewed;
      // Whoever has to wait for it is told.
      renewed.catch(() => undefined);
      return known.row;
    },
    clear() {
      cache.clear();
      loading.clear();
    },
  };
}

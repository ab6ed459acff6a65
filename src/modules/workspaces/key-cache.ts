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
  const loading = new Map<
    string,
    { readonly row: Promise<AdmittedKeyRow | undefined>; readonly askedAt: number }
  >();
  /** Keys whose use is being noted. */
  const touching = new Set<string>();
  /** How often the cache was cleared: what was asked for before is not kept. */
  let clearings = 0;

  function renew(name: string, secretHash: Buffer): Promise<AdmittedKeyRow | undefined> {
    const [askedAt, begunIn] = [performance.now(), clearings];
    const row = load(secretHash)
      .then((found) => {
        const isNewest = (cache.peek(name)?.askedAt ?? 0) < askedAt;
        if (begunIn === clearings && isNewest) cache.set(name, { row: found, askedAt });
        return found;
      })
      .finally(() => {
        if (loading.get(name)?.row === row) loading.delete(name);
      });
    loading.set(name, { row, askedAt });
    return row;
  }

  async function load(secretHash: Buffer): Promise<AdmittedKeyRow | undefined> {
    const row = await groupCommit.read(findKeysBySecret, 'all', secretHash);
    if (
      row !== undefined &&
      !touching.has(row.keyId) &&
      (row.lastUsedAt === null || Date.now() - row.lastUsedAt.getTime() > touchEveryMs)
    ) {
      // Noting the use must neither delay nor fail the request.
      touching.add(row.keyId);
      void database
        .transaction((tx) => touchKey(tx, row.workspaceId, row.keyId, touchEveryMs))
        .catch(onError)
        .finally(() => touching.delete(row.keyId));
    }
    return row;
  }

  return {
    async find(secretHash) {
      const name = secretHash.toString('latin1');
      const now = performance.now();
      const known = cache.get(name);
      const age = known === undefined ? Number.POSITIVE_INFINITY : now - known.askedAt;
      if (known !== undefined && age < renewMs) return known.row;
      // One that is held up holds up nobody else, and what it brings may be old by then.
      const begun = loading.get(name);
      const renewed = begun && now - begun.askedAt < renewMs ? begun.row : renew(name, secretHash);
      if (known === undefined || age > maxAgeMs) return renewed;
      // Whoever has to wait for it is told.
      renewed.catch(() => undefined);
      return known.row;
    },
    clear() {
      clearings += 1;
      cache.clear();
      loading.clear();
    },
  };
}

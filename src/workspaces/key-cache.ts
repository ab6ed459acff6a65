import { LRUCache } from 'lru-cache';
import type { Database } from '../kit/db/database.ts';
import type { GroupCommit } from '../kit/db/group-commit.ts';
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

/** What is known of a secret: the newest answer, and the look-up that was begun last, unless it failed. */
interface Known {
  answer: { readonly row: AdmittedKeyRow | undefined; readonly askedAt: number } | null;
  latest: { readonly row: Promise<AdmittedKeyRow | undefined>; readonly askedAt: number } | null;
}

/**
 * Reads through to the database. Look-ups that come together share a query, so that a flood of made-up keys takes one
 * connection and not all of them.
 */
export function createKeyCache(
  { database, groupCommit }: { database: Database; groupCommit: GroupCommit },
  onError: (error: unknown) => void,
): KeyCache {
  const cache = new LRUCache<string, Known>({ max: maxKeys });
  /** Keys whose use is being noted. */
  const touching = new Set<string>();

  function lookUp(known: Known, secretHash: Buffer): NonNullable<Known['latest']> {
    const askedAt = performance.now();
    const latest = { row: load(secretHash), askedAt };
    known.latest = latest;
    latest.row.then(
      (row) => {
        if (known.answer === null || known.answer.askedAt < askedAt) known.answer = { row, askedAt };
      },
      () => {
        if (known.latest === latest) known.latest = null;
      },
    );
    return latest;
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
      const known = cache.get(name) ?? { answer: null, latest: null };
      cache.set(name, known);
      const { answer, latest } = known;
      const now = performance.now();
      // One that is held up holds up nobody else, and what it brings may be old by then.
      const isRecent = latest !== null && now - latest.askedAt < renewMs;
      const { row } = isRecent ? latest : lookUp(known, secretHash);
      return answer !== null && now - answer.askedAt <= maxAgeMs ? answer.row : row;
    },
    clear: () => cache.clear(),
  };
}

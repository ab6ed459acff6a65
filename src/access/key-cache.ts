import { LRUCache } from 'lru-cache';
import type { Database } from '../kit/db/database.ts';
import type { GroupCommit } from '../kit/db/group-commit.ts';
import { type AdmittedKeyRow, findKeysBySecret, touchKey } from './keys.sql.ts';
import { type AdmittedSession, findSessionsBySecret, touchSession } from './sessions.sql.ts';

/** What the secrets of recent requests open. 0.8 s old at most, which bounds how long a revoked one still works. */
export interface SecretCache<Row> {
  /** What a secret's hash opens, live or not; undefined when no key has it. */
  find(secretHash: Buffer): Promise<Row | undefined>;
  /** Forgets everything, after a change of this process. */
  clear(): void;
}

/** The keys of recent requests. */
export type KeyCache = SecretCache<AdmittedKeyRow>;

/** The sessions of recent requests, each with all that its person may do. */
export type SessionCache = SecretCache<AdmittedSession>;

const maxAgeMs = 800;
/** Older than this it is looked up again, but no call waits for that: under load it may take a while. */
const renewMs = 300;
const maxKeys = 10_000;
/** The use of a key is noted at most this often. */
const touchEveryMs = 60_000;

/** What is known of a secret: the newest answer, and the look-up that was begun last, unless it failed. */
interface Known<Row> {
  answer: { readonly row: Row | undefined; readonly askedAt: number } | null;
  latest: { readonly row: Promise<Row | undefined>; readonly askedAt: number } | null;
}

interface Ground {
  readonly database: Database;
  readonly groupCommit: GroupCommit;
  now(): Date;
}

/**
 * Reads through to the database. Look-ups that come together share a query, so that a flood of made-up keys takes one
 * connection and not all of them.
 */
export function createKeyCache(
  { database, groupCommit, now }: Ground,
  onError: (error: unknown) => void,
): KeyCache {
  const note = createNotes(database, onError);
  return createSecretCache(async (secretHash) => {
    const row = await groupCommit.read(findKeysBySecret, 'all', secretHash);
    if (row !== undefined)
      note(row.keyId, row.lastUsedAt, now(), (tx) => touchKey(tx, row, now(), touchEveryMs));
    return row;
  });
}

/** The same for sessions. */
export function createSessionCache(
  { database, groupCommit, now }: Ground,
  onError: (error: unknown) => void,
): SessionCache {
  const note = createNotes(database, onError);
  return createSecretCache(async (secretHash) => {
    const row = await groupCommit.read(findSessionsBySecret, 'all', secretHash);
    if (row !== undefined)
      note(row.sessionId, row.lastUsedAt, now(), (tx) =>
        touchSession(tx, row.sessionId, now(), touchEveryMs),
      );
    return row;
  });
}

type Touch = (tx: Parameters<Parameters<Database['transaction']>[0]>[0]) => Promise<void>;

/** Notes uses: that must neither delay nor fail the request. */
function createNotes(database: Database, onError: (error: unknown) => void) {
  const touching = new Set<string>();
  return (id: string, lastUsedAt: Date | null, now: Date, touch: Touch): void => {
    const isFresh = lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() <= touchEveryMs;
    if (isFresh || touching.has(id)) return;
    touching.add(id);
    void database
      .transaction(touch)
      .catch(onError)
      .finally(() => touching.delete(id));
  };
}

function createSecretCache<Row>(load: (secretHash: Buffer) => Promise<Row | undefined>): SecretCache<Row> {
  const cache = new LRUCache<string, Known<Row>>({ max: maxKeys });

  function lookUp(known: Known<Row>, secretHash: Buffer): NonNullable<Known<Row>['latest']> {
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

  return {
    async find(secretHash) {
      const name = secretHash.toString('latin1');
      const known = cache.get(name) ?? { answer: null, latest: null };
      cache.set(name, known);
      const { answer, latest } = known;
      const now = performance.now();
      // A slow look-up delays no later call, and its answer may be old when it comes.
      const isRecent = latest !== null && now - latest.askedAt < renewMs;
      const { row } = isRecent ? latest : lookUp(known, secretHash);
      return answer !== null && now - answer.askedAt <= maxAgeMs ? answer.row : row;
    },
    clear: () => cache.clear(),
  };
}

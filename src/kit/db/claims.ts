import { hash } from 'node:crypto';
import type { KeyedHash } from '../crypto/at-rest.ts';
import type { Db, Tx } from './database.ts';
import { LostRace } from './database-errors.ts';
import { prepared, sql } from './sql.ts';

/**
 * Idempotency: a call looks for the answer that was kept under its key, and keeps its own in the transaction of its
 * effect. Of two that are made at a time the later one waits for the first, and starts again. A rollback and a crash
 * leave nothing behind. Only 2xx answers are kept, for ever.
 */
export interface Claim {
  readonly operation: string;
  readonly key: string;
  /** SHA-256 of what the effect depends on: the same key with another one is refused. */
  readonly fingerprint: Buffer;
  readonly requestId: string;
}

/** The answer kept for a claim. */
export interface KeptAnswer {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly body: string;
  /** Present where the key is hidden, and so is the fingerprint: what makes one that can be compared with it. */
  readonly hidden?: (fingerprint: Buffer) => Buffer;
}

/** A claim with the answer to keep. */
export type NewAnswer = Claim & { readonly status: number; readonly body: string };

/** The fingerprint of an effect: equal for equal values whatever the order of their properties. */
export function fingerprintOf(effect: unknown): Buffer {
  return hash('sha256', canonical(effect), 'buffer');
}

/** A key that must no longer be read: the same for every call that sends it. No key of a caller begins with a tab. */
function hiddenKey(by: KeyedHash, workspaceId: string, operation: string, key: string): string {
  return `\t${by(`${workspaceId}\t${operation}\t${key}`).toString('base64url')}`;
}

function hiddenPrint(by: KeyedHash, fingerprint: Buffer): Buffer {
  return by(fingerprint.toString('hex'));
}

/** The answers that were kept for an operation's keys, by key; with `by` also of those that were hidden by it. */
export async function keptAnswers(
  db: Db,
  workspaceId: string,
  operation: string,
  keys: readonly string[],
  by?: KeyedHash,
): Promise<Map<string, KeptAnswer>> {
  if (keys.length === 0) return new Map();
  const hidden = by === undefined ? keys : keys.map((key) => hiddenKey(by, workspaceId, operation, key));
  const { rows } = await prepared<KeptAnswer & { key: string; isHidden: boolean }>`
    select asked.key, kept.fingerprint, kept.status, kept.body, kept.key <> asked.key as is_hidden
    from unnest(${sql.list(keys, 'text')}, ${sql.list(hidden, 'text')}) as asked(key, hidden)
    cross join lateral (
      select key, fingerprint, status, body from operation_claims
      where key in (asked.key, asked.hidden) and operation = ${operation} and workspace_id = ${workspaceId}
        and status is not null
      limit 1
    ) as kept
  `.execute(db);
  const compare = by && ((fingerprint: Buffer) => hiddenPrint(by, fingerprint));
  return new Map(
    rows.map(({ key, isHidden, ...kept }) => [
      key,
      isHidden && compare ? { ...kept, hidden: compare } : kept,
    ]),
  );
}

/** Hides claims: their keys cannot be read from then on, and a call that sends one is answered as before. */
export async function hideClaims(
  tx: Tx,
  workspaceId: string,
  claims: readonly { readonly operation: string; readonly key: string }[],
  by: KeyedHash,
): Promise<void> {
  if (claims.length === 0) return;
  const { rows } = await sql<Pick<Claim, 'operation' | 'key' | 'fingerprint'>>`
    select c.operation, c.key, c.fingerprint
    from unnest(
      ${claims.map(({ operation }) => operation)}::text[], ${claims.map(({ key }) => key)}::text[]
    ) as named(operation, key)
    cross join lateral (
      select operation, key, fingerprint from operation_claims
      where key = named.key and operation = named.operation and workspace_id = ${workspaceId}
      limit 1
    ) as c
  `.execute(tx);
  await sql`
    update operation_claims c
    set key = h.hidden, fingerprint = h.fingerprint
    from unnest(
      ${rows.map(({ operation }) => operation)}::text[], ${rows.map(({ key }) => key)}::text[],
      ${rows.map(({ operation, key }) => hiddenKey(by, workspaceId, operation, key))}::text[],
      ${rows.map(({ fingerprint }) => hiddenPrint(by, fingerprint))}::bytea[]
    ) as h(operation, key, hidden, fingerprint)
    where c.key = h.key and c.operation = h.operation and c.workspace_id = ${workspaceId}
  `.execute(tx);
}

/**
 * Keeps the answers of calls, and makes sure of the refused ones that no other transaction has made the same call since: waits
 * for one that is about to. Answers what others have kept for keys of the refused ones. Raises `LostRace` when another
 * transaction has kept an answer for one of the others. The keys must differ, and belong to one operation.
 */
export async function saveAnswers(
  tx: Tx,
  workspaceId: string,
  answered: readonly NewAnswer[],
  refused: readonly Claim[],
  by?: KeyedHash,
): Promise<Map<string, KeptAnswer>> {
  const [first] = [...answered, ...refused];
  if (first === undefined) return new Map();
  const keys = refused.map(({ key }) => key);
  const unanswered = refused.map((claim) => ({ ...claim, status: null, body: null }));
  const taken = takeClaims(tx, workspaceId, [...answered, ...unanswered], refused.length > 0);
  if (refused.length === 0) {
    await taken;
    return new Map();
  }
  const [free, , kept] = await Promise.all([
    taken,
    releaseClaims(tx, workspaceId, first.operation, keys),
    keptAnswers(tx, workspaceId, first.operation, keys, by),
  ]);
  if (answered.some(({ key }) => !free.has(key))) throw new LostRace();
  return kept;
}

/** Replaces kept answers, whose old text must not exist any longer; the claims stay taken. */
export async function overwriteAnswers(
  tx: Tx,
  workspaceId: string,
  claims: readonly { operation: string; key: string }[],
  body: string,
): Promise<void> {
  if (claims.length === 0) return;
  await prepared`
    update operation_claims c
    set body = ${body}
    from unnest(
      ${claims.map(({ operation }) => operation)}::text[], ${claims.map(({ key }) => key)}::text[]
    ) as k(operation, key)
    where c.key = k.key and c.operation = k.operation and c.workspace_id = ${workspaceId}
  `.execute(tx);
}

/** Forgets kept answers, whose effects were taken back: the next call under such a key is made anew. */
export async function releaseAnswers(
  tx: Tx,
  workspaceId: string,
  operation: string,
  keys: readonly string[],
): Promise<void> {
  await sql`
    delete from operation_claims
    where key = any(${keys}::text[]) and operation = ${operation} and workspace_id = ${workspaceId}
  `.execute(tx);
}

/**
 * Takes claims, in the order of their keys, so that two callers cannot block each other; the keys that were free. Where all must
 * be, the statement fails otherwise, and `LostRace` is raised.
 */
async function takeClaims(
  tx: Tx,
  workspaceId: string,
  claims: readonly (Claim & { status: number | null; body: string | null })[],
  mayBeTaken: boolean,
): Promise<Set<string>> {
  const sorted = [...claims].sort((a, b) => (a.key < b.key ? -1 : 1));
  const { rows } = await prepared<{ key: string }>`
    insert into operation_claims (workspace_id, operation, key, fingerprint, request_id, status, body)
    select ${workspaceId}, c.*
    from unnest(
      ${sorted.map((claim) => claim.operation)}::text[], ${sorted.map((claim) => claim.key)}::text[],
      ${sorted.map((claim) => claim.fingerprint)}::bytea[], ${sorted.map((claim) => claim.requestId)}::text[],
      ${sorted.map((claim) => claim.status)}::smallint[], ${sorted.map((claim) => claim.body)}::text[]
    ) as c
    ${sql.raw(mayBeTaken ? 'on conflict do nothing' : '')}
    returning key
  `.execute(tx);
  return new Set(rows.map(({ key }) => key));
}

/** Gives claims up that this transaction has taken without an answer. */
async function releaseClaims(
  tx: Tx,
  workspaceId: string,
  operation: string,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await prepared`
    delete from operation_claims
    where key = any(${keys}::text[]) and operation = ${operation} and workspace_id = ${workspaceId} and status is null
  `.execute(tx);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}

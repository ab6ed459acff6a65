import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, LostRace, type Tx } from './database.ts';

/**
 * Idempotency: a claim is inserted first, in the transaction of the effect. A concurrent duplicate waits on it,
 * a rollback releases it, a crash leaves nothing behind. Only 2xx answers are kept, for ever.
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
}

/** The fingerprint of an effect: equal for equal values whatever the order of their properties. */
export function fingerprintOf(effect: unknown): Buffer {
  return createHash('sha256').update(canonical(effect)).digest();
}

/**
 * Takes the claims that nobody holds; `operation` and key name them within the workspace. Waits for concurrent
 * holders. The keys must differ; they are taken in sorted order, so that two callers cannot block each other.
 * Returns the keys taken; the others have a kept answer.
 */
export async function takeClaims(
  tx: Tx,
  workspaceId: string,
  claims: readonly Claim[],
): Promise<Set<string>> {
  if (claims.length === 0) return new Set();
  const sorted = [...claims].sort((a, b) => (a.key < b.key ? -1 : 1));
  const { rows } = await sql<{ key: string }>`
    insert into operation_claims (workspace_id, operation, key, fingerprint, request_id)
    select ${workspaceId}, c.operation, c.key, c.fingerprint, c.request_id
    from unnest(
      ${sorted.map((claim) => claim.operation)}::text[],
      ${sorted.map((claim) => claim.key)}::text[],
      ${sorted.map((claim) => claim.fingerprint)}::bytea[],
      ${sorted.map((claim) => claim.requestId)}::text[]
    ) as c(operation, key, fingerprint, request_id)
    on conflict do nothing
    returning key
  `.execute(tx);
  return new Set(rows.map((row) => row.key));
}

/** The kept answers of claims that somebody else took, by key. */
export async function keptAnswers(
  db: Db,
  workspaceId: string,
  operation: string,
  keys: readonly string[],
): Promise<Map<string, KeptAnswer>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<KeptAnswer & { key: string }>`
    select key, fingerprint, status, body
    from operation_claims
    where workspace_id = ${workspaceId} and operation = ${operation} and key = any(${keys}::text[]) and status is not null
  `.execute(db);
  return new Map(rows.map((row) => [row.key, row]));
}

/** Keeps the answers of claims taken in this transaction. */
export async function keepAnswers(
  tx: Tx,
  workspaceId: string,
  operation: string,
  answers: readonly { key: string; status: number; body: string }[],
): Promise<void> {
  if (answers.length === 0) return;
  await sql`
    update operation_claims
    set status = a.status, body = a.body
    from unnest(
      ${answers.map((answer) => answer.key)}::text[],
      ${answers.map((answer) => answer.status)}::smallint[],
      ${answers.map((answer) => answer.body)}::text[]
    ) as a(key, status, body)
    where workspace_id = ${workspaceId} and operation = ${operation} and operation_claims.key = a.key
  `.execute(tx);
}

/**
 * Keeps the answers of claims that nobody holds, claim and answer in one: for a transaction that has looked for kept
 * answers first. Waits for concurrent holders. Raises `LostRace` when somebody else was faster; the keys must differ.
 */
export async function keepNewAnswers(
  tx: Tx,
  workspaceId: string,
  answers: readonly (Claim & { status: number; body: string })[],
): Promise<void> {
  if (answers.length === 0) return;
  // In sorted order, so that two callers cannot block each other.
  const sorted = [...answers].sort((a, b) => (a.key < b.key ? -1 : 1));
  const { rows } = await sql<{ kept: number }>`
    with kept as (
      insert into operation_claims (workspace_id, operation, key, fingerprint, request_id, status, body)
      select ${workspaceId}, c.*
      from unnest(
        ${sorted.map((claim) => claim.operation)}::text[], ${sorted.map((claim) => claim.key)}::text[],
        ${sorted.map((claim) => claim.fingerprint)}::bytea[], ${sorted.map((claim) => claim.requestId)}::text[],
        ${sorted.map((claim) => claim.status)}::smallint[], ${sorted.map((claim) => claim.body)}::text[]
      ) as c
      on conflict do nothing
      returning 1
    )
    select count(*)::int as kept from kept
  `.execute(tx);
  if (rows[0]?.kept !== sorted.length) throw new LostRace();
}

/** Gives up claims taken in this transaction whose operation was refused, so that a retry runs afresh. */
export async function releaseClaims(
  tx: Tx,
  workspaceId: string,
  operation: string,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    delete from operation_claims
    where workspace_id = ${workspaceId} and operation = ${operation} and key = any(${keys}::text[])
  `.execute(tx);
}

/** Replaces kept answers, whose old text must not exist any longer; the claims stay taken. */
export async function overwriteAnswers(
  tx: Tx,
  workspaceId: string,
  claims: readonly { operation: string; key: string }[],
  body: string,
): Promise<void> {
  if (claims.length === 0) return;
  await sql`
    update operation_claims c
    set body = ${body}
    from unnest(
      ${claims.map(({ operation }) => operation)}::text[], ${claims.map(({ key }) => key)}::text[]
    ) as k(operation, key)
    where c.workspace_id = ${workspaceId} and c.operation = k.operation and c.key = k.key
  `.execute(tx);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}

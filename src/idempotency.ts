import { refusal } from './errors.ts';
import { type Claim, keepAnswers, keptAnswers, releaseClaims, takeClaims } from './kit/db/claims.ts';
import type { Db, Tx } from './kit/db/database.ts';
import { ApiError, invalidRequest, outcomeOf } from './kit/http/api-error.ts';
import type { Answer, Input } from './kit/http/endpoint.ts';

/** How kept answers are written: sealed where they hold a secret. */
interface Keeping {
  seal(text: string, context: string): string;
  open(text: string, context: string): string;
}

/** Answers without a secret. */
export const plainly: Keeping = { seal: (text) => text, open: (text) => text };

/** Whether an earlier call with the key left an answer, so that there is nothing to prepare. */
export async function isKept(
  db: Db,
  workspaceId: string,
  operation: string,
  key: string | null,
): Promise<boolean> {
  return key !== null && (await keptAnswers(db, workspaceId, operation, [key])).size > 0;
}

/** Runs `effect` under its claim, or replays the answer that an earlier call left: the same status and bytes. */
export async function once(
  tx: Tx,
  workspaceId: string,
  claim: Claim,
  keeping: Keeping,
  effect: () => Promise<Answer>,
): Promise<Answer> {
  const context = `${workspaceId}/${claim.operation}/${claim.key}`;
  const taken = await takeClaims(tx, workspaceId, [claim]);
  if (!taken.has(claim.key)) {
    const kept = (await keptAnswers(tx, workspaceId, claim.operation, [claim.key])).get(claim.key);
    if (kept === undefined) throw new Error('a committed claim has no answer');
    return replay(claim, { ...kept, body: keeping.open(kept.body, context) });
  }
  const fresh = await effect();
  const body = JSON.stringify(fresh.body);
  await keepAnswers(tx, workspaceId, claim.operation, [
    { key: claim.key, status: fresh.status, body: keeping.seal(body, context) },
  ]);
  return { ...fresh, body };
}

/** The kept answer, or the refusal of a key that was used for another effect. */
export function replay(claim: Claim, kept: { fingerprint: Buffer; status: number; body: string }): Answer {
  if (!kept.fingerprint.equals(claim.fingerprint)) {
    throw refusal(
      'external_ref_reused',
      `The key "${claim.key}" was used before for a different ${claim.operation}. Use a fresh externalRef or Idempotency-Key for a new effect.`,
    );
  }
  return { status: kept.status, body: kept.body, headers: { 'idempotent-replayed': 'true' } };
}

/** A call among others that share a transaction. */
interface Call {
  readonly ctx: { readonly workspaceId: string };
  readonly operation: string;
}

/** Answers the calls of one operation of which a key was used before, with what was kept for it. */
export async function replayKnown<C extends Call, Other = never>(
  tx: Tx,
  calls: readonly C[],
  claimsOf: (call: C) => readonly Claim[],
  outcomes: Map<C, Answer | ApiError | Other>,
): Promise<void> {
  const claimed = calls.map((call) => ({ call, claims: claimsOf(call) }));
  const keys = claimed.flatMap(({ claims }) => claims.map(({ key }) => key));
  const [first] = calls;
  if (first === undefined || keys.length === 0) return;
  const kept = await keptAnswers(tx, first.ctx.workspaceId, first.operation, keys);
  for (const { call, claims } of claimed) {
    const claim = claims.find(({ key }) => kept.has(key));
    const answer = kept.get(claim?.key ?? '');
    if (claim === undefined || answer === undefined) continue;
    outcomes.set(
      call,
      outcomeOf(() => replay(claim, answer)),
    );
  }
}

/**
 * A refusal stands only where nobody else has made the same call since it was looked for: a repeat that overtook its
 * first attempt, or waits for it here, gets that one's answer.
 */
export async function replayLate<C extends Call, Other = never>(
  tx: Tx,
  calls: readonly C[],
  claimsOf: (call: C) => readonly Claim[],
  outcomes: Map<C, Answer | ApiError | Other>,
): Promise<void> {
  const refused = calls.filter((call) => outcomes.get(call) instanceof ApiError && claimsOf(call).length > 0);
  const claims = new Map(refused.flatMap(claimsOf).map((claim) => [claim.key, claim]));
  const [first] = refused;
  if (first === undefined) return;
  const { workspaceId } = first.ctx;
  const free = await takeClaims(tx, workspaceId, [...claims.values()]);
  await releaseClaims(tx, workspaceId, first.operation, [...free]);
  const taken = refused.filter((call) => claimsOf(call).some(({ key }) => !free.has(key)));
  await replayKnown(tx, taken, claimsOf, outcomes);
}

/** The caller's key: externalRef of the body, or the Idempotency-Key header. */
export function idempotencyKey(input: Input): string | null {
  const header = input.headers['idempotency-key'];
  const ref = hasRef(input.body) ? input.body.externalRef : undefined;
  if (header !== undefined && !/^[\x20-\x2b\x2d-\x7e]{1,255}$/.test(header)) {
    throw invalidRequest(
      'Send one Idempotency-Key header, of 1 to 255 printable ASCII characters without a comma.',
    );
  }
  if (header !== undefined && ref !== undefined && header !== ref) {
    throw invalidRequest(
      'Idempotency-Key and externalRef differ: send one of them, or the same value in both.',
    );
  }
  return ref ?? header ?? null;
}

/** What the effect of a request depends on, unless its operation knows better: path and body without the key. */
export function effectOf({ params, body }: Input): unknown {
  if (!hasRef(body)) return [params, body];
  const { externalRef: _, ...rest } = body;
  return [params, rest];
}

function hasRef(body: unknown): body is { externalRef: string } {
  return (
    typeof body === 'object' && body !== null && 'externalRef' in body && typeof body.externalRef === 'string'
  );
}

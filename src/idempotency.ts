import { refusal } from './errors.ts';
import { type Claim, keepAnswers, keptAnswers, takeClaims } from './kit/db/claims.ts';
import type { Db, Tx } from './kit/db/database.ts';
import { invalidRequest } from './kit/http/api-error.ts';
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

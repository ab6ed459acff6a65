import { listUnheld, type UnheldCard } from '../cards/unheld.sql.ts';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { emailHashOf } from '../engine/email-hash.ts';
import { wakeAfter } from '../engine/wake-after.ts';
import type { Tx } from '../kit/db/database.ts';
import { normalEmail } from '../kit/mail/address.ts';
import { findPass, refuseUnpublished } from '../passes/find-pass.ts';
import type { PassKey } from '../passes/pass-row.ts';
import { newInvite } from './invite-people.ts';
import { neverLeft } from './invite-row.ts';
import { findInvited, findSuppressed, insertInvites } from './invites.sql.ts';

/** Cards that one call looks at: it takes a moment, whatever the pass has. */
const cardsPerCall = 1_000;

interface Input {
  readonly passId: string;
  readonly after: string | null;
  readonly dryRun: boolean;
}

type Verdict = 'mailed' | 'noAddress' | 'suppressed' | 'sentBefore' | 'duplicate';

/** The outcome for some cards of a pass. */
export interface SentCards extends Readonly<Record<Verdict, number>> {
  /** The last card that was looked at; null: there are no more. */
  readonly last: string | null;
}

/**
 * Looks at the next cards of a pass, and mails those that no wallet has ever had to their holders: each address once a pass, whether it
 * was invited or sent its card. A dry run only counts. Raises what `findPass` raises, and `pass_not_active`.
 */
export async function sendCards(tx: Tx, ctx: KeyCtx, input: Input): Promise<SentCards> {
  const pass = await findPass(tx, ctx, input.passId);
  refuseUnpublished(pass);
  const scope = { workspaceId: pass.workspaceId, passId: pass.passId, sweepId: null, storeId: null };
  const cards = await listUnheld(tx, scope, { after: input.after, look: cardsPerCall });
  const judged = await judge(tx, ctx, scope, cards);
  const wanted = judged.flatMap(({ card, verdict, contact }) =>
    verdict === 'mailed' && contact !== null
      ? [{ ...newInvite(card, contact, 'queued'), instanceId: card.instanceId }]
      : [],
  );
  const written = input.dryRun ? wanted : await insertInvites(tx, scope, wanted, ctx.app.now());
  const count = (verdict: Verdict) => judged.filter((one) => one.verdict === verdict).length;
  const mailed = written.length;
  const counts = {
    mailed,
    noAddress: count('noAddress'),
    suppressed: count('suppressed'),
    // Another call was faster with the difference.
    sentBefore: count('sentBefore') + wanted.length - mailed,
    duplicate: count('duplicate'),
  };
  if (!input.dryRun) {
    if (mailed > 0) wakeAfter(tx, ctx, scope.workspaceId, 'sendInvites');
    audit(tx, ctx, { action: 'sendCards', target: input.passId, detail: counts });
  }
  return { ...counts, last: cards.length < cardsPerCall ? null : (cards.at(-1)?.instanceId ?? null) };
}

async function judge(tx: Tx, ctx: KeyCtx, scope: PassKey, cards: readonly UnheldCard[]) {
  const found = cards
    .filter(({ isUnheld }) => isUnheld)
    .map((card) => {
      const email = normalEmail(card.email ?? '');
      const hash = email === null ? null : emailHashOf(ctx, scope.workspaceId, email);
      return { card, contact: email === null || hash === null ? null : { email, hash } };
    });
  const hashes = found.flatMap(({ contact }) => (contact === null ? [] : [contact.hash]));
  const [suppressed, invited] = await Promise.all([
    findSuppressed(tx, scope.workspaceId, hashes),
    findInvited(tx, scope, hashes),
  ]);
  const before = new Set(
    invited.filter(({ status }) => !neverLeft(status)).map(({ emailHash }) => emailHash.toString('hex')),
  );
  const seen = new Set<string>();
  return found.map(({ card, contact }) => {
    const hex = contact?.hash.toString('hex') ?? '';
    const verdictOf = (): Verdict => {
      if (contact === null) return 'noAddress';
      if (suppressed.has(hex)) return 'suppressed';
      if (before.has(hex)) return 'sentBefore';
      return seen.has(hex) ? 'duplicate' : 'mailed';
    };
    const verdict = verdictOf();
    seen.add(hex);
    return { card, contact, verdict };
  });
}

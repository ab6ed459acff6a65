import { statusOf } from '../cards/instance.schema.ts';
import type { KeyCtx } from '../context.ts';
import { answer } from '../engine/endpoints.ts';
import { resolvePass } from './find-pass-of-card.ts';
import type { LedgerItem, LedgerRequest, Settled } from './ledger-item.ts';
import { presentPosted } from './loyalty.schema.ts';
import { submitCall } from './post-to-ledger.ts';
import type { Named } from './target.schema.ts';

/** What a call of the ledger may be refused for, before it is decided. */
export const groundErrors = [
  'pass_not_found',
  'forbidden',
  'partner_not_found',
  'no_loyalty_program',
] as const;
export const idleErrors = ['program_not_launched', 'program_inactive'] as const;
export const targetErrors = [
  'holder_not_found',
  'instance_not_found',
  'ambiguous_barcode',
  'ambiguous_holder',
  'instance_voided',
] as const;
/** What gives or takes value asks for a card that has not expired; a correction does not. */
export const cardErrors = [...targetErrors, 'instance_expired'] as const;
export const once =
  'Idempotent by externalRef: a repeat answers the original result and applies nothing again.';

/** Posts a call together with others that arrive at the same time, and answers what it has entered. */
export function answerCall<State>(ctx: KeyCtx, described: LedgerRequest<State>) {
  const present = (settled: Settled<State>) => answer(statusOf(settled.push), presentPosted(settled));
  return submitCall(ctx, described, present);
}

/** The same for a body whose barcode or identifier may name the pass, too: that of an earlier call under its key. */
export async function answerOnCard<Body extends Named & { readonly passId?: string | undefined }, State>(
  ctx: KeyCtx,
  { body, key }: { readonly body: Body; readonly key: string | null },
  operation: LedgerItem['operation'],
  describe: (
    ctx: KeyCtx,
    body: Body & { readonly passId: string },
    key: string | null,
  ) => LedgerRequest<State>,
) {
  return answerCall(ctx, describe(ctx, await resolvePass(ctx, body, { operation, key }), key));
}

import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { encodeId } from '../kit/ids.ts';

/**
 * The partner that an award or redeem is for, by its public id: the one that is named, or that of the caller who is bound
 * to one. Raises `role_required` where a person who is bound to a partner names another.
 */
export function partnerFor(ctx: KeyCtx, named: string | null | undefined): string | null {
  const { partnerId } = ctx.key;
  if (partnerId === null) return named ?? null;
  const own = encodeId('part', partnerId);
  if (named !== null && named !== undefined && named !== own)
    throw refusal('role_required', 'You enter points for your own partner alone.');
  return own;
}

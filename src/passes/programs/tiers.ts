import { invalidField } from '../../kit/http/api-error.ts';
import { decimalOf } from './decimal.ts';
import type { Tier } from './program-row.ts';

/** What an account knows of the tiers of its program. */
export interface Tiered {
  readonly tiers: readonly Tier[];
  readonly lifetimePoints: number;
}

/** The field of a pass in which its cards show their tier. */
export const TIER_KEY = 'tier';

/** The highest tier that an account has come to; null before the first. */
export function tierOf({ tiers, lifetimePoints }: Tiered): Tier | null {
  return tiers.findLast(({ from }) => lifetimePoints >= from) ?? null;
}

/** The title of the tier that a card shows; null where it shows none, such as before the launch. */
export function shownTier(account: (Tiered & { readonly launchedAt: unknown }) | null): string | null {
  if (account === null || account.launchedAt === null) return null;
  return tierOf(account)?.title ?? null;
}

/** Points times a multiplier, rounded down. Raises `invalid_request` for more than a balance holds. */
export function timesMultiplier(points: number, multiplier: number): number {
  const { value, decimals } = decimalOf(String(multiplier));
  const product = (BigInt(points) * value) / 10n ** BigInt(decimals);
  if (product > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalidField(
      'points',
      'max_value',
      `more than a balance can hold, counted ${multiplier} times in this tier.`,
    );
  return Number(product);
}

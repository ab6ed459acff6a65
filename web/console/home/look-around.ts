import type { CallOptions } from '../../../sdk/typescript/src/core/options.ts';
import { api } from '../api.ts';

/** Below this a workspace should top up. */
const lowCredits = 100;
const weekMs = 7 * 86_400_000;

/** What the first page shows: figures, of a pass or of all, what to look at, and how far a new workspace has come. */
export async function lookAround(passId: string | null, options: CallOptions) {
  const since = new Date(Date.now() - weekMs).toISOString();
  const [statistics, credits, webhooks, skipped, passes] = await Promise.all([
    api.statistics.get({ by: 'day', ...(passId !== null && { passId }) }, options),
    api.credits.get(options),
    api.webhooks.list({ limit: 16 }, options).page(),
    api.events.list({ type: 'push.skipped', createdAfter: since, limit: 1 }, options).page(),
    api.passes.list({ limit: 100 }, options).page(),
  ]);
  return {
    statistics,
    isLow: credits.balance < lowCredits,
    balance: credits.balance,
    hasSkipped: skipped.data.length > 0,
    webhooks: webhooks.data.filter(({ status, problem }) => status === 'disabled' || problem !== null),
    pools: passes.data.filter(({ pool, barcode }) => barcode.mode === 'pool' && pool.lowSince !== null),
    passes: passes.data,
  };
}

export type Surroundings = Awaited<ReturnType<typeof lookAround>>;

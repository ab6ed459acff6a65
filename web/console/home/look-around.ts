import type { CallOptions } from '../../../sdk/typescript/src/core/options.ts';
import { api } from '../api.ts';

/** Below this a workspace should top up. */
const lowCredits = 100;
const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** A chart of fewer days says nothing. */
const leastDays = 7;

/** What the first page shows: figures of the last days, of a pass or of all, what to look at, and how far a new workspace has come. */
export async function lookAround(passId: string | null, days: number, options: CallOptions) {
  const since = new Date(Date.now() - weekMs).toISOString();
  const ofPass = passId === null ? {} : { passId };
  const visitors = await api.statistics.visitors({ days, ...ofPass }, options);
  const shownDays = Math.max(days, leastDays);
  const from = dayBefore(visitors.to, 2 * shownDays - 1);
  const [statistics, credits, webhooks, skipped, passes, programs] = await Promise.all([
    api.statistics.get({ by: 'day', from, to: visitors.to, ...ofPass }, options),
    api.credits.get(options),
    api.webhooks.list({ limit: 16 }, options).page(),
    api.events.list({ type: 'push.skipped', createdAfter: since, limit: 1 }, options).page(),
    api.passes.list({ limit: 100 }, options).page(),
    api.programs.list({ limit: 100 }, options).page(),
  ]);
  return {
    days,
    visitors,
    statistics,
    /** The days of the chart, and those before them. */
    now: statistics.data.slice(-shownDays),
    before: statistics.data.slice(-2 * shownDays, -shownDays),
    isLow: credits.balance < lowCredits,
    balance: credits.balance,
    hasSkipped: skipped.data.length > 0,
    webhooks: webhooks.data.filter(({ status, problem }) => status === 'disabled' || problem !== null),
    pools: passes.data.filter(({ pool, barcode }) => barcode.mode === 'pool' && pool.lowSince !== null),
    passes: passes.data,
    programs: programs.data.filter((program) => passId === null || program.passId === passId),
  };
}

export type Surroundings = Awaited<ReturnType<typeof lookAround>>;
export type Day = Surroundings['now'][number];

/** The day so many days before another. */
function dayBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * dayMs).toISOString().slice(0, 10);
}

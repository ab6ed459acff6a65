import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import type { Db } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { findPass } from '../passes/find-pass.ts';
import { countsOfPass } from '../passes/passes.sql.ts';
import { findProgram } from '../passes/programs/find-program.ts';
import type { ProgramChanges } from '../passes/programs/program.schema.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import { rewardsOf } from '../passes/programs/rewards.ts';
import { cardsShowTerms, isThresholdLower, programAfter } from '../passes/programs/update-program.ts';
import { type BalanceRange, scanAccounts } from './full-accounts.sql.ts';
import type { ProgramPreview } from './program-preview.schema.ts';

/**
 * What a change of a program would do to its cards. Writes nothing. Raises what `findProgram` raises, and
 * `invalid_request` as the change would.
 */
export async function previewProgram(
  ctx: KeyCtx,
  input: { programId: string; changes: Static<typeof ProgramChanges> },
): Promise<Static<typeof ProgramPreview>> {
  const { db } = ctx.app.database;
  const before = await findProgram(db, ctx, input.programId);
  const after = await programAfter(db, ctx, before, input.changes);
  const pass = await findPass(db, ctx, encodeId('pass', before.passId));
  const gained = await countGained(db, after, gainedBy(before, after), ctx.app.now());
  const unlocked = after.mode === 'STAMPS' && after.launchedAt !== null ? gained.installed : 0;
  const { issued, voided, installed } = await countsOfPass(db, pass);
  const isShown = cardsShowTerms(pass, before, after);
  return {
    cards: isShown ? issued - voided : 0,
    credits: (isShown ? installed : 0) + unlocked,
    rewardedCards: gained.cards,
    rewards: after.mode === 'STAMPS' ? gained.times : gained.cards,
  };
}

/** The balances that a change makes enough for a reward; null where it makes none. */
function gainedBy(before: ProgramRow, after: ProgramRow): BalanceRange | null {
  if (after.threshold !== null)
    return isThresholdLower(before, after) ? { from: after.threshold, below: null } : null;
  const [from, below] = [leastCost(after), leastCost(before)];
  return from < below ? { from, below } : null;
}

/** What the cheapest reward costs that can be redeemed: the first one always can. */
function leastCost(program: ProgramRow): number {
  return Math.min(...rewardsOf(program).flatMap(({ cost, status }) => (status === 'active' ? [cost] : [])));
}

/** Accounts that one statement looks at. */
const accountsPerLook = 5_000;

async function countGained(db: Db, program: ProgramRow, range: BalanceRange | null, at: Date) {
  const sum = { cards: 0, installed: 0, times: 0 };
  for (let after: string | null = null; range !== null; ) {
    const some = await scanAccounts(db, program, range, { after, look: accountsPerLook, pick: 0, at });
    sum.cards += some.matching;
    sum.installed += some.installed;
    sum.times += some.times;
    if (some.looked < accountsPerLook) break;
    after = some.last;
  }
  return sum;
}

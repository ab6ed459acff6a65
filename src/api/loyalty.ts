import { Type } from 'typebox';
import { batchOf, Identifier } from '../cards/instance.schema.ts';
import type { KeyCtx } from '../context.ts';
import { batchResults } from '../engine/batch-results.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { closed, Id, listOf, listQuery } from '../kit/http/schemas/shapes.ts';
import { shapeCheck } from '../kit/http/schemas/validation.ts';
import { adjustPoints as adjustPointsVerb } from '../loyalty/adjust-points.ts';
import {
  answerCall,
  answerOnCard,
  cardErrors,
  groundErrors,
  idleErrors,
  once,
  targetErrors,
} from '../loyalty/answer-call.ts';
import { BalancesFile, BalancesReport } from '../loyalty/balances.schema.ts';
import { earnPoints as earnPointsVerb } from '../loyalty/earn-points.ts';
import { exportBalances as exportBalancesVerb } from '../loyalty/export-balances.ts';
import { showHolder } from '../loyalty/find-account.ts';
import { resolvePass } from '../loyalty/find-pass-of-card.ts';
import { importBalances as importBalancesVerb } from '../loyalty/import-balances.ts';
import { listRewards as listRewardsVerb } from '../loyalty/list-rewards.ts';
import * as shapes from '../loyalty/loyalty.schema.ts';
import { LoyaltyHolder } from '../loyalty/loyalty.schema.ts';
import { type CallBody, type ManyCalls, postMany } from '../loyalty/post-many.ts';
import { previewPoints as previewPointsVerb } from '../loyalty/preview-points.ts';
import { redeemReward as redeemRewardVerb } from '../loyalty/redeem-reward.ts';
import { reverseEntry as reverseEntryVerb } from '../loyalty/reverse-entry.ts';
import { targetColumns } from '../loyalty/target.schema.ts';
import { findProgram } from '../passes/programs/find-program.ts';

const tag = 'Loyalty';
const ProgramPath = closed({ programId: Id });
const eachAlone =
  'Each item stands alone: it is applied, repeated or refused whatever becomes of the others. One without an externalRef is repeated under the Idempotency-Key and its place.';

/** Posts many calls of an operation; each has its own result. */
function postEach<Body extends CallBody, State, Name extends string>(
  calls: Omit<ManyCalls<Body, State, Name>, 'submit'>,
) {
  return async (ctx: KeyCtx, inputs: readonly unknown[], key: string | null) =>
    answer(200, { results: await postMany(ctx, inputs, key, { ...calls, submit: answerCall }) });
}

const postEachAward = postEach({
  operation: 'earnPoints',
  op: 'earnBatch',
  name: 'award',
  check: shapeCheck(shapes.Award),
  describe: earnPointsVerb,
});
const postEachAdjustment = postEach({
  operation: 'adjustPoints',
  op: 'adjustBatch',
  name: 'adjustment',
  check: shapeCheck(shapes.Adjustment),
  describe: adjustPointsVerb,
});

export const earnPoints = endpoint({
  op: 'earnPoints',
  call: 'loyalty.earn',
  tag,
  summary: 'Award points or stamps',
  description: `${once} An award that a limit of the program forbids is kept as an entry of 0 points, with limitedBy. What happened before the card expired, by its occurredAt, counts.`,
  idempotent: true,
  body: shapes.Award,
  example: { passId: 'pass_…', identifier: 'cust_8841', points: 12, externalRef: 'receipt-2027-0131-17' },
  answers: { 200: shapes.Posting, 202: shapes.Posting },
  errors: [...groundErrors, ...idleErrors, ...cardErrors],
  handle: (ctx: KeyCtx, input) => answerOnCard(ctx, input, 'earnPoints', earnPointsVerb),
});

export const earnBatch = endpoint({
  op: 'earnBatch',
  call: 'loyalty.earnBatch',
  tag,
  summary: 'Award points or stamps up to 1,000 times',
  description: eachAlone,
  idempotent: true,
  bodyLimit: 5 * 1024 * 1024,
  body: closed({ awards: batchOf(shapes.Award, 'each as the body of POST /loyalty/points') }),
  example: {
    awards: [{ passId: 'pass_…', identifier: 'cust_8841', points: 12, externalRef: 'receipt-2027-0131-17' }],
  },
  answers: { 200: batchResults('AwardResults', 'award', shapes.Posting) },
  handle: (ctx: KeyCtx, { body, key }) => postEachAward(ctx, body.awards, key),
});

export const previewPoints = endpoint({
  op: 'previewPoints',
  call: 'loyalty.preview',
  tag,
  idempotent: false,
  summary: 'What an award or an order would earn',
  description:
    'Writes nothing. Names a card to see where its account would stand, or none. Of an expired card an award is refused, and an order earns nothing.',
  body: shapes.Preview,
  example: { passId: 'pass_…', identifier: 'cust_8841', total: { amount: '12.50', currency: 'EUR' } },
  answers: { 200: shapes.PreviewedPosting },
  errors: ['pass_not_found', 'forbidden', 'no_loyalty_program', ...idleErrors, ...cardErrors],
  handle: async (ctx: KeyCtx, { body }) => answer(200, await previewPointsVerb(ctx, body)),
});

export const redeemReward = endpoint({
  op: 'redeemReward',
  call: 'loyalty.redeem',
  tag,
  summary: 'Redeem a reward',
  description: `${once} A refused redeem deducts nothing.`,
  idempotent: true,
  body: shapes.Redemption,
  example: { passId: 'pass_…', barcode: '7Q4M2X9KD3', externalRef: 'receipt-2027-0131-18' },
  answers: { 200: shapes.RedemptionPosting, 202: shapes.RedemptionPosting },
  errors: [...groundErrors, ...idleErrors, ...cardErrors, 'insufficient_points', 'no_reward_pending'],
  handle: (ctx: KeyCtx, input) => answerOnCard(ctx, input, 'redeemReward', redeemRewardVerb),
});

export const listRewards = endpoint({
  op: 'listRewards',
  call: 'loyalty.rewards',
  tag,
  summary: 'The rewards that a card can redeem now',
  description:
    'In POINTS those of the program that the balance covers, in its order; in STAMPS those that are pending, the oldest first, each with an id of its own. A redeem takes the first unless it names another. Refused as the redeem would be.',
  query: listQuery({ passId: Type.Optional(Id), ...targetColumns }),
  answers: { 200: listOf(shapes.RedeemableReward) },
  errors: ['pass_not_found', 'forbidden', 'no_loyalty_program', ...idleErrors, ...cardErrors],
  handle: async (ctx: KeyCtx, { query }) =>
    answer(200, await listRewardsVerb(ctx, await resolvePass(ctx, query, null))),
});

export const adjustPoints = endpoint({
  op: 'adjustPoints',
  call: 'loyalty.adjust',
  tag,
  summary: 'Correct a balance by hand',
  description: `${once} Works in every state of the program, and ignores its limits; never below zero.`,
  idempotent: true,
  body: shapes.Adjustment,
  example: { passId: 'pass_…', identifier: 'cust_8841', points: -5, reason: 'Awarded twice at the till' },
  answers: { 200: shapes.Posting, 202: shapes.Posting },
  errors: [...groundErrors, ...targetErrors, 'balance_too_low'],
  handle: (ctx: KeyCtx, input) => answerOnCard(ctx, input, 'adjustPoints', adjustPointsVerb),
});

export const adjustBatch = endpoint({
  op: 'adjustBatch',
  call: 'loyalty.adjustBatch',
  tag,
  summary: 'Correct up to 1,000 balances by hand',
  description: eachAlone,
  idempotent: true,
  bodyLimit: 5 * 1024 * 1024,
  body: closed({ adjustments: batchOf(shapes.Adjustment, 'each as the body of POST /loyalty/adjust') }),
  example: {
    adjustments: [
      { passId: 'pass_…', identifier: 'cust_8841', points: -5, reason: 'Awarded twice at the till' },
    ],
  },
  answers: { 200: batchResults('AdjustmentResults', 'adjustment', shapes.Posting) },
  handle: (ctx: KeyCtx, { body, key }) => postEachAdjustment(ctx, body.adjustments, key),
});

export const reverseEntry = endpoint({
  op: 'reverseEntry',
  call: 'loyalty.reverse',
  tag,
  summary: 'Undo an earn or a redeem, once',
  description:
    'Points return to where they came from. What an earn gave and the holder has spent becomes a debt, or stays with the holder, as the refundPolicy of the program says. Works while the program is paused.',
  idempotent: true,
  params: closed({ entryId: Id }),
  body: Type.Optional(shapes.Reversal),
  example: { reason: 'Goods returned', externalRef: 'return-2027-0201-3' },
  answers: { 200: shapes.ReversalPosting, 202: shapes.ReversalPosting },
  errors: ['entry_not_found', 'forbidden', 'entry_not_reversible', 'already_reversed', 'insufficient_value'],
  handle: async (ctx: KeyCtx, { params, body, key }) =>
    answerCall(ctx, await reverseEntryVerb(ctx, params.entryId, body ?? {}, key)),
});

export const getHolder = endpoint({
  op: 'getHolder',
  call: 'loyalty.holder',
  tag,
  summary: 'What a holder has',
  description: 'Balance, pending rewards, and what expires next.',
  params: closed({ identifier: Identifier }),
  query: closed({ passId: Id }),
  answers: { 200: LoyaltyHolder },
  errors: ['pass_not_found', 'forbidden', 'no_loyalty_program', 'holder_not_found'],
  handle: async (ctx: KeyCtx, { params, query }) =>
    answer(200, await showHolder(ctx, { identifier: params.identifier, passId: query.passId })),
});

export const exportBalances = endpoint({
  op: 'exportBalances',
  call: 'programs.exportBalances',
  tag,
  summary: 'The balances of a program as CSV',
  description:
    'A line per card that has ever had a point, voided ones included. Text that a spreadsheet would take for a formula begins with an apostrophe, which the import takes away again.',
  params: ProgramPath,
  answers: { 200: 'text/csv' },
  errors: ['program_not_found', 'forbidden'],
  async handle(ctx: KeyCtx, { params }) {
    const program = await findProgram(ctx.app.database.db, ctx, params.programId);
    return answer(200, exportBalancesVerb(ctx, program), {
      'content-disposition': `attachment; filename="balances-${params.programId}.csv"`,
    });
  },
});

export const importBalances = endpoint({
  op: 'importBalances',
  call: 'programs.importBalances',
  tag,
  summary: 'Set balances to the figures of a CSV file',
  description:
    'Up to 20,000 lines; each stands alone. A line names its card by the first of `instanceId`, `identifier` and `barcode` that is not empty: leave `instanceId` out of a file for other cards than those it was exported from. The difference is entered as `import`, in every state of the program; a figure that reaches the threshold unlocks rewards. With an Idempotency-Key a repeat answers what was applied before and wipes nothing that was earned since; without one every call sets the figures anew. `dryRun=true` answers the same report and writes nothing, whatever its key.',
  idempotent: true,
  bodyLimit: 5 * 1024 * 1024,
  params: ProgramPath,
  query: closed({
    dryRun: Type.Optional(Type.Unsafe<'true' | 'false'>({ type: 'string', enum: ['true', 'false'] })),
  }),
  body: BalancesFile,
  accepts: { 'text/csv': 'text' },
  answers: { 200: BalancesReport },
  errors: ['program_not_found', 'forbidden'],
  async handle(ctx: KeyCtx, { params, query, body, key }) {
    const dryRun = query.dryRun === 'true';
    return answer(
      200,
      await importBalancesVerb(ctx, { programId: params.programId, file: body, dryRun, key }),
    );
  },
});

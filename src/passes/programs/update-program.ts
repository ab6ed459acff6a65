import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import type { KeyCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import { wakeAfter } from '../../engine/wake-after.ts';
import { refusal } from '../../errors.ts';
import { changedProperties } from '../../events/changed-properties.ts';
import { recordEvent } from '../../events/record-event.ts';
import { fingerprintOf } from '../../kit/db/claims.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { encodeId } from '../../kit/ids.ts';
import { ownWorkspace } from '../../workspaces/own-workspace.ts';
import { changeShown, keepPass } from '../change-shown.ts';
import type { PassRow } from '../pass-row.ts';
import { warningsOf } from '../warnings.ts';
import { findProgram, programNotFound, programOfPass, recordState, showProgram } from './find-program.ts';
import { type ProgramChanges, presentProgram } from './program.schema.ts';
import type { ProgramRow } from './program-row.ts';
import { changeTerms } from './program-terms.ts';
import { replaceProgram } from './programs.sql.ts';
import { rewardsOf } from './rewards.ts';
import { TIER_KEY } from './tiers.ts';
import { upsertWalk } from './unlock-walks.sql.ts';

type Changes = Static<typeof ProgramChanges>;

/**
 * Changes a program, launches, pauses or resumes it. From the launch on its cards show it, and their wallets are notified of
 * what changes about that. Raises `program_state_conflict`.
 */
export async function updateProgram(tx: Tx, ctx: KeyCtx, input: { programId: string; changes: Changes }) {
  const { workspaceId, passId } = await findProgram(tx, ctx, input.programId);
  const pass = await keepPass(tx, ctx, encodeId('pass', passId));
  // Read again: only now that its pass is kept does no other transaction change it.
  const before = await programOfPass(tx, workspaceId, passId);
  if (before === undefined) throw programNotFound(input.programId);
  const after = await programAfter(tx, ctx, before, input.changes);
  const { status } = input.changes;
  if (status !== undefined) refuseTransition(pass, before, status);
  if (isDeepStrictEqual(presentProgram(after), presentProgram(before))) return showProgram(tx, before);
  const changed = { ...after, updatedAt: ctx.app.now() };
  await replaceProgram(tx, changed);
  if (isThresholdLower(before, changed)) await beginToUnlock(tx, ctx, changed);
  if (after.status !== before.status) await recordState(tx, ctx, changed);
  reportChange(tx, ctx, before, changed);
  if (cardsShowTerms(pass, before, after)) await changeShown(tx, ctx, pass);
  return { ...(await showProgram(tx, changed)), ...warningsOf(pass, changed) };
}

/** A program as changes would leave it. Raises `invalid_request` that names the parameter. */
export async function programAfter(
  db: Db,
  ctx: KeyCtx,
  before: ProgramRow,
  { status, ...changes }: Changes,
): Promise<ProgramRow> {
  const { currency } = await ownWorkspace(db, ctx);
  // A process of a former version may have written the rule since, without a currency.
  const rule = { currency, rates: {}, ...before.earn };
  return {
    ...before,
    ...changeTerms(before.mode, { ...before, earn: rule }, changes, rewardsOf(before)),
    status: status ?? before.status,
    launchedAt: before.launchedAt ?? (status === 'active' ? ctx.app.now() : null),
  };
}

/** Whether fewer stamps than before unlock a reward, so that cards may be full. */
export function isThresholdLower(before: ProgramRow, after: ProgramRow): boolean {
  return (after.threshold ?? 0) < (before.threshold ?? 0);
}

/** Calls that had read the former threshold have ended by then: no transaction lasts so long. */
const callsEndMs = 60_000;

/** Has the rewards of cards that are full now unlocked in the background. */
async function beginToUnlock(
  tx: Tx,
  ctx: KeyCtx,
  { workspaceId, programId, passId, updatedAt }: ProgramRow,
): Promise<void> {
  const { actor, requestId } = ctx;
  const againAt = new Date(updatedAt.getTime() + callsEndMs);
  await upsertWalk(tx, { workspaceId, programId, passId, actor, requestId, againAt, dueAt: updatedAt });
  wakeAfter(tx, ctx, workspaceId, 'unlockRewards');
}

/** Records the change in the audit log, and emits that the program was launched, resumed or paused. */
function reportChange(tx: Tx, ctx: KeyCtx, before: ProgramRow, after: ProgramRow): void {
  const data = presentProgram(after);
  const { previous, current } = changedProperties(presentProgram(before), data);
  audit(tx, ctx, {
    action: 'updateProgram',
    target: data.programId,
    detail: { before: previous, after: current },
  });
  if (after.status === before.status) return;
  const type = after.status === 'active' ? 'program.launched' : 'program.paused';
  recordEvent(tx, ctx, { type, passId: after.passId, instanceId: null, data, previous });
}

function refuseTransition(pass: PassRow, program: ProgramRow, to: 'active' | 'paused'): void {
  if (to === 'active' && pass.status !== 'published') {
    throw conflict(
      'publish_pass_first',
      `A program runs on a published pass only, and its pass is ${named[pass.status]}. Publish it with PATCH /passes/${encodeId('pass', pass.passId)} first.`,
    );
  }
  if (to === 'paused' && program.status !== 'active') {
    throw conflict(
      'pause_requires_active',
      `Only an active program can be paused, and this one is ${named[program.status]}.`,
    );
  }
}

const named: Readonly<Record<PassRow['status'] | ProgramRow['status'], string>> = {
  draft: 'a draft',
  published: 'published',
  archived: 'archived',
  not_launched: 'not launched yet',
  active: 'active',
  paused: 'paused already',
};

function conflict(reason: 'publish_pass_first' | 'pause_requires_active', message: string) {
  return refusal('program_state_conflict', message, { reason });
}

/** Whether cards of the pass show something else with the program as it is after a change. */
export function cardsShowTerms(pass: PassRow, before: ProgramRow, after: ProgramRow): boolean {
  return !shownOf(pass, after).equals(shownOf(pass, before));
}

/** What the cards show of a program: nothing before its launch, and nothing of a pause. */
function shownOf(pass: PassRow, program: ProgramRow) {
  const { launchedAt, rewardTitle, rewardCost, threshold, pointName, drawsStamps } = program;
  if (launchedAt === null) return fingerprintOf(null);
  const showsTier = pass.fields.some(({ key }) => key === TIER_KEY);
  const tiers = showsTier ? program.tiers.map(({ title, from }) => ({ title, from })) : [];
  return fingerprintOf({ rewardTitle, rewardCost, threshold, pointName, drawsStamps, tiers });
}

import type { Static } from 'typebox';
import { audit } from '../../audit.ts';
import type { KeyCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import { wholeSecond } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/database.ts';
import { encodeId, newUuidV7 } from '../../kit/ids.ts';
import { holdWorkspace } from '../workspaces/hold-workspace.ts';
import { blankDesign, changeDesign, type Design } from './design.ts';
import { type NewPass, presentPass } from './pass.schema.ts';
import type { PassRow } from './pass-row.ts';
import { countDrafts, insertPass } from './passes.sql.ts';

/** A new design, as a draft. Raises `draft_limit_reached`. */
export async function createPass(tx: Tx, ctx: KeyCtx, input: Static<typeof NewPass>) {
  const { plan, defaults } = await holdWorkspace(tx, ctx);
  await refuseFullDrafts(tx, ctx, plan);
  const row = await addDraft(tx, ctx, changeDesign(blankDesign(input.title, input.type, defaults), input));
  await audit(tx, ctx, {
    action: 'createPass',
    target: encodeId('pass', row.passId),
    detail: { title: row.title, type: row.type },
  });
  return presentPass(row);
}

/** Stores a design as a new draft. */
export async function addDraft(tx: Tx, ctx: KeyCtx, design: Design): Promise<PassRow> {
  const now = ctx.app.now();
  const row: PassRow = {
    ...design,
    workspaceId: ctx.workspaceId,
    passId: newUuidV7(),
    status: 'draft',
    message: null,
    programId: null,
    revision: 1,
    modifiedAt: wholeSecond(now),
    createdAt: now,
    updatedAt: now,
  };
  await insertPass(tx, row);
  return row;
}

/** Drafts that an entry-plan workspace may hold; higher plans have no limit. */
const draftLimit = 10;

/** Raises `draft_limit_reached` when the plan allows no further draft. Call with the workspace held. */
export async function refuseFullDrafts(tx: Tx, ctx: KeyCtx, plan: string): Promise<void> {
  if (plan !== 'entry') return;
  const drafts = await countDrafts(tx, ctx.workspaceId);
  if (drafts < draftLimit) return;
  throw refusal(
    'draft_limit_reached',
    `The entry plan holds ${draftLimit} drafts, and you have ${drafts}. Publish, archive or delete one, or change the plan.`,
    { limit: draftLimit, drafts },
  );
}

import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { lockWorkspace, ownWorkspace, type WorkspaceDefaults } from '../workspaces/own-workspace.ts';
import { blankDesign, changeDesign, type Design, designOf } from './design.ts';
import { emitPassEvent } from './emit-pass-event.ts';
import { findPass } from './find-pass.ts';
import {
  type FetchedImages,
  fetchImages,
  namesImages,
  noImages,
  storeImages,
  urlsToFetch,
} from './images/fetch-images.ts';
import { type NewPass, presentPass } from './pass.schema.ts';
import type { PassRow } from './pass-row.ts';
import { countDrafts, insertPass, noCounts } from './passes.sql.ts';
import { firstPlaces, keepPlaces, moreThanFirst, withAllPlaces } from './places.ts';
import { warningsOf } from './warnings.ts';

/** Fetches the images of a new design, unless it is to be refused anyway. Raises what `createPass` and `fetchImages` raise. */
export async function prepareNewPass(ctx: KeyCtx, input: Static<typeof NewPass>): Promise<FetchedImages> {
  if (!namesImages(input)) return noImages;
  const { translations } = changeDesign(blankDesign(input.title, input.type, {}), input);
  const { db } = ctx.app.database;
  await refuseFullDrafts(db, ctx, (await ownWorkspace(db, ctx)).plan);
  return fetchImages(ctx, urlsToFetch(input, translations, {}));
}

/** A new design, as a draft. Raises `draft_limit_reached`. */
export async function createPass(tx: Tx, ctx: KeyCtx, input: Static<typeof NewPass>, fetched: FetchedImages) {
  await storeImages(tx, ctx, fetched);
  const defaults = await lockForDraft(tx, ctx);
  const blank = blankDesign(input.title, input.type, defaults);
  const row = await addDraft(tx, ctx, changeDesign(blank, input, fetched.images));
  audit(tx, ctx, {
    action: 'createPass',
    target: encodeId('pass', row.passId),
    detail: { title: row.title, type: row.type },
  });
  return { ...created(tx, ctx, row), ...warningsOf(row, undefined) };
}

/** Stores a design as a new draft. */
async function addDraft(tx: Tx, ctx: KeyCtx, design: Design): Promise<PassRow> {
  const now = ctx.app.now();
  const row: PassRow = {
    ...design,
    workspaceId: ctx.workspaceId,
    passId: newUuidV7(),
    status: 'draft',
    message: null,
    messageId: null,
    programId: null,
    moreLocations: moreThanFirst(design.locations),
    poolLowSeq: null,
    poolLowSince: null,
    poolFromSeq: 0,
    revision: 1,
    modifiedAt: now,
    createdAt: now,
    updatedAt: now,
  };
  await insertPass(tx, firstPlaces(row));
  await keepPlaces(tx, row);
  return row;
}

/** Holds the caller's workspace for a new draft. Raises `draft_limit_reached`. */
async function lockForDraft(tx: Tx, ctx: KeyCtx): Promise<WorkspaceDefaults> {
  const { plan, defaults } = await lockWorkspace(tx, ctx);
  await refuseFullDrafts(tx, ctx, plan);
  return defaults;
}

/** Drafts that an entry-plan workspace may hold; higher plans have no limit. */
const draftLimit = 10;

/** Raises `draft_limit_reached` when the plan allows no further draft. It is exact while the workspace is held. */
export async function refuseFullDrafts(db: Db, ctx: KeyCtx, plan: string): Promise<void> {
  if (plan !== 'entry') return;
  const drafts = await countDrafts(db, ctx.workspaceId);
  if (drafts < draftLimit) return;
  throw refusal(
    'draft_limit_reached',
    `The entry plan holds ${draftLimit} drafts, and you have ${drafts}. Publish, archive or delete one, or change the plan.`,
    { limit: draftLimit, drafts },
  );
}

/**
 * A draft with the design of another pass, its images too: no instances, program or pool codes. Raises
 * `draft_limit_reached`.
 */
export async function clonePass(tx: Tx, ctx: KeyCtx, input: { passId: string; title?: string | undefined }) {
  const original = await findPass(tx, ctx, input.passId);
  await storeImages(tx, ctx, { images: original.images, files: [] });
  await lockForDraft(tx, ctx);
  const row = await addDraft(tx, ctx, {
    ...designOf(await withAllPlaces(tx, original)),
    title: input.title ?? original.title,
  });
  audit(tx, ctx, {
    action: 'clonePass',
    target: encodeId('pass', row.passId),
    detail: { original: encodeId('pass', original.passId), title: row.title },
  });
  return created(tx, ctx, row);
}

/** Emits a new draft, and returns it as the API shows it. */
function created(tx: Tx, ctx: KeyCtx, row: PassRow) {
  const data = presentPass(ctx.app.config.publicUrl, row, noCounts);
  emitPassEvent(tx, ctx, row, { type: 'pass.created', data });
  return data;
}

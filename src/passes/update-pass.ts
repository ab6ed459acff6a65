import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { changedProperties } from '../events/changed-properties.ts';
import { fingerprintOf } from '../kit/db/claims.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { laterMoment } from '../kit/time.ts';
import { rollOutDesign, rolloutsOf } from '../pushes/begin-rollout.ts';
import { lockWorkspace, ownWorkspace } from '../workspaces/own-workspace.ts';
import { refuseUnknownTiers } from './change-translations.ts';
import { moveMark } from './count-pool.ts';
import { refuseFullDrafts } from './create-pass.ts';
import { changeDesign, type Design, designOf } from './design.ts';
import { emitPassEvent } from './emit-pass-event.ts';
import { findPass, passNotFound } from './find-pass.ts';
import {
  type FetchedImages,
  fetchImages,
  namesImages,
  noImages,
  storeImages,
  urlsToFetch,
} from './images/fetch-images.ts';
import { type PassChanges, presentPass } from './pass.schema.ts';
import type { PassRow, PassStatus } from './pass-row.ts';
import { countsOfPass, lockPassAlone, noCounts, type PassCounts, replacePass } from './passes.sql.ts';
import { firstPlaces, keepPlaces, moreThanFirst, withAllPlaces } from './places.ts';
import { programOfPass } from './programs/find-program.ts';
import { lastingWarningsOf, warningsOf } from './warnings.ts';

/** Fetches the images of a change, unless it is to be refused anyway. Raises what `updatePass` and `fetchImages` raise. */
export async function prepareUpdate(
  ctx: KeyCtx,
  input: { passId: string; changes: Static<typeof PassChanges> },
): Promise<FetchedImages> {
  const { status, ...changes } = input.changes;
  if (!namesImages(changes)) return noImages;
  const { db } = ctx.app.database;
  const before = await withAllPlaces(db, await findPass(db, ctx, input.passId));
  const counts = await countsOfPass(db, before);
  const after = changeDesign(before, changes);
  refuseChange(before, after, status, counts);
  if (isReturned(before, status)) await refuseFullDrafts(db, ctx, (await ownWorkspace(db, ctx)).plan);
  return fetchImages(ctx, urlsToFetch(changes, after.translations, before.images), before.images);
}

/**
 * Changes a design or its status. What the cards show changes for all holders at once, and their wallets are notified in
 * the background. Raises
 * `draft_limit_reached` on the way back to draft, and `invalid_request` for a transition that does not exist.
 */
export async function updatePass(
  tx: Tx,
  ctx: KeyCtx,
  input: { passId: string; changes: Static<typeof PassChanges> },
  fetched: FetchedImages,
) {
  const { status, ...changes } = input.changes;
  await storeImages(tx, ctx, fetched);
  const { plan } = await lockWorkspace(tx, ctx);
  const { passId } = await findPass(tx, ctx, input.passId);
  const row = await lockPassAlone(tx, ctx.workspaceId, passId);
  if (row === undefined) throw passNotFound(input.passId);
  const before = await withAllPlaces(tx, row);
  if (isReturned(before, status)) await refuseFullDrafts(tx, ctx, plan);
  const counts = await countsOfPass(tx, before);
  const design = changeDesign(before, changes, fetched.images);
  refuseChange(before, design, status, counts);
  const program = await programOfPass(tx, ctx.workspaceId, passId);
  refuseUnknownTiers(changes.translations, program);
  const now = ctx.app.now();
  const shows = cardsShowChange(before, design);
  const after: PassRow = {
    ...before,
    ...design,
    moreLocations: moreThanFirst(design.locations),
    ...(await markOf(tx, ctx, before, design, counts)),
    status: status ?? before.status,
    revision: shows ? before.revision + 1 : before.revision,
    modifiedAt: shows ? laterMoment(before.modifiedAt, now) : before.modifiedAt,
    updatedAt: now,
  };
  await replacePass(tx, firstPlaces(after));
  if (changes.locations !== undefined || changes.translations !== undefined)
    await keepPlaces(tx, after, before);
  const { previous, current } = changedProperties(shownDesign(ctx, before), shownDesign(ctx, after));
  audit(tx, ctx, {
    action: 'updatePass',
    target: input.passId,
    detail: { before: previous, after: current },
  });
  if (shows) await rollOutDesign(tx, ctx, after, counts.installed);
  const [rollout] = await rolloutsOf(tx, ctx.workspaceId, [passId]);
  const warnings = (namesImages(changes) ? warningsOf : lastingWarningsOf)(after, program);
  const shown = presentPass(ctx.app.config.publicUrl, after, counts, rollout);
  if (Object.keys(previous).length > 0)
    emitPassEvent(tx, ctx, after, { type: kindOf(before, after), data: shown, previous });
  return { ...shown, ...warnings };
}

/** The event of a change of a pass. A new status decides its type, and other changes are included. */
function kindOf(before: PassRow, { status }: PassRow): 'pass.published' | 'pass.archived' | 'pass.updated' {
  return status === before.status || status === 'draft' ? 'pass.updated' : `pass.${status}`;
}

/** What the API shows of a pass that its merchant has set. */
function shownDesign({ app }: KeyCtx, row: PassRow) {
  const { updatedAt: _, pool, counts: __, ...set } = presentPass(app.config.publicUrl, row, noCounts);
  return { ...set, pool: { lowAt: pool.lowAt } };
}

/** Whether the pass becomes a draft again. */
function isReturned(before: PassRow, status: PassStatus | undefined): boolean {
  return status === 'draft' && before.status !== 'draft';
}

function refuseChange(
  before: PassRow,
  design: Design,
  status: PassStatus | undefined,
  counts: PassCounts,
): void {
  if (counts.issued > 0) refuseFixed(before, design);
  if (status !== undefined) refuseTransition(before.status, status);
}

/** What the pool is low at may have changed. */
function markOf(tx: Tx, ctx: KeyCtx, before: PassRow, design: Design, counts: PassCounts) {
  if (design.poolLowAt === before.poolLowAt) return {};
  return moveMark(tx, ctx, { ...before, ...design }, counts);
}

/** What existing cards were made with cannot change under them. */
function refuseFixed(before: Design, after: Design): void {
  if (before.type !== after.type)
    throw invalidField('type', 'fixed', 'is fixed once instances exist. Clone the pass instead.');
  if (before.barcodeMode !== after.barcodeMode) {
    throw invalidField('barcode.mode', 'fixed', 'is fixed once instances exist. Clone the pass instead.');
  }
}

const transitions: Readonly<Record<PassStatus, readonly PassStatus[]>> = {
  draft: ['published'],
  published: ['archived', 'draft'],
  archived: ['published', 'draft'],
};

function refuseTransition(from: PassStatus, to: PassStatus): void {
  if (from === to || transitions[from].includes(to)) return;
  throw invalidField(
    'status',
    'enum',
    `a ${from} pass can become ${transitions[from].join(' or ')}, not ${to}.`,
    { limit: [...transitions[from]] },
  );
}

/** Whether the cards of a pass would look or read differently. */
export function cardsShowChange(before: PassRow, after: Design): boolean {
  const shown = ({ metadata: _, poolLowAt: __, joinForm: ___, images, ...rest }: Design) => {
    // The same picture from another address is the same picture.
    const pictures = Object.entries(images).map(([key, image]) => [key, { ...image, url: null }]);
    return fingerprintOf([rest, Object.fromEntries(pictures)]);
  };
  return !shown(designOf(before)).equals(shown(after));
}

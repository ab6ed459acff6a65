import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { answer, emptyAnswer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import { pageMade, pageOf } from '../engine/listing.ts';
import { progressEndpoint } from '../engine/progress-endpoint.ts';
import { deletePass as deletePassVerb } from '../erasure/delete-pass.ts';
import { inNfc } from '../kit/http/schemas/documented.ts';
import { closed, Id, listOf, listQuery, madeBetween } from '../kit/http/schemas/shapes.ts';
import { uploadBarcodes as uploadBarcodesVerb } from '../lifecycle/upload-barcodes.ts';
import { CodeState, PoolBarcode, presentCode, Upload, UploadReport } from '../passes/barcode.schema.ts';
import {
  clonePass as clonePassVerb,
  createPass as createPassVerb,
  prepareNewPass,
} from '../passes/create-pass.ts';
import { deleteBarcode as deleteBarcodeVerb } from '../passes/delete-barcode.ts';
import { findPass, refuseHiddenPass } from '../passes/find-pass.ts';
import {
  Clone,
  NewPass,
  Pass,
  PassChanges,
  PassStatusName,
  passExample,
  presentPass,
} from '../passes/pass.schema.ts';
import type { PassRow } from '../passes/pass-row.ts';
import { countsOf, countsOfPass, listPasses as listPassRows, noCounts } from '../passes/passes.sql.ts';
import { withAllPlaces } from '../passes/places.ts';
import { listCodes } from '../passes/pool.sql.ts';
import { programOfPass } from '../passes/programs/find-program.ts';
import { prepareUpdate, updatePass as updatePassVerb } from '../passes/update-pass.ts';
import { lastingWarningsOf } from '../passes/warnings.ts';
import { rolloutsOf } from '../pushes/begin-rollout.ts';

const tag = 'Passes';
const PassPath = closed({ passId: Id });

export const createPass = writeEndpoint({
  op: 'createPass',
  call: 'passes.create',
  tag,
  summary: 'Create a pass',
  description:
    'A pass is a design: what all its cards share. It begins as a draft; publish it to issue cards.',
  body: NewPass,
  example: passExample,
  answers: { 201: Pass },
  errors: ['draft_limit_reached', 'asset_fetch_failed', 'payload_too_large'],
  prepare: (ctx, { body }) => prepareNewPass(ctx, body),
  handle: async (tx, ctx, { body }, images) => answer(201, await createPassVerb(tx, ctx, body, images)),
});

export const listPasses = endpoint({
  op: 'listPasses',
  call: 'passes.list',
  tag,
  summary: 'List passes',
  description:
    'In the order of their making, newest first; of a key that is restricted to some passes, those. Of more than ten places a list has the first ten, and `moreLocations` says how many `GET /v1/passes/{passId}` has besides.',
  query: listQuery({ ...madeBetween, status: Type.Optional(PassStatusName) }),
  answers: { 200: listOf(Pass) },
  async handle(ctx: KeyCtx, { query }) {
    const { db } = ctx.app.database;
    const passIds = ctx.passIds === null ? null : [...ctx.passIds];
    const scope = `listPasses/${ctx.workspaceId}/${query.status ?? ''}`;
    const page = pageMade(ctx, scope, query);
    const rows = await listPassRows(db, ctx.workspaceId, { status: query.status, passIds }, page);
    const ids = rows.map((row) => row.passId);
    const counts = await countsOf(db, ctx.workspaceId, ids);
    const rollouts = await rolloutsOf(db, ctx.workspaceId, ids);
    const present = (row: PassRow) => {
      const rollout = rollouts.find(({ passId }) => passId === row.passId);
      return presentPass(ctx.app.config.publicUrl, row, counts.get(row.passId) ?? noCounts, rollout);
    };
    return answer(200, page.of(rows, 'passId', present));
  },
});

export const getPass = endpoint({
  op: 'getPass',
  call: 'passes.get',
  tag,
  summary: 'A pass',
  description: 'Its design, what is left of its codes, and how many cards there are.',
  params: PassPath,
  answers: { 200: Pass },
  errors: ['pass_not_found', 'forbidden'],
  handle: async (ctx: KeyCtx, { params }) => answer(200, await showPass(ctx, params.passId)),
});

export const watchPass = progressEndpoint({
  op: 'watchPass',
  call: 'passes.progress',
  tag,
  summary: 'How far the newest change of a pass has come, as it goes on',
  params: PassPath,
  get: 'getPass',
  ends: 'once its `rollout` has finished',
  errors: ['pass_not_found', 'forbidden'],
  show: (ctx, { passId }) => showPass(ctx, passId),
  isDone: ({ rollout }) => rollout?.state !== 'running',
});

async function showPass(ctx: KeyCtx, passId: string) {
  const { db } = ctx.app.database;
  const row = await withAllPlaces(db, await findPass(db, ctx, passId));
  const counts = await countsOfPass(db, row);
  const [rollout] = await rolloutsOf(db, ctx.workspaceId, [row.passId]);
  const program = row.programId === null ? undefined : await programOfPass(db, ctx.workspaceId, row.passId);
  return {
    ...presentPass(ctx.app.config.publicUrl, row, counts, rollout),
    ...lastingWarningsOf(row, program),
  };
}

export const updatePass = writeEndpoint({
  op: 'updatePass',
  call: 'passes.update',
  tag,
  summary: 'Change a pass, or publish, archive or reopen it',
  description:
    'Absent leaves alone, null clears. `{"status":"published"}` publishes. What cards show changes for all holders at once; installed cards are pushed to in the background, at a credit each, and `rollout` says how far that has come.',
  params: PassPath,
  body: PassChanges,
  example: { status: 'published' },
  answers: { 200: Pass },
  errors: ['pass_not_found', 'forbidden', 'draft_limit_reached', 'asset_fetch_failed', 'payload_too_large'],
  authorizeReplay: async (_tx, ctx, { params }) => refuseHiddenPass(ctx, params.passId),
  prepare: (ctx, { params, body }) => prepareUpdate(ctx, { passId: params.passId, changes: body }),
  handle: async (tx, ctx, { params, body }, images) =>
    answer(200, await updatePassVerb(tx, ctx, { passId: params.passId, changes: body }, images)),
});

export const clonePass = writeEndpoint({
  op: 'clonePass',
  call: 'passes.clone',
  tag,
  summary: 'Copy a design into a new draft',
  description: 'No instances, program or pool codes come along.',
  params: PassPath,
  body: Clone,
  example: { title: 'Blue Bean Club 2028' },
  answers: { 201: Pass },
  errors: ['pass_not_found', 'forbidden', 'draft_limit_reached'],
  effect: ({ params, body }) => [params.passId, body?.title],
  handle: async (tx, ctx, { params, body }) =>
    answer(201, await clonePassVerb(tx, ctx, { passId: params.passId, title: body?.title })),
});

export const deletePass = writeEndpoint({
  op: 'deletePass',
  call: 'passes.delete',
  tag,
  summary: 'Delete a pass without instances',
  description: 'Only a pass that no card was ever issued of can be deleted; archive the others.',
  params: PassPath,
  answers: { 204: null },
  errors: ['pass_not_found', 'forbidden'],
  authorizeReplay: async (_tx, ctx, { params }) => refuseHiddenPass(ctx, params.passId),
  handle: async (tx, ctx, { params }) => emptyAnswer(204, deletePassVerb(tx, ctx, params)),
});

export const uploadBarcodes = endpoint({
  op: 'uploadBarcodes',
  call: 'barcodes.upload',
  tag,
  summary: 'Add barcodes to the pool of a pass',
  description:
    'Up to 50,000 at once, as JSON or as CSV with one code a line; cards get them in this order, in the NFC form of Unicode. All good codes are added together: `rejected` names the others. What is in the pool or on a card already is left alone, so a repeat harms nothing. Works in every state of the pass.',
  idempotent: true,
  bodyLimit: 16 * 1024 * 1024,
  params: PassPath,
  body: Upload,
  accepts: { 'text/csv': 'stream' },
  example: { barcodes: ['7Q4M-2X9K-D3', '7Q4M-2X9K-D4'] },
  answers: { 200: UploadReport },
  errors: ['pass_not_found', 'forbidden'],
  handle(ctx: KeyCtx, { params, body, key }) {
    const codes = body instanceof Readable ? body : body.barcodes;
    return uploadBarcodesVerb(ctx, { passId: params.passId, codes, key });
  },
});

export const listBarcodes = endpoint({
  op: 'listBarcodes',
  call: 'barcodes.list',
  tag,
  summary: 'The barcodes in the pool of a pass',
  description: 'In the order of their upload, which is the order in which cards get them.',
  params: PassPath,
  query: listQuery({ state: Type.Optional(CodeState) }),
  answers: { 200: listOf(PoolBarcode) },
  errors: ['pass_not_found', 'forbidden'],
  async handle(ctx: KeyCtx, { params, query }) {
    const { db } = ctx.app.database;
    const pass = await findPass(db, ctx, params.passId);
    const page = pageOf(ctx, `listBarcodes/${ctx.workspaceId}/${pass.passId}/${query.state ?? ''}`, query);
    const codes = await listCodes(db, pass, query.state, Number(page.after ?? 0), page.take);
    return answer(200, page.of(codes, 'seq', presentCode));
  },
});

export const deleteBarcode = writeEndpoint({
  op: 'deleteBarcode',
  call: 'barcodes.delete',
  tag,
  summary: 'Delete a barcode that waits for a card',
  description: 'One that is on a card stays there.',
  params: closed({ passId: Id, barcode: inNfc(Type.String({ minLength: 1, maxLength: 255 })) }),
  answers: { 204: null },
  errors: ['pass_not_found', 'forbidden', 'barcode_not_found'],
  authorizeReplay: async (_tx, ctx, { params }) => refuseHiddenPass(ctx, params.passId),
  handle: async (tx, ctx, { params }) => emptyAnswer(204, deleteBarcodeVerb(tx, ctx, params)),
});

import { Type } from 'typebox';
import type { KeyCtx } from '../../context.ts';
import { answer, endpoint, writeEndpoint } from '../../endpoints.ts';
import { closed, Id, listOf, listQuery } from '../../kit/http/shapes.ts';
import { list } from '../../listing.ts';
import { rolloutsOf } from '../delivery/find-rollouts.ts';
import { clonePass as clonePassVerb } from './clone-pass.ts';
import { createPass as createPassVerb } from './create-pass.ts';
import { deletePass as deletePassVerb } from './delete-pass.ts';
import { findPass } from './find-pass.ts';
import {
  Clone,
  NewPass,
  Pass,
  PassChanges,
  PassStatusName,
  passExample,
  presentPass,
} from './pass.schema.ts';
import { countsOf, listPasses as listPassRows } from './passes.sql.ts';
import { updatePass as updatePassVerb } from './update-pass.ts';

const tag = 'Passes';
const PassPath = closed({ passId: Id });

export const createPass = writeEndpoint({
  op: 'createPass',
  tag,
  summary: 'Create a pass',
  description:
    'A pass is a design: what all its cards share. It begins as a draft; publish it to issue cards.',
  idempotent: true,
  body: NewPass,
  example: passExample,
  answers: { 201: Pass },
  errors: ['draft_limit_reached'],
  handle: async (tx, ctx, { body }) => answer(201, await createPassVerb(tx, ctx, body)),
});

export const listPasses = endpoint({
  op: 'listPasses',
  tag,
  summary: 'List passes',
  query: listQuery({ status: Type.Optional(PassStatusName) }),
  answers: { 200: listOf(Pass) },
  async handle(ctx: KeyCtx, { query }) {
    const { db } = ctx.app.database;
    const passIds = ctx.key.passIds === null ? null : [...ctx.key.passIds];
    const scope = `listPasses/${ctx.workspaceId}/${query.status ?? ''}`;
    const body = await list(
      ctx,
      scope,
      query,
      async ({ after, take }) => {
        const filter = { status: query.status, passIds };
        const rows = await listPassRows(db, ctx.workspaceId, filter, after, take);
        const ids = rows.map((row) => row.passId);
        const counts = await countsOf(db, ctx.workspaceId, ids);
        const rollouts = await rolloutsOf(db, ctx.workspaceId, ids);
        return rows.map((row) => ({
          row,
          counts: counts.get(row.passId),
          rollout: rollouts.find(({ passId }) => passId === row.passId),
        }));
      },
      ({ row }) => row.passId,
      ({ row, counts, rollout }) => presentPass(row, counts, rollout),
    );
    return answer(200, body);
  },
});

export const getPass = endpoint({
  op: 'getPass',
  tag,
  summary: 'A pass',
  params: PassPath,
  answers: { 200: Pass },
  errors: ['pass_not_found', 'forbidden'],
  async handle(ctx: KeyCtx, { params }) {
    const { db } = ctx.app.database;
    const row = await findPass(db, ctx, params.passId);
    const counts = await countsOf(db, ctx.workspaceId, [row.passId]);
    const [rollout] = await rolloutsOf(db, ctx.workspaceId, [row.passId]);
    return answer(200, presentPass(row, counts.get(row.passId), rollout));
  },
});

export const updatePass = writeEndpoint({
  op: 'updatePass',
  tag,
  summary: 'Change a pass, or publish, archive or reopen it',
  description:
    'Absent leaves alone, null clears. `{"status":"published"}` publishes. What cards show changes for all holders at once; installed cards are pushed to in the background, at a credit each, and `rollout` says how far that has come.',
  params: PassPath,
  body: PassChanges,
  example: { status: 'published' },
  answers: { 200: Pass },
  errors: ['pass_not_found', 'forbidden', 'draft_limit_reached'],
  committed: ({ app }) => app.wake(),
  handle: async (tx, ctx, { params, body }) =>
    answer(200, await updatePassVerb(tx, ctx, { passId: params.passId, changes: body })),
});

export const clonePass = writeEndpoint({
  op: 'clonePass',
  tag,
  summary: 'Copy a design into a new draft',
  description: 'No instances, program or pool codes come along.',
  idempotent: true,
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
  tag,
  summary: 'Delete a pass without instances',
  params: PassPath,
  answers: { 204: null },
  errors: ['pass_not_found', 'forbidden'],
  async handle(tx, ctx, { params }) {
    await deletePassVerb(tx, ctx, params);
    return answer(204, null);
  },
});

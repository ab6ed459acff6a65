import { Type } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { answer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import { pageMade } from '../engine/listing.ts';
import { closed, Id, listOf, listQuery, madeBetween } from '../kit/http/schemas/shapes.ts';
import { decodeId } from '../kit/ids.ts';
import { lastAuditOf } from '../ledger/audits.sql.ts';
import { ProgramSummary, presentSummary } from '../ledger/program-summary.schema.ts';
import { readTotals } from '../ledger/totals.sql.ts';
import { previewProgram as previewProgramVerb } from '../loyalty/preview-program.ts';
import { ProgramPreview } from '../loyalty/program-preview.schema.ts';
import { refuseOtherPass } from '../passes/find-pass.ts';
import { createProgram as createProgramVerb } from '../passes/programs/create-program.ts';
import { findProgram, showProgram } from '../passes/programs/find-program.ts';
import { NewProgram, programExample } from '../passes/programs/new-program.schema.ts';
import {
  Program,
  ProgramChanges,
  ProgramStatusName,
  ProgramWithHistory,
  presentProgram,
} from '../passes/programs/program.schema.ts';
import { listPrograms as listProgramRows } from '../passes/programs/programs.sql.ts';
import { updateProgram as updateProgramVerb } from '../passes/programs/update-program.ts';
import { retryOrders } from '../stores/retry-orders.ts';

const tag = 'Loyalty';
const ProgramPath = closed({ programId: Id });

export const createProgram = writeEndpoint({
  op: 'createProgram',
  call: 'programs.create',
  tag,
  summary: 'Create the loyalty program of a pass',
  description:
    '`POINTS` collects points and spends `reward.cost` of them on a reward; `STAMPS` unlocks a reward whenever `threshold` stamps are full. A pass has one program at most. It begins as `not_launched`: PATCH it with `{"status":"active"}` to launch it, and its cards show it.',
  body: NewProgram,
  example: programExample,
  answers: { 201: ProgramWithHistory },
  errors: ['pass_not_found', 'forbidden', 'pass_already_dynamic'],
  async authorizeReplay(_tx, ctx, { body }) {
    const passId = decodeId('pass', body.passId);
    if (passId !== null) refuseOtherPass(ctx, passId);
  },
  handle: async (tx, ctx, { body }) => answer(201, await createProgramVerb(tx, ctx, body)),
});

export const listPrograms = endpoint({
  op: 'listPrograms',
  call: 'programs.list',
  tag,
  summary: 'List loyalty programs',
  description: 'Newest first; of a key that is restricted to some passes, those of these passes.',
  query: listQuery({ ...madeBetween, status: Type.Optional(ProgramStatusName) }),
  answers: { 200: listOf(Program) },
  async handle(ctx: KeyCtx, { query }) {
    const { db } = ctx.app.database;
    const passIds = ctx.passIds === null ? null : [...ctx.passIds];
    const page = pageMade(ctx, `listPrograms/${ctx.workspaceId}/${query.status ?? ''}`, query);
    const rows = await listProgramRows(
      db,
      ctx.workspaceId,
      { status: query.status, passIds },
      page.after,
      page.take,
    );
    return answer(200, page.of(rows, 'programId', presentProgram));
  },
});

export const getProgram = endpoint({
  op: 'getProgram',
  call: 'programs.get',
  tag,
  summary: 'A loyalty program',
  description: 'Its rules, its state, and the states that it came into.',
  params: ProgramPath,
  answers: { 200: ProgramWithHistory },
  errors: ['program_not_found', 'forbidden'],
  async handle(ctx: KeyCtx, { params }) {
    const { db } = ctx.app.database;
    return answer(200, await showProgram(db, await findProgram(db, ctx, params.programId)));
  },
});

export const updateProgram = writeEndpoint({
  op: 'updateProgram',
  call: 'programs.update',
  tag,
  summary: 'Change a loyalty program, or launch, pause or resume it',
  description:
    'Absent leaves alone. `{"status":"active"}` launches a program whose pass is published, or resumes it; `{"status":"paused"}` pauses it: until it is resumed, nothing is earned or redeemed. From the launch on, what cards show of it changes for all holders at once, and installed cards are pushed to in the background. Points and rewards that holders have stay as they are; what fills cards by a lower `threshold` becomes their rewards in the background.',
  params: ProgramPath,
  body: ProgramChanges,
  example: { status: 'active' },
  answers: { 200: ProgramWithHistory },
  errors: ['program_not_found', 'forbidden', 'program_state_conflict'],
  authorizeReplay: async (tx, ctx, { params }) => void (await findProgram(tx, ctx, params.programId)),
  async handle(tx, ctx, { params, body }) {
    const program = await updateProgramVerb(tx, ctx, { programId: params.programId, changes: body });
    await retryOrders(tx, ctx, program.passId);
    return answer(200, program);
  },
});

export const previewProgram = endpoint({
  op: 'previewProgram',
  call: 'programs.preview',
  tag,
  idempotent: false,
  summary: 'What a change of a loyalty program would do',
  description:
    'Writes nothing. The body is that of the change. Says how many cards would show something else, what the pushes would cost, and how many cards would have a reward that they do not have now.',
  params: ProgramPath,
  body: ProgramChanges,
  example: { threshold: 5 },
  answers: { 200: ProgramPreview },
  errors: ['program_not_found', 'forbidden'],
  handle: async (ctx: KeyCtx, { params, body }) =>
    answer(200, await previewProgramVerb(ctx, { programId: params.programId, changes: body })),
});

export const getProgramSummary = endpoint({
  op: 'getProgramSummary',
  call: 'programs.summary',
  tag,
  summary: 'What a loyalty program has given out and taken back',
  description: 'The totals of the ledger next to the sum of all balances, which must agree.',
  params: ProgramPath,
  answers: { 200: ProgramSummary },
  errors: ['program_not_found', 'forbidden'],
  async handle(ctx: KeyCtx, { params }) {
    const { db } = ctx.app.database;
    const program = await findProgram(db, ctx, params.programId);
    const totals = await readTotals(db, program);
    return answer(200, presentSummary(program, totals, await lastAuditOf(db, ctx.workspaceId)));
  },
});

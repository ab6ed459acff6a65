import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { answer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import { pageOf } from '../engine/listing.ts';
import { progressEndpoint } from '../engine/progress-endpoint.ts';
import { cancelSweep as cancelSweepVerb } from '../invitations/sweeps/end-sweep.ts';
import { exportResults, findSweep, showSweep } from '../invitations/sweeps/find-sweep.ts';
import { startSweep as startSweepVerb, tryStore } from '../invitations/sweeps/start-sweep.ts';
import { NewSweep, presentItem, Sweep, SweepItems } from '../invitations/sweeps/sweep.schema.ts';
import { listItems } from '../invitations/sweeps/sweep-items.sql.ts';
import { closed, Id, listQuery, oneOf } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import { findPass, refuseHiddenPass } from '../passes/find-pass.ts';

const tag = 'Invitations';
const PassPath = closed({ passId: Id });
const passErrors = ['pass_not_found', 'forbidden'] as const;

export const startSweep = writeEndpoint({
  op: 'startSweep',
  call: 'sweeps.start',
  tag,
  summary: "Invite a store's existing customers",
  description:
    'Those who have agreed to be written to, each address once. Works in the background; `state` says how far it is. The store is `storeId`, else the one that is connected with the pass, else the only one. Customers who have a card, were invited before or want no mail are left out. `sweep_running` has the `state` of the sweep that is running.',
  params: PassPath,
  body: Type.Optional(NewSweep),
  example: { storeId: 'store_…', dryRun: true },
  answers: { 202: Sweep },
  errors: [...passErrors, 'pass_not_active', 'store_not_found', 'sweep_running', 'sweep_failed'],
  authorizeReplay: async (_tx, ctx, { params }) => refuseHiddenPass(ctx, params.passId),
  prepare: (ctx, { params, body }) => tryStore(ctx, params.passId, body ?? {}),
  handle: async (tx, ctx, { params, body }, store) =>
    answer(202, await startSweepVerb(tx, ctx, { ...body, ...params, store })),
});

export const getSweep = endpoint({
  op: 'getSweep',
  call: 'sweeps.get',
  tag,
  summary: 'The last sweep of a pass',
  description: 'How far it is, or how it has ended.',
  params: PassPath,
  answers: { 200: Sweep },
  errors: [...passErrors, 'sweep_not_found'],
  handle: async (ctx: KeyCtx, { params }) => answer(200, await showLastSweep(ctx, params.passId)),
});

export const watchSweep = progressEndpoint({
  op: 'watchSweep',
  call: 'sweeps.progress',
  tag,
  summary: 'How far the last sweep of a pass has come, as it goes on',
  params: PassPath,
  get: 'getSweep',
  ends: 'once it has ended and no mail waits',
  errors: [...passErrors, 'sweep_not_found'],
  show: (ctx, { passId }) => showLastSweep(ctx, passId),
  isDone: ({ state }) => !state.running && state.waiting === 0,
});

async function showLastSweep(ctx: KeyCtx, passId: string) {
  const { db } = ctx.app.database;
  return showSweep(db, await findSweep(db, await findPass(db, ctx, passId)));
}

export const cancelSweep = writeEndpoint({
  op: 'cancelSweep',
  call: 'sweeps.cancel',
  tag,
  summary: 'End the sweep of a pass',
  description:
    'No further customer is invited, and mails that wait are not sent. A sweep that has ended stays as it is.',
  params: PassPath,
  answers: { 200: Sweep },
  errors: [...passErrors, 'sweep_not_found'],
  authorizeReplay: async (_tx, ctx, { params }) => refuseHiddenPass(ctx, params.passId),
  handle: async (tx, ctx, { params }) => answer(200, await cancelSweepVerb(tx, ctx, params)),
});

/** The file in place of the list. */
const ResultsFile = Type.Unsafe<Readable>(Type.String({ contentMediaType: 'text/csv' }));

export const listSweepResults = endpoint({
  op: 'listSweepResults',
  call: 'sweeps.results',
  tag,
  summary: 'The outcome for each customer in the last sweep',
  description:
    'In the order of their numbers, as text; kept for 90 days. With `format=csv` all of them in one file; text that a spreadsheet would take for a formula begins with an apostrophe. A dry run has none.',
  params: PassPath,
  query: listQuery({ format: Type.Optional(oneOf(['json', 'csv'])) }),
  answers: { 200: Type.Union([SweepItems, ResultsFile]) },
  errors: [...passErrors, 'sweep_not_found'],
  async handle(ctx: KeyCtx, { params, query }) {
    const { db } = ctx.app.database;
    const sweep = await findSweep(db, await findPass(db, ctx, params.passId));
    const sweepId = encodeId('sweep', sweep.sweepId);
    if (query.format === 'csv') {
      return answer(200, exportResults(db, sweep), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${sweepId}.csv"`,
      });
    }
    const page = pageOf(ctx, `listSweepResults/${sweepId}`, query);
    const items = await listItems(db, sweep, page);
    return answer(200, page.of(items, 'customerId', presentItem));
  },
});

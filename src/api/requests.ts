import { Type } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { closed, listOf } from '../kit/http/schemas/shapes.ts';
import { AuditLineShape, AuditQuery } from '../request-log/audit.schema.ts';
import { readAudit } from '../request-log/read-audit.ts';
import { findRequest, readRequests, requestNotFound } from '../request-log/read-requests.ts';
import { RequestQuery, RequestShape } from '../request-log/request.schema.ts';
import { Trace } from '../request-log/trace.schema.ts';
import { traceRequest } from '../request-log/trace.ts';

const tag = 'Requests';
const RequestPath = closed({
  requestId: Type.String({ minLength: 1, maxLength: 255, description: 'as X-Request-Id of the answer' }),
});

export const listRequests = endpoint({
  op: 'listRequests',
  call: 'requests.list',
  tag,
  summary: 'Your requests and their outcomes, newest first',
  description:
    'Everything that changes something and everything that was refused, a second later and for 30 days; of reads that succeed one in ten seconds for each key and operation. Bodies are not kept.',
  query: RequestQuery,
  answers: { 200: listOf(RequestShape) },
  handle: async (ctx: KeyCtx, { query }) => answer(200, await readRequests(ctx, query)),
});

export const getRequest = endpoint({
  op: 'getRequest',
  call: 'requests.get',
  tag,
  summary: 'The outcome of a request',
  description: 'The newest with this id, where you have sent one and the same with several.',
  params: RequestPath,
  answers: { 200: RequestShape },
  errors: ['request_not_found'],
  handle: async (ctx: KeyCtx, { params }) => answer(200, await findRequest(ctx, params.requestId)),
});

export const listAudit = endpoint({
  op: 'listAudit',
  call: 'audit.list',
  tag,
  summary: 'Who changed what, newest first',
  description:
    'A line for each change, written with it and never changed. What awards and orders have given is in the ledger instead: GET /loyalty/entries.',
  query: AuditQuery,
  answers: { 200: listOf(AuditLineShape) },
  handle: async (ctx: KeyCtx, { query }) => answer(200, await readAudit(ctx, query)),
});

export const getTrace = endpoint({
  op: 'getTrace',
  call: 'requests.trace',
  tag,
  summary: 'All that a request has left',
  description:
    'What it was answered, what it has changed, entries of the ledger, events, and the outcomes of these at webhooks and wallets; up to a hundred of each.',
  params: RequestPath,
  answers: { 200: Trace },
  errors: ['request_not_found'],
  async handle(ctx: KeyCtx, { params }) {
    const trace = await traceRequest(ctx.app.database.db, ctx.workspaceId, params.requestId, ctx.key);
    if (trace === null) throw requestNotFound();
    return answer(200, trace);
  },
});

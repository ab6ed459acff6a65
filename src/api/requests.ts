import { Type } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { closed, listOf } from '../kit/http/shapes.ts';
import { findRequest, readRequests } from '../support/read-requests.ts';
import { RequestQuery, RequestShape } from '../support/request.schema.ts';

const tag = 'Requests';
const RequestPath = closed({
  requestId: Type.String({ minLength: 1, maxLength: 255, description: 'as X-Request-Id of the answer' }),
});

export const listRequests = endpoint({
  op: 'listRequests',
  tag,
  summary: 'What became of your requests, newest first',
  description:
    'Everything that changes something and everything that was refused, a second later and for 30 days; of reads that succeed one in ten seconds for each key and operation. Bodies are not kept.',
  query: RequestQuery,
  answers: { 200: listOf(RequestShape) },
  handle: async (ctx: KeyCtx, { query }) => answer(200, await readRequests(ctx, query)),
});

export const getRequest = endpoint({
  op: 'getRequest',
  tag,
  summary: 'What became of a request',
  description: 'The newest with this id, where you have sent one and the same with several.',
  params: RequestPath,
  answers: { 200: RequestShape },
  errors: ['request_not_found'],
  handle: async (ctx: KeyCtx, { params }) => answer(200, await findRequest(ctx, params.requestId)),
});

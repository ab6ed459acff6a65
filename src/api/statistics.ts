import { Type } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { Id, listQuery } from '../kit/http/schemas/shapes.ts';
import { readStatistics } from '../statistics/read-statistics.ts';
import { Day, Statistics, StatisticsBy } from '../statistics/statistics.schema.ts';

export const getStatistics = endpoint({
  op: 'getStatistics',
  call: 'statistics.get',
  tag: 'Statistics',
  summary: 'What has happened by day, week, month or partner',
  description:
    'Of a pass or of all, of a partner or of all. Days are those of the time zone of the workspace; weeks begin on Mondays; weeks and months are whole. By default the last 30 days. limit and cursor are for partners: by day, week and month the answer has all.',
  query: listQuery({
    passId: Type.Optional(Id),
    partnerId: Type.Optional(Id),
    from: Type.Optional(Day),
    to: Type.Optional(Day),
    by: Type.Optional(StatisticsBy),
  }),
  answers: { 200: Statistics },
  errors: ['pass_not_found', 'partner_not_found', 'forbidden'],
  handle: async (ctx: KeyCtx, { query }) => answer(200, await readStatistics(ctx, query)),
});

import { Type } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { closed, Id, listQuery } from '../kit/http/schemas/shapes.ts';
import { readStatistics, readVisitors } from '../statistics/read-statistics.ts';
import { Day, Statistics, StatisticsBy, Visitors } from '../statistics/statistics.schema.ts';

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

const Days = Type.String({ pattern: '^[1-9][0-9]{0,2}$', description: 'a number of days, today among them' });

export const getVisitors = endpoint({
  op: 'getVisitors',
  call: 'statistics.visitors',
  tag: 'Statistics',
  summary: 'Who came lately, who came before, and who did not come for long',
  description:
    'Of a pass or of all: cards that were awarded or redeemed in the last days, 30 unless `days` says another number, and those that were not for 60, or `away`. Who holds cards of two passes counts twice.',
  query: closed({
    passId: Type.Optional(Id),
    days: Type.Optional(Days),
    away: Type.Optional(Days),
  }),
  answers: { 200: Visitors },
  errors: ['pass_not_found', 'forbidden'],
  handle: async (ctx: KeyCtx, { query }) => answer(200, await readVisitors(ctx, query)),
});

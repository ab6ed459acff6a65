import { Type } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { answer, emptyAnswer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import { pageMade } from '../engine/listing.ts';
import { closed, Id, listOf, listQuery, madeBetween } from '../kit/http/schemas/shapes.ts';
import { makeStatement } from '../loyalty/make-statement.ts';
import {
  PartnerStatement,
  presentStatement,
  StatementMonth,
  statementCsv,
} from '../loyalty/statement.schema.ts';
import { createPartner as createVerb } from '../passes/partners/create-partner.ts';
import {
  NewPartner,
  Partner,
  PartnerChanges,
  PartnerExternalId,
  presentPartner,
} from '../passes/partners/partner.schema.ts';
import { listPartners as listPartnerRows } from '../passes/partners/partners.sql.ts';
import {
  deletePartner as deleteVerb,
  findPartner,
  updatePartner as updateVerb,
} from '../passes/partners/partners.ts';

const tag = 'Partners';
const PartnerPath = closed({ partnerId: Id });
const StatementQuery = closed({ month: StatementMonth });

export const createPartner = writeEndpoint({
  op: 'createPartner',
  call: 'partners.create',
  tag,
  summary: 'Create a partner',
  description:
    'A partner is a shop, a branch or a campaign that cards and points are attributed to: name it as `partnerId` when you issue, award or redeem. With a `location`, cards that are issued at it come up at the places of their pass that are nearest to it.',
  body: NewPartner,
  example: {
    name: 'Blue Bean Harbour',
    externalId: 'store-12',
    location: { latitude: 41.1403, longitude: -8.6115 },
    metadata: { city: 'Porto' },
  },
  answers: { 201: Partner },
  errors: ['external_id_taken'],
  handle: async (tx, ctx, { body }) => answer(201, await createVerb(tx, ctx, body)),
});

export const listPartners = endpoint({
  op: 'listPartners',
  call: 'partners.list',
  tag,
  summary: 'List partners',
  description: 'Deleted partners are not listed.',
  query: listQuery({ ...madeBetween, externalId: Type.Optional(PartnerExternalId) }),
  answers: { 200: listOf(Partner) },
  async handle(ctx: KeyCtx, { query }) {
    const { db } = ctx.app.database;
    const externalId = query.externalId?.normalize('NFC');
    const page = pageMade(ctx, JSON.stringify(['listPartners', ctx.workspaceId, externalId]), query);
    const rows = await listPartnerRows(db, ctx.workspaceId, { externalId }, page);
    return answer(200, page.of(rows, 'partnerId', presentPartner));
  },
});

export const getPartner = endpoint({
  op: 'getPartner',
  call: 'partners.get',
  tag,
  summary: 'A partner',
  description: 'A deleted one is not found.',
  params: PartnerPath,
  answers: { 200: Partner },
  errors: ['partner_not_found'],
  handle: async (ctx: KeyCtx, { params }) =>
    answer(200, presentPartner(await findPartner(ctx.app.database.db, ctx, params.partnerId))),
});

export const updatePartner = writeEndpoint({
  op: 'updatePartner',
  call: 'partners.update',
  tag,
  summary: 'Change name, external id, location or metadata of a partner',
  description:
    'Absent leaves alone, null clears. `metadata` is replaced as a whole. A new `location` is pushed to the installed cards of all passes with more than ten places, at a credit each.',
  params: PartnerPath,
  body: PartnerChanges,
  example: { name: 'Blue Bean Old Harbour', externalId: null },
  answers: { 200: Partner },
  errors: ['partner_not_found', 'external_id_taken'],
  handle: async (tx, ctx, { params, body }) =>
    answer(200, await updateVerb(tx, ctx, { partnerId: params.partnerId, changes: body })),
});

export const deletePartner = writeEndpoint({
  op: 'deletePartner',
  call: 'partners.delete',
  tag,
  summary: 'Delete a partner',
  description: 'Cards and entries keep its id; nothing can be attributed to it afterwards.',
  params: PartnerPath,
  answers: { 204: null },
  errors: ['partner_not_found'],
  handle: async (tx, ctx, { params }) => emptyAnswer(204, deleteVerb(tx, ctx, params)),
});

export const getPartnerStatement = endpoint({
  op: 'getPartnerStatement',
  call: 'partners.statement',
  tag,
  summary: 'What happened at a partner in a month',
  description:
    "The month is one of the workspace's time zone, and counts what was recorded in it. `statement.csv` has the same as a table.",
  params: PartnerPath,
  query: StatementQuery,
  answers: { 200: PartnerStatement },
  errors: ['partner_not_found'],
  async handle(ctx: KeyCtx, { params, query }) {
    const asked = { partnerId: params.partnerId, month: query.month };
    return answer(200, presentStatement(await makeStatement(ctx.app.database.db, ctx, asked)));
  },
});

export const getPartnerStatementCsv = endpoint({
  op: 'getPartnerStatementCsv',
  call: 'partners.statementCsv',
  tag,
  summary: 'The same as CSV',
  description:
    'A header, a line per pass, and one with the totals. Names that a spreadsheet would take for a formula begin with an apostrophe.',
  params: PartnerPath,
  query: StatementQuery,
  answers: { 200: 'text/csv' },
  errors: ['partner_not_found'],
  async handle(ctx: KeyCtx, { params, query }) {
    const asked = { partnerId: params.partnerId, month: query.month };
    const statement = await makeStatement(ctx.app.database.db, ctx, asked);
    return answer(200, statementCsv(statement), {
      'content-disposition': `attachment; filename="statement-${params.partnerId}-${query.month}.csv"`,
    });
  },
});

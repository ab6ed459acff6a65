import { Type } from 'typebox';
import { listHolderNames } from '../cards/holders.sql.ts';
import { Identifier } from '../cards/instance.schema.ts';
import type { KeyCtx } from '../context.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { pageOf } from '../engine/listing.ts';
import type { Page } from '../engine/page.ts';
import {
  closed,
  ExternalRef,
  Id,
  listOf,
  listQuery,
  madeBetween,
  oneOf,
} from '../kit/http/schemas/shapes.ts';
import { decodeId, firstId } from '../kit/ids.ts';
import { Entry, EntryKindShown, kindsOf, presentEntry } from '../ledger/entry.schema.ts';
import { type EntryFilter, listEntriesOfAccount, listEntriesOfProgram } from '../ledger/list-entries.sql.ts';
import { type EntriesOf, findEntriesOf } from '../loyalty/find-account.ts';
import { findEntry } from '../loyalty/find-entry.ts';
import { OrderId } from '../orders/new-order.schema.ts';
import { findPartner } from '../passes/partners/partners.ts';

const tag = 'Loyalty';

export const listEntries = endpoint({
  op: 'listEntries',
  call: 'loyalty.entries',
  tag,
  summary: 'The ledger, newest first',
  description:
    'Of one card (instanceId, or identifier and passId), or of all cards of a pass (passId, or programId), which staff do not see. personId and deviceId are of those that people have made, at a shared till; one that is not of the workspace has made none. `include=holder` adds what to call the holder of each card.',
  query: listQuery({
    identifier: Type.Optional(Identifier),
    instanceId: Type.Optional(Id),
    passId: Type.Optional(Id),
    programId: Type.Optional(Id),
    kind: Type.Optional(EntryKindShown),
    externalRef: Type.Optional(ExternalRef),
    orderId: Type.Optional(OrderId),
    partnerId: Type.Optional(Id),
    personId: Type.Optional(Id),
    deviceId: Type.Optional(Id),
    include: Type.Optional(oneOf(['holder'])),
    ...madeBetween,
  }),
  answers: { 200: listOf(Entry) },
  errors: [
    'pass_not_found',
    'program_not_found',
    'instance_not_found',
    'forbidden',
    'no_loyalty_program',
    'holder_not_found',
    'partner_not_found',
  ],
  async handle(ctx: KeyCtx, { query }) {
    const of = await findEntriesOf(ctx, query);
    const { kind, externalRef, orderId, partnerId, personId, deviceId, createdAfter, createdBefore } = query;
    const filter = {
      kinds: kind === undefined ? null : kindsOf(kind),
      externalRef: externalRef ?? null,
      orderId: orderId?.normalize('NFC') ?? null,
      partnerId:
        partnerId === undefined ? null : (await findPartner(ctx.app.database.db, ctx, partnerId)).partnerId,
      personId: personId ?? null,
      deviceId: deviceId === undefined ? null : (decodeId('device', deviceId) ?? firstId),
      createdAfter: createdAfter === undefined ? null : new Date(createdAfter),
      createdBefore: createdBefore === undefined ? null : new Date(createdBefore),
    };
    const page = pageOf(ctx, JSON.stringify(['listEntries', ctx.workspaceId, nameOf(of), filter]), query);
    const rows = await readEntries(ctx, of, filter, page);
    const body = page.of(rows, 'program' in of ? 'entryId' : 'seq', presentEntry);
    if (query.include === undefined) return answer(200, body);
    const cards = rows.slice(0, body.data.length).map(({ instanceId }) => instanceId);
    const names = await listHolderNames(ctx.app.database.db, ctx.workspaceId, cards);
    const data = body.data.map((entry, at) => ({ ...entry, holderName: names[at] ?? null }));
    return answer(200, { ...body, data });
  },
});

export const getEntry = endpoint({
  op: 'getEntry',
  call: 'loyalty.entry',
  tag,
  summary: 'An entry of the ledger',
  description:
    'As the list of entries shows it. What it says never changes, but that its reason goes when its card is erased.',
  params: closed({ entryId: Id }),
  answers: { 200: Entry },
  errors: ['entry_not_found', 'forbidden'],
  handle: async (ctx: KeyCtx, { params }) =>
    answer(200, presentEntry(await findEntry(ctx.app.database.db, ctx, params.entryId))),
});

function nameOf(of: EntriesOf): string {
  return 'program' in of ? of.program.programId : (of.account?.accountId ?? 'none');
}

async function readEntries(ctx: KeyCtx, of: EntriesOf, filter: EntryFilter, { after, take }: Page) {
  const { db } = ctx.app.database;
  if ('program' in of) return listEntriesOfProgram(db, of.program, filter, after, take);
  if (of.account === undefined) return [];
  return listEntriesOfAccount(db, of.account, filter, after === null ? null : Number(after), take);
}

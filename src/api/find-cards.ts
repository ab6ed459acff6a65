import { CardFilters, HolderFilters } from '../cards/card-filters.schema.ts';
import { Holder } from '../cards/holder.schema.ts';
import * as shapes from '../cards/instance.schema.ts';
import { listCards } from '../cards/list-cards.ts';
import { listHolders as listPeople } from '../cards/list-holders.ts';
import { lookUpInstance as lookUpVerb } from '../cards/look-up.ts';
import type { KeyCtx } from '../context.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { closed, Id, listOf } from '../kit/http/schemas/shapes.ts';

const tag = 'Instances';

export const listInstances = endpoint({
  op: 'listInstances',
  call: 'instances.list',
  tag,
  summary: 'List the cards of a pass',
  description:
    'Newest first, voided ones included unless `status` says otherwise. With `q` they come in the order of what was found, and a page may hold fewer than `limit`: go on while there is a `nextCursor`. `include=details` adds when each was awarded last, and what its holder has agreed to.',
  params: closed({ passId: Id }),
  query: CardFilters,
  answers: { 200: listOf(shapes.Instance) },
  errors: ['pass_not_found', 'forbidden', 'partner_not_found'],
  handle: async (ctx: KeyCtx, { params, query }) => answer(200, await listCards(ctx, params.passId, query)),
});

export const listHolders = endpoint({
  op: 'listHolders',
  call: 'holders.list',
  tag,
  summary: 'Find people, with their cards of all passes',
  description:
    "By exactly one of identifier, email, phone (in E.164 form) and `q`. Cards are one person's that have the same identifier; of those without one, the same address; of those without either, the same number. A restricted key sees the cards of its passes; staff ask by a `q` of at least three letters, for names and numbers alone, and see its first page. An identifier that no card has exactly is found in another case, and without its blanks and hyphens. They come in the order of what was found, and a page may hold fewer than `limit`: go on while there is a `nextCursor`.",
  query: HolderFilters,
  answers: { 200: listOf(Holder) },
  handle: async (ctx: KeyCtx, { query }) => answer(200, await listPeople(ctx, query)),
});

export const lookUpInstance = endpoint({
  op: 'lookUpInstance',
  call: 'instances.lookUp',
  tag,
  summary: 'Find a card by its barcode',
  description:
    'Send a barcode, or an instanceId. A code that several cards carry, voided ones included, needs passId or identifier as well. An expired card is found: `expired` says so.',
  query: shapes.LookUp,
  answers: { 200: shapes.Instance },
  errors: ['instance_not_found', 'forbidden', 'ambiguous_barcode', 'pass_not_found'],
  async handle(ctx: KeyCtx, { query }) {
    const { barcode, instanceId, passId, identifier } = query;
    if (barcode === undefined && instanceId === undefined)
      throw invalidField('barcode', 'required', 'send a barcode or an instanceId.', { part: 'query' });
    const asked = {
      barcode: barcode?.normalize('NFC'),
      instanceId,
      passId,
      identifier: identifier?.normalize('NFC'),
    };
    return answer(
      200,
      shapes.presentFound(ctx.app.config.publicUrl, await lookUpVerb(ctx, asked), ctx.app.now()),
    );
  },
});

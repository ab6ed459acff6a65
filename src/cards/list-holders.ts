import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { foldCase } from '../kit/text/fold.ts';
import { requireNumber } from '../workspaces/phone-country.ts';
import type { HolderFilters } from './card-filters.schema.ts';
import { presentHolder } from './holder.schema.ts';
import { findInstances } from './instances.sql.ts';
import { type Sought, searchPeople } from './lists.sql.ts';
import { listFound, soughtBy } from './search.ts';

type Query = Static<typeof HolderFilters>;

/**
 * A page of the people who have cards of the workspace, over all passes that the key reaches, each with their cards. Raises
 * `invalid_request` unless they are asked for in exactly one way, and `role_required` of staff who do not name whom they look for.
 */
export async function listHolders(ctx: KeyCtx, query: Query) {
  const { db } = ctx.app.database;
  const { publicUrl } = ctx.app.config;
  const { workspaceId } = ctx;
  const visibility = { workspaceId, passIds: ctx.passIds === null ? null : [...ctx.passIds].sort() };
  const sought = await soughtIn(ctx, query);
  if (ctx.key.role === 'staff' && query.q !== undefined)
    throw refusal('role_required', 'Staff ask by a whole identifier, email or phone, not by q.');
  const scope = JSON.stringify(['listHolders', visibility, sought]);
  return listFound(ctx, scope, query, async ({ after, take }) => {
    const people = await searchPeople(db, visibility, sought, after, take);
    const shown = people.filter(
      (one) => one.term === one.firstTerm && one.instanceId === one.firstInstanceId,
    );
    const rows = await findInstances(
      db,
      workspaceId,
      shown.flatMap(({ instanceIds }) => instanceIds),
    );
    const cards = new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.instanceId, row]])));
    return people.map((one) => {
      const own = shown.includes(one) ? one.instanceIds.flatMap((id) => cards.get(id) ?? []) : [];
      return { ...one, item: own.length === 0 ? null : presentHolder(publicUrl, own) };
    });
  });
}

/** The texts that the one parameter of a query looks for. */
async function soughtIn(ctx: KeyCtx, { identifier, email, phone, q }: Query): Promise<Sought[]> {
  const asked = Object.entries({ identifier, email, phone, q }).filter(([, text]) => text !== undefined);
  const [first, second] = asked;
  if (first === undefined)
    throw invalidField('identifier', 'required', 'send an identifier, an email, a phone or a q.', {
      part: 'query',
    });
  if (second !== undefined)
    throw invalidField(second[0], 'excluded', `does not go together with ${first[0]}. Send one of them.`, {
      part: 'query',
    });
  if (q !== undefined) return soughtBy(ctx, q, ['identifier', 'email']);
  if (phone !== undefined)
    return [{ kind: 'phone', text: await requireNumber(ctx, 'phone', phone, 'query'), isWhole: true }];
  if (email !== undefined) return [{ kind: 'email', text: foldCase(email), isWhole: true }];
  const exactly = identifier?.normalize('NFC') ?? '';
  return [{ kind: 'identifier', text: foldCase(exactly), isWhole: true, exactly }];
}

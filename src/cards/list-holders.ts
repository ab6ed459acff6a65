import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { foldCase, foldCode } from '../kit/text/fold.ts';
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
  const isStaff = ctx.key.role === 'staff';
  const wanted = await soughtIn(ctx, query);
  if (isStaff && query.q !== undefined) refuseBrowsing(query);
  // A number that is exactly as it was typed wins over those that are written differently.
  const hasExact = async () => (await searchPeople(db, visibility, wanted, null, 1)).length > 0;
  const sought =
    query.identifier === undefined || (await hasExact())
      ? wanted
      : wanted.map(({ exactly: _, ...one }) => one);
  const scope = JSON.stringify(['listHolders', visibility, sought]);
  const found = await listFound(ctx, scope, query, async ({ after, take }) => {
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
  return isStaff && query.q !== undefined ? { ...found, nextCursor: null } : found;
}

/** Fewer letters are the beginning of too many names. */
const fewestLetters = 3;
/** Whole names have a sign or two in these scripts. */
const shortNames = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Staff find the customer in front of them, and turn no pages of all customers. */
function refuseBrowsing({ q = '', cursor }: Query): void {
  const letters = q.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (cursor !== undefined || (letters < fewestLetters && !shortNames.test(q)))
    throw refusal(
      'role_required',
      'Staff ask by a whole identifier, email or phone, or by a q of at least three letters, and see its first page.',
    );
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
  // Staff search names and the last digits of numbers; what else there is they ask for as a whole.
  if (q !== undefined) return soughtBy(ctx, q, ctx.key.role === 'staff' ? [] : ['identifier', 'email']);
  if (phone !== undefined)
    return [{ kind: 'phone', text: await requireNumber(ctx, 'phone', phone, 'query'), isWhole: true }];
  if (email !== undefined) return [{ kind: 'email', text: foldCase(email), isWhole: true }];
  const exactly = identifier?.normalize('NFC') ?? '';
  return [{ kind: 'identifier', text: foldCode(exactly), isWhole: true, exactly }];
}

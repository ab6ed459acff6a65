import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { Answered } from '../engine/idempotency.ts';
import { boundsOf, pageOf } from '../engine/listing.ts';
import { keptAnswers } from '../kit/db/claims.ts';
import type { Db } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { decodeId, firstId } from '../kit/ids.ts';
import { foldCase } from '../kit/text/fold.ts';
import { findPass } from '../passes/find-pass.ts';
import { partnerNotFound, requirePartners } from '../passes/partners/partners.ts';
import { requireNumber } from '../workspaces/phone-country.ts';
import type { CardFilters } from './card-filters.schema.ts';
import { presentConsent } from './consent.schema.ts';
import { listCardDetails } from './consents.sql.ts';
import { presentFound, type ShownInstance } from './instance.schema.ts';
import type { InstanceRow } from './instance-row.ts';
import { findInstances } from './instances.sql.ts';
import { type CardFilter, listInstances, searchCards } from './lists.sql.ts';
import { type Found, listFound, soughtBy } from './search.ts';

type Query = Static<typeof CardFilters>;

/**
 * A page of the cards of a pass: the newest first, or with `q` in the order of the texts that fit. Raises what `findPass` raises,
 * `partner_not_found`, and `invalid_request` for a number without its country and for filters that do not go together.
 */
export async function listCards(
  ctx: KeyCtx,
  publicId: string,
  query: Query,
): Promise<{ data: ShownInstance[]; nextCursor: string | null }> {
  const { db } = ctx.app.database;
  const { passId } = await findPass(db, ctx, publicId);
  const { limit: _, cursor: __, ...asked } = query;
  const scope = JSON.stringify(['listInstances', ctx.workspaceId, passId, Object.entries(asked).sort()]);
  const filter = await filterOf(db, ctx, passId, query);
  const page = await readPage(ctx, passId, scope, query, filter);
  return query.include === undefined ? page : { ...page, data: await withDetails(ctx, page.data) };
}

async function withDetails(ctx: KeyCtx, cards: readonly ShownInstance[]): Promise<ShownInstance[]> {
  const ids = cards.map(({ instanceId }) => decodeId('inst', instanceId) ?? firstId);
  const details = await listCardDetails(ctx.app.database.db, ctx.workspaceId, ids);
  return cards.map((card, at) => {
    const { lastEarnedAt = null, consents = [] } = details[at] ?? {};
    return {
      ...card,
      details: {
        lastAwardAt: lastEarnedAt?.toISOString() ?? null,
        consents: consents.map((consent) =>
          presentConsent({ ...consent, createdAt: new Date(consent.createdAt) }),
        ),
      },
    };
  });
}

async function readPage(ctx: KeyCtx, passId: string, scope: string, query: Query, filter: Filter) {
  const { db } = ctx.app.database;
  const present = (row: InstanceRow) => presentFound(ctx.app.config.publicUrl, row, ctx.app.now());
  if (query.q !== undefined) {
    const sought = await soughtBy(ctx, query.q, ['identifier', 'email', 'barcode']);
    return listFound(ctx, scope, query, async ({ after, take }): Promise<Found<ShownInstance>[]> => {
      const visibility = { workspaceId: ctx.workspaceId, passIds: [passId] };
      const matches = await searchCards(db, visibility, sought, after, take);
      const first = matches.filter(({ term, firstTerm }) => term === firstTerm);
      const rows = await findInstances(
        db,
        ctx.workspaceId,
        first.map(({ instanceId }) => instanceId),
      );
      const cards = new Map(first.map((match, at) => [match, rows[at]]));
      return matches.map((match) => {
        const row = cards.get(match);
        return { ...match, item: row !== undefined && isAmong(row, filter) ? present(row) : null };
      });
    });
  }
  const page = pageOf(ctx, scope, query);
  const rows = await listInstances(db, filter, page.after ?? filter.until, page.take);
  return page.of(rows, 'instanceId', present);
}

type Filter = CardFilter & { readonly until: string | null };

async function filterOf(db: Db, ctx: KeyCtx, passId: string, query: Query): Promise<Filter> {
  const { workspaceId } = ctx;
  const { q, status, identifier, email, phone, externalRef, installed, partnerId } = query;
  const named = Object.entries({ identifier, email, phone, externalRef }).find(
    ([, text]) => text !== undefined,
  );
  if (q !== undefined && named !== undefined)
    throw invalidField('q', 'excluded', `does not go together with ${named[0]}. Send one of them.`, {
      part: 'query',
    });
  const partners = await requirePartners(db, ctx, [partnerId]);
  if (partnerId !== undefined && !partners.has(partnerId)) throw partnerNotFound();
  return {
    workspaceId,
    passId,
    status,
    installed: installed === undefined ? undefined : installed === 'true',
    partnerId: partners.get(partnerId ?? ''),
    identifier: identifier?.normalize('NFC'),
    email: email === undefined ? undefined : foldCase(email),
    phone: phone === undefined ? undefined : await requireNumber(ctx, 'phone', phone, 'query'),
    instanceId: externalRef === undefined ? undefined : await issuedBy(ctx, externalRef),
    ...boundsOf(query),
  };
}

/** The card that an issue under a reference has made; an id that no card has where it has made none. */
async function issuedBy({ app, workspaceId }: KeyCtx, externalRef: string): Promise<string> {
  const { db, keyHash } = app.database;
  const all = await keptAnswers(db, workspaceId, 'issueInstance', [externalRef], keyHash);
  const kept = all.get(externalRef);
  if (kept?.status !== 201) return firstId;
  const { body } = new Answered<{ status: 201; body: ShownInstance }>(201, kept.body, true);
  return decodeId('inst', body.instanceId) ?? firstId;
}

/** Whether a card that was found by its texts is one of those that are asked for. */
function isAmong(row: InstanceRow, { status, installed, partnerId, since, until }: Filter): boolean {
  return (
    (status ?? row.status) === row.status &&
    (installed ?? row.installed) === row.installed &&
    (partnerId ?? row.partnerId) === row.partnerId &&
    (since === null || row.instanceId >= since) &&
    (until === null || row.instanceId < until)
  );
}

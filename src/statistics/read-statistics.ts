import type { KeyCtx } from '../context.ts';
import { pageOf } from '../engine/listing.ts';
import { refusal } from '../errors.ts';
import { followAll } from '../events/follow-log.ts';
import type { Db } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import { findPass } from '../passes/find-pass.ts';
import { findPartner } from '../passes/partners/partners.ts';
import { ownWorkspace } from '../workspaces/own-workspace.ts';
import {
  type Asked,
  countActive,
  countByPartner,
  countByPeriod,
  countRewarded,
  countVisitors,
  findAges,
  isWalked,
  listAllPartners,
  sumOutstanding,
} from './figures.sql.ts';
import { daysBefore, momentsOf, periodsOf, type Range, rangeOf, unitOf } from './periods.ts';
import { type By, figuresOf, type KindCount, listsOf, presentAges } from './statistics.schema.ts';

interface Query {
  readonly passId?: string | undefined;
  readonly partnerId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly by?: By | undefined;
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

/** What has happened in a workspace, with what was committed before the call. */
export async function readStatistics(ctx: KeyCtx, query: Query) {
  const { db } = ctx.app.database;
  const { workspaceId } = ctx;
  const by = query.by ?? 'day';
  const passId = await passAsked(ctx, query.passId);
  const partner = query.partnerId === undefined ? null : await findPartner(db, ctx, query.partnerId);
  if (by === 'partner' && ctx.passIds !== null)
    throw refusal(
      'insufficient_scope',
      'This key is restricted to some passes, and partners are of no pass.',
    );
  if (by === 'partner' && query.partnerId !== undefined)
    throw invalidField(
      'partnerId',
      'excluded',
      'by partner all of them are shown. Leave it away, or ask by day.',
      { part: 'query' },
    );
  const { timezone } = await ownWorkspace(db, ctx);
  const range = rangeOf(query, by, timezone, ctx.app.now());
  const isCounted = await followAll(ctx);
  const partnerId = partner?.partnerId ?? null;
  const asked = { workspaceId, passId, ...range };
  const counts = await countByPeriod(db, asked, unitOf(by), partnerId);
  const shown =
    by === 'partner'
      ? await pageOfPartners(ctx, query, asked, timezone)
      : { data: await showPeriods(ctx, asked, { by, timezone, partnerId }, counts), nextCursor: null };
  return {
    by,
    passId: passId === null ? null : encodeId('pass', passId),
    partnerId: partnerId === null ? null : encodeId('part', partnerId),
    timezone,
    ...range,
    isWhole: isCounted && (await isWalked(db, asked)),
    ...shown,
    totals: figuresOf(added(counts)),
    outstanding: partnerId === null ? await showOutstanding(db, asked) : null,
    lists: passId === null ? null : listsOf(passId, partnerId),
  };
}

interface VisitorsQuery {
  readonly passId?: string | undefined;
  readonly days?: string | undefined;
  readonly away?: string | undefined;
}

/** Who came in the last days, and who has not come for long. */
export async function readVisitors(ctx: KeyCtx, query: VisitorsQuery) {
  const { db } = ctx.app.database;
  const { workspaceId } = ctx;
  const passId = await passAsked(ctx, query.passId);
  const { timezone } = await ownWorkspace(db, ctx);
  const [days, away] = [Number(query.days ?? 30), Number(query.away ?? 60)];
  const [to = '', from = '', since = ''] = daysBefore(timezone, ctx.app.now(), [0, days - 1, away - 1]);
  const isCounted = await followAll(ctx);
  const asked = { workspaceId, passId };
  const { came, new: fresh, away: cards } = await countVisitors(db, asked, { from, awayFrom: since });
  return {
    passId: passId === null ? null : encodeId('pass', passId),
    timezone,
    from,
    to,
    isWhole: isCounted && (await isWalked(db, asked)),
    came,
    new: fresh,
    returning: came - fresh,
    away: { since, cards },
    rewarded: await countRewarded(db, asked, mostRewarded),
  };
}

const mostRewarded = 10_000;

/** The pass that is asked for; null: all. Raises `pass_not_found`, and `invalid_request` where the key reaches some only and names none. */
async function passAsked(ctx: KeyCtx, passId: string | undefined): Promise<string | null> {
  if (passId !== undefined) return (await findPass(ctx.app.database.db, ctx, passId)).passId;
  if (ctx.passIds !== null)
    throw invalidField('passId', 'required', 'this key is restricted to some passes. Name one of them.', {
      part: 'query',
    });
  return null;
}

async function showOutstanding(db: Db, asked: Asked) {
  const [points, ages] = [await sumOutstanding(db, asked), await findAges(db, asked)];
  return { points: Number(points), ages: presentAges(ages) };
}

async function showPeriods(
  { app: { database } }: KeyCtx,
  asked: Asked & Range,
  { by, timezone, partnerId }: { by: By; timezone: string; partnerId: string | null },
  counts: readonly (KindCount & { begins: string })[],
) {
  const unit = unitOf(by);
  const byDay = Map.groupBy(counts, ({ begins }) => begins);
  const active = partnerId === null ? await countActive(database.db, asked, unit) : null;
  const activeOn = active && new Map(active.map(({ begins, cards }) => [begins, cards]));
  return periodsOf(asked, unit, timezone).map(({ day, from, to }) => ({
    day,
    partnerId: null,
    partner: null,
    from: from.toISOString(),
    to: to.toISOString(),
    activeHolders: activeOn === null ? null : (activeOn.get(day) ?? 0),
    ...figuresOf(byDay.get(day) ?? []),
  }));
}

async function pageOfPartners(ctx: KeyCtx, query: Query, asked: Asked & Range, timezone: string) {
  const { db } = ctx.app.database;
  const { from, to } = momentsOf(asked, timezone);
  const page = pageOf(ctx, JSON.stringify(['getStatistics', asked]), query);
  const partners = await listAllPartners(db, ctx.workspaceId, page);
  const ids = partners.map(({ partnerId }) => partnerId);
  const byPartner = Map.groupBy(await countByPartner(db, asked, ids), ({ partnerId }) => partnerId);
  const present = ({ partnerId, name }: (typeof partners)[number]) => ({
    day: null,
    partnerId: encodeId('part', partnerId),
    partner: name,
    from: from.toISOString(),
    to: to.toISOString(),
    activeHolders: null,
    ...figuresOf(byPartner.get(partnerId) ?? []),
  });
  return page.of(partners, 'partnerId', present);
}

/** Counts of the same kind as one. */
function added(counts: readonly KindCount[]): KindCount[] {
  return [...Map.groupBy(counts, ({ kind }) => kind)].map(([kind, some]) => {
    const sum = (each: (one: KindCount) => string) =>
      String(some.reduce((total, one) => total + BigInt(each(one)), 0n));
    return {
      kind,
      happened: some.reduce((total, one) => total + one.happened, 0),
      pointsIn: sum(({ pointsIn }) => pointsIn),
      pointsOut: sum(({ pointsOut }) => pointsOut),
    };
  });
}

import { type CardMatch, countVoidInstalled, scanCards } from '../cards/audience.sql.ts';
import type { ActorCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Db } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { decodeId, firstIdSince } from '../kit/ids.ts';
import { findPass } from '../passes/find-pass.ts';
import { findPartner } from '../passes/partners/partners.ts';
import type { PassKey, PassRow } from '../passes/pass-row.ts';
import { countsOfPass } from '../passes/passes.sql.ts';
import { programOfPass } from '../passes/programs/find-program.ts';
import type { ProgramRow, Tier } from '../passes/programs/program-row.ts';
import { TIER_KEY } from '../passes/programs/tiers.ts';
import type { Audience } from '../pushes/rollouts.sql.ts';

const dayMs = 86_400_000;

/** Cards that one statement looks at: it takes a moment, whatever the audience. */
const cardsPerLook = 5_000;

/**
 * How many installed cards of a pass a message would go to: with an audience they are looked at, step by step, without a
 * transaction. Raises what `findPass` and `findPartner` raise, `unknown_field_key`, and `invalid_request` for what cards of
 * the pass cannot have.
 */
export async function countRecipients(
  ctx: ActorCtx,
  input: { passId: string; audience: Audience | undefined },
): Promise<number> {
  const { db } = ctx.app.database;
  const pass = await findPass(db, ctx, input.passId);
  if (input.audience === undefined) return countReached(db, pass);
  const program = await programOfPass(db, pass.workspaceId, pass.passId);
  await checkAudience(db, ctx, { pass, program }, input.audience);
  const match = matchOf({ pass, program }, input.audience, ctx.app.now());
  let recipients = 0;
  for (let after: string | null = null; ; ) {
    const { looked, last, matching } = await scanCards(db, match, { after, look: cardsPerLook, pick: 0 });
    recipients += matching;
    if (looked < cardsPerLook) return recipients;
    after = last;
  }
}

/** How many cards of a pass a message to all goes to: those in wallets, without the void ones. */
export async function countReached(db: Db, pass: PassKey): Promise<number> {
  const [{ installed }, voided] = await Promise.all([countsOfPass(db, pass), countVoidInstalled(db, pass)]);
  return Math.max(installed - voided, 0);
}

/** What says which cards there are. */
interface Shop {
  readonly pass: PassRow;
  /** undefined: the pass has none. */
  readonly program: ProgramRow | undefined;
}

async function checkAudience(
  db: Db,
  ctx: ActorCtx,
  { pass, program }: Shop,
  audience: Audience,
): Promise<void> {
  const keys = pass.fields.map(({ key }) => key);
  const unknown = Object.keys(audience.fields ?? {}).find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    throw refusal(
      'unknown_field_key',
      `audience.fields: "${unknown.slice(0, 60)}" is not a field of this pass. Its fields: ${keys.join(', ') || 'none'}.`,
    );
  }
  if (audience.tier !== undefined) checkTier(keys, tiersOf(program), audience.tier);
  if (audience.balance !== undefined && program === undefined)
    throw invalidField('audience.balance', 'reference', noProgram);
  if (audience.rewardWaiting === true && program === undefined)
    throw invalidField('audience.rewardWaiting', 'reference', noProgram);
  if (audience.consent !== undefined) checkConsent(pass, audience.consent);
  const { from, to } = audience.balance ?? {};
  if (from !== undefined && to !== undefined && from > to)
    throw invalidField('audience.balance', 'other', 'from must not be greater than to.');
  if (audience.partnerId !== undefined) await findPartner(db, ctx, audience.partnerId);
}

const noProgram = 'this pass has no loyalty program.';

/** Only a consent that the join page asks for now, or asked for before with the same key, can be chosen by its key. */
function checkConsent({ joinForm }: PassRow, consent: string): void {
  const keys = joinForm?.consents.map(({ key }) => key) ?? [];
  if (keys.includes(consent)) return;
  throw invalidField(
    'audience.consent',
    'reference',
    `the join page of this pass asks for no consent "${consent.slice(0, 60)}". It asks for: ${keys.join(', ') || 'none'}.`,
    { limit: keys },
  );
}

function checkTier(keys: readonly string[], tiers: readonly Tier[], tier: string): void {
  const known = tiers.map(({ key }) => key);
  if (known.length > 0 && !known.includes(tier))
    throw invalidField(
      'audience.tier',
      'reference',
      `"${tier.slice(0, 60)}" is not a tier of the pass's program. Its tiers: ${known.join(', ')}.`,
      { limit: [...known] },
    );
  if (known.length === 0 && !keys.includes(TIER_KEY))
    throw invalidField(
      'audience.tier',
      'reference',
      `the program of this pass has no tiers, and the pass no field "${TIER_KEY}".`,
    );
}

function tiersOf(program: ProgramRow | undefined): readonly Tier[] {
  return program?.tiers ?? [];
}

/** The lifetime points of a tier: up to those that the next one begins at. No card has those of a tier that is gone. */
function lifetimeOf(tiers: readonly Tier[], key: string): CardMatch['lifetime'] {
  const place = tiers.findIndex((tier) => tier.key === key);
  return { from: tiers[place]?.from ?? Number.MAX_SAFE_INTEGER, below: tiers[place + 1]?.from ?? null };
}

/** What the cards of an audience have, by the design of the pass and its program as they are now. */
export function matchOf({ pass, program }: Shop, audience: Audience, now: Date): CardMatch {
  const { installed = true, fields = {}, tier, balance, lastSeen, partnerId } = audience;
  const { awayDays, rewardWaiting, consent } = audience;
  const tiers = tiersOf(program);
  const isShown = tier !== undefined && tiers.length === 0;
  const values = Object.entries(isShown ? { ...fields, [TIER_KEY]: tier } : fields);
  return {
    workspaceId: pass.workspaceId,
    passId: pass.passId,
    wallet: installed === true ? null : installed,
    fields: values.map(([key, value]) => ({
      key,
      value,
      standard: pass.fields.find((field) => field.key === key)?.value ?? null,
    })),
    balance: balance === undefined ? null : { from: balance.from ?? null, to: balance.to ?? null },
    lifetime: tier === undefined || isShown ? null : lifetimeOf(tiers, tier),
    seenSince: lastSeen?.after === undefined ? null : firstIdSince(new Date(lastSeen.after)),
    unseenSince: lastSeen?.before === undefined ? null : firstIdSince(new Date(lastSeen.before)),
    partnerId: partnerId === undefined ? null : decodeId('part', partnerId),
    awaySince: awayDays === undefined ? null : new Date(now.getTime() - awayDays * dayMs),
    waiting: rewardWaiting === undefined ? null : { cost: program?.rewardCost ?? null },
    consent: consent ?? null,
  };
}

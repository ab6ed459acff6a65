import { type CardMatch, scanCards } from '../cards/audience.sql.ts';
import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Db } from '../kit/db/database.ts';
import { invalidRequest } from '../kit/http/api-error.ts';
import { decodeId, firstIdSince } from '../kit/ids.ts';
import { findPass } from '../passes/find-pass.ts';
import { findPartner } from '../passes/partners/partners.ts';
import type { PassRow } from '../passes/pass-row.ts';
import { countsOfPass } from '../passes/passes.sql.ts';
import type { Audience } from '../pushes/rollouts.sql.ts';

/** Cards that one statement looks at: it takes a moment, whatever the audience. */
const cardsPerLook = 5_000;

/**
 * How many installed cards of a pass a message would go to: with an audience they are looked at, step by step, without a
 * transaction. Raises what `findPass` and `findPartner` raise, `unknown_field_key`, and `invalid_request` for what cards of
 * the pass cannot have.
 */
export async function countRecipients(
  ctx: KeyCtx,
  input: { passId: string; audience: Audience | undefined },
): Promise<number> {
  const { db } = ctx.app.database;
  const pass = await findPass(db, ctx, input.passId);
  if (input.audience === undefined) return (await countsOfPass(db, pass)).installed;
  await checkAudience(db, ctx, pass, input.audience);
  const match = matchOf(pass, input.audience);
  let recipients = 0;
  for (let after: string | null = null; ; ) {
    const { looked, last, matching } = await scanCards(db, match, { after, look: cardsPerLook, pick: 0 });
    recipients += matching;
    if (looked < cardsPerLook) return recipients;
    after = last;
  }
}

async function checkAudience(db: Db, ctx: KeyCtx, pass: PassRow, audience: Audience): Promise<void> {
  const keys = pass.fields.map(({ key }) => key);
  const unknown = Object.keys(audience.fields ?? {}).find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    throw refusal(
      'unknown_field_key',
      `audience.fields: "${unknown.slice(0, 60)}" is not a field of this pass. Its fields: ${keys.join(', ') || 'none'}.`,
    );
  }
  if (audience.tier !== undefined && !keys.includes(tierKey))
    throw invalidRequest(`audience.tier: this pass has no field "${tierKey}" that shows one.`);
  if (audience.balance !== undefined && pass.programId === null)
    throw invalidRequest('audience.balance: this pass has no loyalty program.');
  const { from, to } = audience.balance ?? {};
  if (from !== undefined && to !== undefined && from > to)
    throw invalidRequest('audience.balance: from must not be greater than to.');
  if (audience.partnerId !== undefined) await findPartner(db, ctx, audience.partnerId);
}

/** The field in which a card shows its tier. */
const tierKey = 'tier';

/** What the cards of an audience have, by the design of the pass as it is now. */
export function matchOf(pass: PassRow, audience: Audience): CardMatch {
  const { installed = true, fields = {}, tier, balance, lastSeen, partnerId } = audience;
  const values = Object.entries(tier === undefined ? fields : { ...fields, [tierKey]: tier });
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
    seenSince: lastSeen?.after === undefined ? null : firstIdSince(new Date(lastSeen.after)),
    unseenSince: lastSeen?.before === undefined ? null : firstIdSince(new Date(lastSeen.before)),
    partnerId: partnerId === undefined ? null : decodeId('part', partnerId),
  };
}

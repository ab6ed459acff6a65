import type { ActorCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sqlState, violatedConstraint } from '../kit/db/database-errors.ts';
import { localePattern } from '../kit/http/schemas/shapes.ts';
import { foldCase } from '../kit/text/fold.ts';
import { languageTag } from '../kit/text/language.ts';
import type { PassKey } from '../passes/pass-row.ts';
import { readNumber } from '../workspaces/phone-country.ts';
import { deleteHolder, findHeldCards, saveHolder } from './holders.sql.ts';
import type { HolderRow, InstanceRow } from './instance-row.ts';
import { findPresentCards } from './instances.sql.ts';

/**
 * Writes the person of a card that the caller holds, as the row has them. Raises `holder_has_active_instance` when
 * the card is active and the identifier has another one of the pass.
 */
export async function keepHolder(tx: Tx, row: InstanceRow): Promise<void> {
  const { holder } = row;
  if (holder === null) {
    await deleteHolder(tx, row);
    return;
  }
  const current = row.status === 'active';
  // Asked first, because the database writes the values of a violated index into its log.
  if (current && holder.identifier !== null) {
    const present = await findPresentCards(tx, row, [holder.identifier]);
    if (present.some((card) => card.instanceId !== row.instanceId)) throw hasAnotherCard();
  }
  try {
    await saveHolder(tx, row, holder, current);
  } catch (error) {
    const lostRace = sqlState(error) === '23505' && violatedConstraint(error) === 'holders_one_card';
    throw lostRace ? hasAnotherCard() : error;
  }
}

function hasAnotherCard() {
  return refusal(
    'holder_has_active_instance',
    'This holder has another active card of the pass. Void that one first.',
  );
}

/** What is known of a person who may have a card. */
export interface AskedHolder {
  /** As cards are issued with it. */
  readonly identifier: string | null;
  /** In any case. */
  readonly email: string | null;
  /** A telephone number in the form of E.164, of the holder who is to be found by it. */
  readonly number?: string | null;
}

/**
 * The present card that each person has of a pass, in their places; null for none. An identifier goes before an
 * address, and that before a number; of several cards with one address or number it is the one that was issued first.
 */
export async function findHolders(
  db: Db,
  pass: PassKey,
  asked: readonly AskedHolder[],
): Promise<(string | null)[]> {
  const known = asked.map(({ identifier, email, number = null }) => ({
    identifier: identifier?.normalize('NFC') ?? null,
    email: email == null ? null : foldCase(email.trim()),
    number,
  }));
  const cards = known.length === 0 ? [] : await findHeldCards(db, pass, known);
  return cards.map(({ instanceId }) => instanceId);
}

const mostName = 200;
const mostLocale = 35;
const isLocale = new RegExp(localePattern);

/** A name as a card takes it, of whatever a store has: one line, not too long. Null where nothing is left. */
export function fittingName(name: string | null): string | null {
  const line = (name ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, mostName).join('').trim() || null;
}

/** A telephone number of a store as a card keeps it: in the form of E.164, and as it was given where that is something else. */
export async function fittingPhone(
  ctx: Pick<ActorCtx, 'app' | 'workspaceId'>,
  text: string | null,
): Promise<Pick<HolderRow, 'phone' | 'phoneGiven'>> {
  const given = fittingName(text);
  const phone = given === null ? null : await readNumber(ctx, given);
  return { phone, phoneGiven: given === phone ? null : given };
}

/** A locale as a card takes it; null for what is none. */
export function fittingLocale(locale: string | null): string | null {
  const tag = languageTag(locale);
  return tag !== null && isLocale.test(tag) && tag.length <= mostLocale ? tag : null;
}

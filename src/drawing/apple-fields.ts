import type { PublicCtx } from '../context.ts';
import { BALANCE_KEY, PENDING_KEY } from '../ledger/program-fields.ts';
import { stampsOf } from '../ledger/stamps-drawing.ts';
import { hasStrip } from '../ledger/stamps-picture.ts';
import type { AppleField } from '../wallet/apple/card.ts';
import type { CardRow } from './card.sql.ts';
import { readCardRows } from './read-cards.ts';
import { shownFieldsOf } from './shown-fields.ts';

/** The fields of a pass file, where Wallet has room for them. */
export function appleFields(card: CardRow): AppleField[] {
  // An empty value would leave its label over nothing.
  const fields = shownFieldsOf(card).map((field) => ({ ...field, value: field.value || null }));
  const announced = withRewardsAnnounced(fields);
  return hasStrip(card.type) && stampsOf(card.program) !== null ? besideStrip(announced) : announced;
}

/**
 * A phone announces changes of fields that it knows. A first reward is a new field, so the balance tells of it: what
 * unlocks a reward changes the balance, too.
 */
function withRewardsAnnounced(fields: readonly AppleField[]): AppleField[] {
  const pending = fields.find(({ key }) => key === PENDING_KEY)?.value ?? null;
  if (pending === null || pending.includes('%')) return [...fields];
  return fields.map((field) =>
    field.key === BALANCE_KEY && field.changeMessage !== null
      ? { ...field, changeMessage: `${field.changeMessage} · ${pending}` }
      : field,
  );
}

/** Wallet writes primary fields across the strip: they lead the row below it instead. */
function besideStrip(fields: readonly AppleField[]): AppleField[] {
  const primary = fields.filter(({ section }) => section === 'primary');
  const others = fields.filter(({ section }) => section !== 'primary');
  return [...primary.map((field) => ({ ...field, section: 'secondary' as const })), ...others];
}

/** The fields that a card's pass file has now, its program's among them; none where there is no such card. */
export async function fieldsOnPhone(
  ctx: PublicCtx,
  card: { readonly workspaceId: string; readonly instanceId: string },
): Promise<AppleField[]> {
  return (await readCardRows(ctx, [card])).flatMap(appleFields);
}

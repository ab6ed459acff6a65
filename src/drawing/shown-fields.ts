import { fieldValuesOf } from '../cards/instance.schema.ts';
import { withProgram } from '../ledger/program-fields.ts';
import type { PassField } from '../passes/pass-row.ts';
import type { CardRow } from './card.sql.ts';

/** All fields of a card with what it shows in them: those of its pass, and those of the pass's program. */
export function shownFieldsOf(card: CardRow): PassField[] {
  const values = fieldValuesOf(card);
  const own = card.passFields.map((field) => ({ ...field, value: values[field.key] ?? null }));
  return withProgram(own, card.program, { locale: localeOf(card), timezone: card.timezone });
}

/** The holder's, or else the one that the shop writes in. */
export function localeOf({ holder, workspaceLocale }: Pick<CardRow, 'holder' | 'workspaceLocale'>): string {
  return holder?.locale ?? workspaceLocale;
}

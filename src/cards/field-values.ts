import { refusal } from '../errors.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { misfitOf } from '../passes/field-formats.ts';
import { type PassField, templateOwnedKeys } from '../passes/pass-row.ts';
import { shownTier } from '../passes/programs/tiers.ts';
import { refuseVoided } from './find-instance.ts';
import { fieldValuesOf } from './instance.schema.ts';
import type { InstanceRow } from './instance-row.ts';

type Values = Readonly<Record<string, string | null>>;

/**
 * Checks a holder's own values against the pass. Raises `fields_not_editable`, then per key `template_owned_field` or
 * `unknown_field_key`, whose message lists the valid keys, then `invalid_request` for a value of another format.
 */
export function checkFieldValues(
  fields: readonly PassField[],
  values: Readonly<Record<string, unknown>>,
): void {
  const editable = new Map(fields.filter((field) => field.editable).map((field) => [field.key, field]));
  if (editable.size === 0) {
    throw refusal(
      'fields_not_editable',
      'This pass has no editable fields. Add one with PATCH /passes/{passId}.',
    );
  }
  for (const [key, value] of Object.entries(values)) {
    if (templateOwnedKeys.has(key)) {
      throw refusal(
        'template_owned_field',
        `"${key}" is the same for all holders: change it with PATCH /passes/{passId}.`,
      );
    }
    const field = editable.get(key);
    if (field === undefined) {
      const shown = key.length > 60 ? `${key.slice(0, 60)}…` : key;
      throw refusal(
        'unknown_field_key',
        `"${shown}" is not an editable field of this pass. Valid keys: ${[...editable.keys()].join(', ')}.`,
      );
    }
    const misfit = typeof value === 'string' ? misfitOf(field, value) : null;
    if (misfit !== null) throw invalidField(`fields.${key}`, 'format', misfit);
  }
}

/** New values by key: null leaves a field blank, `useDefault` returns it to the value of the pass. */
export type FieldChanges = Readonly<Record<string, string | null | { readonly useDefault: true }>>;

/** What a change makes of the own values of a card. */
export interface ChangedFields {
  readonly fields: Values;
  /** The keys whose own values differ now. */
  readonly changed: readonly string[];
  /** Whether the card shows something else now. */
  readonly shown: boolean;
}

/**
 * The own values of a card after a change. Raises `instance_voided`, the refusals of `checkFieldValues`, then
 * `fields_update_unsupported`.
 */
export function changeFieldValues(row: InstanceRow, changes: FieldChanges): ChangedFields {
  refuseVoided(row);
  checkFieldValues(row.passFields, changes);
  if (!row.addressable) {
    throw refusal(
      'fields_update_unsupported',
      'This card was issued elsewhere and no wallet link of ours reaches it. Re-adding the pass through its link makes an addressable card.',
    );
  }
  const fields: Record<string, string | null> = { ...row.fields };
  for (const [key, value] of Object.entries(changes)) {
    if (typeof value === 'object' && value !== null) delete fields[key];
    else fields[key] = value;
  }
  const changed = Object.keys(changes).filter((key) => row.fields[key] !== fields[key]);
  const tier = shownTier(row.loyalty);
  const content = (own: Values) => JSON.stringify(fieldValuesOf({ ...row, fields: own }, tier));
  return { fields, changed, shown: content(row.fields) !== content(fields) };
}

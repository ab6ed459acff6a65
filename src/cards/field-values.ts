import { refusal } from '../errors.ts';
import { type PassField, templateOwnedKeys } from '../passes/pass-row.ts';

type Values = Readonly<Record<string, string | null>>;

/**
 * Checks the keys of a holder's own values against the pass. Raises `fields_not_editable`, then per key
 * `template_owned_field` or `unknown_field_key`, whose message lists the valid keys.
 */
export function checkFieldKeys(fields: readonly PassField[], values: Values): void {
  const editable = fields.filter((field) => field.editable).map((field) => field.key);
  if (editable.length === 0) {
    throw refusal(
      'fields_not_editable',
      'This pass has no editable fields. Add one with PATCH /passes/{passId}.',
    );
  }
  for (const key of Object.keys(values)) {
    if (templateOwnedKeys.has(key)) {
      throw refusal(
        'template_owned_field',
        `"${key}" is the same for all holders: change it with PATCH /passes/{passId}.`,
      );
    }
    if (!editable.includes(key)) {
      const shown = key.length > 60 ? `${key.slice(0, 60)}…` : key;
      throw refusal(
        'unknown_field_key',
        `"${shown}" is not an editable field of this pass. Valid keys: ${editable.join(', ')}.`,
      );
    }
  }
}

/** The own values after a change, and the keys that differ now. */
export function changeFieldValues(before: Values, changes: Values): { after: Values; changed: string[] } {
  const changed = Object.keys(changes).filter((key) => before[key] !== changes[key]);
  return { after: { ...before, ...changes }, changed };
}

import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import type { SchemaError } from './schema-words.ts';
import { validationMessage } from './validation-message.ts';

/** How every value is held against its schema: nothing is coerced, removed or filled in; the first error is told. */
export const validatorOptions = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  verbose: true,
  strictTypes: false,
} as const;

/**
 * A check of single values, for lists whose items are accepted or refused one by one: null for a value of the
 * schema's shape, otherwise the sentence that a request with such a body would be refused with.
 */
export function shapeCheck(schema: TSchema): (value: unknown) => string | null {
  const ajv = new Ajv(validatorOptions);
  formats.default(ajv);
  const validate = ajv.compile(schema);
  return (value) =>
    validate(value) ? null : validationMessage((validate.errors ?? []) as SchemaError[], 'body');
}

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import {
  alternatives,
  clipped,
  kindOf,
  literal,
  oneOfValues,
  type RequestPart,
  type SchemaError,
  subject,
  typeWords,
} from './schema-words.ts';
import { unionMessage } from './union-message.ts';

/** How every value is held against its schema: nothing is coerced, removed or filled in; the first error is told. */
const ajv = new Ajv({
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  verbose: true,
  strictTypes: false,
  // Schemas stand inside others under their $id, each whole.
  addUsedSchema: false,
});
formats.default(ajv);

/** Says whether a value is of the schema's shape; `errors` are those of the last one that was not. */
export interface Validator {
  (value: unknown): boolean;
  errors: ErrorObject[] | null | undefined;
}

/** A validator that is compiled when it is first used: those of all routes take as long as the rest of a start. */
export function validatorOf(schema: TSchema): Validator {
  let validate: ValidateFunction | null = null;
  const validator: Validator = (value) => {
    validate ??= ajv.compile(schema);
    const isValid = validate(value);
    validator.errors = validate.errors;
    return isValid;
  };
  validator.errors = null;
  return validator;
}

/**
 * A check of single values, for lists whose items are accepted or refused one by one: null for a value of the
 * schema's shape, otherwise the sentence that a request with such a body would be refused with.
 */
export function shapeCheck(schema: TSchema): (value: unknown) => string | null {
  const validate = validatorOf(schema);
  return (value) =>
    validate(value) ? null : validationMessage((validate.errors ?? []) as SchemaError[], 'body');
}

/** One sentence that names what is wrong and says what is expected. `errors` end with the one that decided. */
export function validationMessage(errors: readonly SchemaError[], part: RequestPart): string {
  let deciding = errors.length - 1;
  // `if` only repeats what the errors before it say.
  while (deciding > 0 && errors[deciding]?.keyword === 'if') deciding -= 1;
  const error = errors[deciding];
  if (error === undefined) return 'The request does not match what is expected.';
  if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
    const told = unionMessage(error, errors.slice(0, deciding), part);
    return typeof told === 'string' ? told : validationMessage(told, part);
  }
  if (error.keyword === 'propertyNames') {
    const name = clipped(String(error.params.propertyName));
    return `${subject(error, part, name)} is not an allowed property name.`;
  }
  return `${subject(error, part, namedProperty(error))} ${predicate(error)}.`;
}

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  'date-time': 'a date and time with a time zone, such as 2027-01-31T23:59:59Z',
  date: 'a date such as 2027-01-31',
  time: 'a time such as 23:59:59Z',
  email: 'an e-mail address',
  uri: 'a complete URL',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  hostname: 'a host name',
};

function namedProperty(error: SchemaError): string | undefined {
  if (error.keyword === 'additionalProperties') return String(error.params.additionalProperty);
  if (error.keyword === 'required' || error.keyword === 'dependencies') {
    return String(error.params.missingProperty);
  }
  return undefined;
}

function predicate(error: SchemaError): string {
  const { keyword, params, data } = error;
  switch (keyword) {
    case 'type':
      return `must be ${alternatives(typeWords(params.type))}, not ${valueWords(params.type, data)}`;
    case 'required':
      return 'is required';
    case 'dependencies':
      return `is required when ${clipped(String(params.property))} is given`;
    case 'additionalProperties':
      return `is not known here${knownProperties(error)}`;
    case 'const':
      return `must be ${literal(params.allowedValue)}`;
    case 'enum':
      return `must be ${oneOfValues(params.allowedValues)}`;
    case 'pattern':
      return patternPredicate(error);
    case 'format':
      return `must be ${described(error) ?? FORMAT_WORDS[String(params.format)] ?? `a valid ${params.format}`}`;
    case 'not':
      return notPredicate(error);
    case 'uniqueItems':
      return `must not repeat an item: [${params.i}] and [${params.j}] are equal`;
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`;
    default:
      return limitPredicate(error) ?? 'is not allowed in this form';
  }
}

/** Of values that are not allowed, these. */
function notPredicate({ schema }: SchemaError): string {
  const { enum: values } = schema as { readonly enum?: readonly unknown[] };
  return values === undefined
    ? 'is not allowed in this form'
    : `must not be ${alternatives(values.map(literal))}`;
}

/** Sizes and ranges; all of them have their bound in `params.limit`. */
function limitPredicate(error: SchemaError): string | undefined {
  const { keyword, data } = error;
  const limit = Number(error.params.limit);
  switch (keyword) {
    case 'minLength':
      if (data === '') return 'must not be empty';
      return `must have at least ${counted(limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}, not ${[...String(data)].length}`;
    case 'minItems':
      return `must have at least ${counted(limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${counted(limit, 'item')}, not ${(data as unknown[]).length}`;
    case 'minProperties':
      return `must have at least ${counted(limit, 'property')}${knownProperties(error)}`;
    case 'maxProperties':
      return `must have at most ${counted(limit, 'property')}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}`;
    default:
      return undefined;
  }
}

/** A regular expression says little to a reader: its description is told, or the character that it stumbled on. */
function patternPredicate(error: SchemaError): string {
  const description = described(error);
  if (description !== undefined) return `is not in the expected form: ${description}`;
  const found = String(error.data).match(CONTROLS) ?? [];
  const worst = found.find((character) => character !== '\n' && character !== '\t') ?? found[0];
  if (worst !== undefined) {
    const code = (worst.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `must not hold the control character U+${code}`;
  }
  if (String(error.data).trim() === '') return 'must not be blank';
  return `must match the pattern ${error.params.pattern}`;
}

const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

function described(error: SchemaError): string | undefined {
  const description = error.parentSchema?.description;
  return typeof description === 'string' ? description.replace(/\.$/, '') : undefined;
}

function knownProperties(error: SchemaError): string {
  const properties = error.parentSchema?.properties;
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return names.length === 0 || names.length > 40 ? '' : `; known are ${names.join(', ')}`;
}

function valueWords(expected: unknown, data: unknown): string {
  if (expected === 'integer' && typeof data === 'number') return String(data);
  return kindOf(data);
}

function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

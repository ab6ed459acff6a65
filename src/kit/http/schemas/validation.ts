import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { ApiError, invalidRequest } from '../api-error.ts';
import type { ProblemRule } from './problems.ts';
import { type Broken, refusalAbout } from './schema-refusal.ts';
import {
  alternatives,
  clipped,
  kindOf,
  limitOf,
  literal,
  oneOfValues,
  type RequestPart,
  type SchemaError,
  typeWords,
} from './schema-words.ts';
import { unionMessage } from './union-message.ts';

/** How every value is held against its schema: nothing is coerced, removed or filled in; the first error is reported. */
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
 * schema's shape, otherwise what a request with such a body would be refused with.
 */
export function shapeCheck(schema: TSchema): (value: unknown) => ApiError | null {
  const validate = validatorOf(schema);
  return (value) =>
    validate(value) ? null : schemaRefusal((validate.errors ?? []) as SchemaError[], 'body');
}

/** What a request is refused with: what is wrong, and what is expected. `errors` end with the one that decided. */
export function schemaRefusal(errors: readonly SchemaError[], part: RequestPart): ApiError {
  let deciding = errors.length - 1;
  // `if` only repeats what the errors before it say.
  while (deciding > 0 && errors[deciding]?.keyword === 'if') deciding -= 1;
  const error = errors[deciding];
  if (error === undefined) return invalidRequest('The request does not match what is expected.');
  if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
    const found = unionMessage(error, errors.slice(0, deciding), part);
    return found instanceof ApiError ? found : schemaRefusal(found, part);
  }
  if (error.keyword === 'propertyNames') {
    const name = clipped(String(error.params.propertyName));
    const broken: Broken = { rule: 'reserved', predicate: 'is not an allowed property name' };
    return refusalAbout(error, part, broken, name);
  }
  return refusalAbout(error, part, brokenBy(error), namedProperty(error));
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

function brokenBy(error: SchemaError): Broken {
  const { keyword, params, data } = error;
  switch (keyword) {
    case 'type':
      return {
        rule: 'type',
        predicate: `must be ${alternatives(typeWords(params.type))}, not ${valueWords(params.type, data)}`,
        limit: limitOf([params.type].flat()),
      };
    case 'required':
      return { rule: 'required', predicate: 'is required' };
    case 'dependencies':
      return {
        rule: 'required',
        predicate: `is required when ${clipped(String(params.property))} is given`,
      };
    case 'additionalProperties': {
      const names = knownNames(error);
      return { rule: 'unknown', predicate: `is not known here${knownProperties(error)}`, limit: names };
    }
    case 'const': {
      const { allowedValue } = params;
      return { rule: 'enum', predicate: `must be ${literal(allowedValue)}`, limit: limitOf([allowedValue]) };
    }
    case 'enum': {
      const { allowedValues } = params;
      return {
        rule: 'enum',
        predicate: `must be ${oneOfValues(allowedValues)}`,
        limit: limitOf(allowedValues),
      };
    }
    case 'pattern':
      return patternBroken(error);
    case 'format': {
      const format = String(params.format);
      const expected = described(error) ?? FORMAT_WORDS[format] ?? `a valid ${format}`;
      return { rule: 'format', predicate: `must be ${expected}`, limit: format };
    }
    case 'not':
      return notBroken(error);
    case 'uniqueItems':
      return {
        rule: 'unique',
        predicate: `must not repeat an item: [${params.i}] and [${params.j}] are equal`,
      };
    case 'multipleOf':
      return {
        rule: 'multiple_of',
        predicate: `must be a multiple of ${params.multipleOf}`,
        limit: Number(params.multipleOf),
      };
    default:
      return limitBroken(error) ?? { rule: 'other', predicate: 'is not allowed in this form' };
  }
}

/** The problem of a value that the schema forbids by `not`. */
function notBroken({ schema }: SchemaError): Broken {
  const { enum: values } = schema as { readonly enum?: readonly unknown[] };
  if (values === undefined) return { rule: 'other', predicate: 'is not allowed in this form' };
  const predicate = `must not be ${alternatives(values.map(literal))}`;
  return { rule: 'reserved', predicate, limit: limitOf(values) };
}

/** Sizes and ranges; all of them have their bound in `params.limit`. */
function limitBroken(error: SchemaError): Broken | undefined {
  const { data } = error;
  const limit = Number(error.params.limit);
  const broken = (rule: ProblemRule, predicate: string): Broken => ({ rule, predicate, limit });
  switch (error.keyword) {
    case 'minLength':
      if (data === '') return broken('min_length', 'must not be empty');
      return broken('min_length', `must have at least ${counted(limit, 'character')}`);
    case 'maxLength': {
      const length = [...String(data)].length;
      return broken('max_length', `must have at most ${counted(limit, 'character')}, not ${length}`);
    }
    case 'minItems':
      return broken('min_items', `must have at least ${counted(limit, 'item')}`);
    case 'maxItems': {
      const { length } = data as unknown[];
      return broken('max_items', `must have at most ${counted(limit, 'item')}, not ${length}`);
    }
    case 'minProperties': {
      const least = `must have at least ${counted(limit, 'property')}`;
      return broken('min_properties', `${least}${knownProperties(error)}`);
    }
    case 'maxProperties':
      return broken('max_properties', `must have at most ${counted(limit, 'property')}`);
    case 'minimum':
      return broken('min_value', `must be at least ${limit}`);
    case 'maximum':
      return broken('max_value', `must be at most ${limit}`);
    case 'exclusiveMinimum':
      return broken('more_than', `must be more than ${limit}`);
    case 'exclusiveMaximum':
      return broken('less_than', `must be less than ${limit}`);
    default:
      return undefined;
  }
}

/** A regular expression says little to a reader: its description is shown, or the character that it stumbled on. */
function patternBroken(error: SchemaError): Broken {
  const description = described(error);
  if (description !== undefined)
    return { rule: 'pattern', predicate: `is not in the expected form: ${description}` };
  const found = String(error.data).match(CONTROLS) ?? [];
  const worst = found.find((character) => character !== '\n' && character !== '\t') ?? found[0];
  if (worst !== undefined) {
    const code = (worst.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return { rule: 'pattern', predicate: `must not hold the control character U+${code}` };
  }
  if (String(error.data).trim() === '') return { rule: 'blank', predicate: 'must not be blank' };
  return { rule: 'pattern', predicate: `must match the pattern ${error.params.pattern}` };
}

const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

function described(error: SchemaError): string | undefined {
  const description = error.parentSchema?.description;
  return typeof description === 'string' ? description.replace(/\.$/, '') : undefined;
}

function knownProperties(error: SchemaError): string {
  const names = knownNames(error);
  return names === undefined ? '' : `; known are ${names.join(', ')}`;
}

/** The properties that there are, unless there are too many to be listed. */
function knownNames(error: SchemaError): string[] | undefined {
  const names = Object.keys(error.parentSchema?.properties ?? {});
  return names.length === 0 || names.length > 40 ? undefined : names;
}

function valueWords(expected: unknown, data: unknown): string {
  if (expected === 'integer' && typeof data === 'number') return String(data);
  return kindOf(data);
}

function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

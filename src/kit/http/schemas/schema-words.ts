import type { ProblemLimit, ProblemPart } from './problems.ts';

/** The part of a request that a schema describes, as the framework calls it. */
export type RequestPart = 'body' | 'params' | 'querystring' | 'headers';

/** One error of the schema validator, with the schema and the value it is about. */
export interface SchemaError {
  readonly keyword: string;
  /** JSON pointer to the value. */
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The keyword's own value in the schema. */
  readonly schema?: unknown;
  readonly parentSchema?: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
}

/** Where the value is in its part of the request: `fields[0].key`; empty for the whole part. */
export function pathOf(error: SchemaError, property?: string): string {
  const steps = pointerSteps(error.instancePath);
  if (property !== undefined) steps.push(property);
  return propertyPath(steps);
}

/** What a sentence about this value starts with: `fields[0].key`, `The query parameter limit`, `The body`. */
export function subject(error: SchemaError, part: RequestPart, property?: string): string {
  const path = pathOf(error, property);
  if (part === 'body') return path || 'The body';
  if (path === '') return part === 'params' ? 'The path' : 'The query string';
  return `${PART_NAMES[part]} ${path}`;
}

/** `a`, `a or b`, `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  const rest = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  return rest.length === 0 ? last : `${rest.join(', ')} or ${last}`;
}

/** A type of JSON Schema, or several, as words. */
export function typeWords(types: unknown): string[] {
  return (Array.isArray(types) ? types : [types]).map((type) => TYPE_WORDS[String(type)] ?? String(type));
}

/** What kind of JSON value this is, as words. */
export function kindOf(data: unknown): string {
  if (data === null || data === undefined) return 'null';
  if (Array.isArray(data)) return 'an array';
  return typeof data === 'object' ? 'an object' : `a ${typeof data}`;
}

/** `"a", "b" or null`, or `one of …` for longer lists. */
export function oneOfValues(values: unknown): string {
  const literals = (values as unknown[]).map(literal);
  return literals.length > 1 ? `one of ${alternatives(literals)}` : alternatives(literals);
}

/** The same values as the limit of a problem; those that are no single value are left out. */
export function limitOf(values: unknown): ProblemLimit {
  return (values as unknown[]).filter(isScalar);
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** A value as it is written in JSON. */
export function literal(value: unknown): string {
  return JSON.stringify(value);
}

/** The part as a problem names it; none for the body. */
export const problemParts: Readonly<Record<RequestPart, ProblemPart | undefined>> = {
  body: undefined,
  params: 'path',
  querystring: 'query',
  headers: 'header',
};

const PART_NAMES: Readonly<Record<RequestPart, string>> = {
  body: '',
  params: 'The path parameter',
  querystring: 'The query parameter',
  headers: 'The header',
};

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

function pointerSteps(pointer: string): (string | number)[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** The way a message names a value inside a body: `fields[0].key`, `metadata["a b"]`; empty for the whole body. */
export function propertyPath(steps: readonly (string | number)[]): string {
  let path = '';
  for (const step of steps) path += stepText(step, path === '');
  return path.length <= MAX_PATH ? path : `${path.slice(0, MAX_PATH)}…`;
}

/** A name or value that the client sent, short enough to be repeated in a message. */
export function clipped(text: string): string {
  return text.length <= MAX_STEP ? text : `${text.slice(0, MAX_STEP).toWellFormed()}…`;
}

const MAX_PATH = 200;
const MAX_STEP = 60;
const PLAIN_NAME = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;

function stepText(step: string | number, first: boolean): string {
  if (typeof step === 'number') return `[${step}]`;
  const name = clipped(step);
  if (!PLAIN_NAME.test(name)) return `[${JSON.stringify(name)}]`;
  return first ? name : `.${name}`;
}

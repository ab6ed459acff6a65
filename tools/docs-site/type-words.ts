import { type HtmlPart, html } from '../../src/kit/html.ts';
import type { JsonSchema } from '../../src/kit/http/reference/openapi-schema.ts';
import {
  addressPattern,
  idempotencyKeyPattern,
  labelPattern,
  linePattern,
  mailboxPattern,
  paddedAddressPattern,
  printablePattern,
  prosePattern,
} from '../../src/kit/http/schemas/text-patterns.ts';

/** How a product's own texts are called. */
export interface TypeWords {
  /** By the pattern that they match. */
  readonly patterns: Readonly<Record<string, string>>;
  /** The prefix of ids, by the name of the property: `itemId` → `item`. */
  readonly idPrefixes: Readonly<Record<string, string>>;
}

/** What every service says by the patterns of the kit. */
const KIT_PATTERNS: Readonly<Record<string, string>> = {
  [linePattern]: 'string',
  [printablePattern]: 'string',
  [labelPattern]: 'string',
  [prosePattern]: 'text of several lines',
  [addressPattern]: 'e-mail address',
  [paddedAddressPattern]: 'e-mail address',
  [mailboxPattern]: 'e-mail address',
  [idempotencyKeyPattern]: 'string, 1 to 255 printable ASCII characters but the comma',
};

type Schemas = Readonly<Record<string, JsonSchema>>;

const PREFIX = '#/components/schemas/';

/** The schema that a reference leads to; any other as it is. */
export function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.slice(PREFIX.length)] ?? {});
}

/** The words for a pattern; undefined for a pattern without words. */
export function wordsForPattern(pattern: string, words: TypeWords): string | undefined {
  return words.patterns[pattern] ?? KIT_PATTERNS[pattern];
}

/** What a value may be, for people: `string, 1 to 100 characters`, `one of a, b`, `list, at most 9 entries, each integer`. */
export function typeInWords(name: string, schema: JsonSchema, schemas: Schemas, words: TypeWords): HtmlPart {
  return oneType(name, schema, { schemas, words, open: [] });
}

interface Reading {
  readonly schemas: Schemas;
  readonly words: TypeWords;
  /** References that are being followed: one may contain itself. */
  readonly open: readonly string[];
}

function oneType(name: string, schema: JsonSchema, reading: Reading): HtmlPart {
  const { $ref } = schema;
  if ($ref !== undefined) {
    if (reading.open.includes($ref)) return $ref.slice(PREFIX.length);
    const target = resolved(schema, reading.schemas);
    return oneType(name, target, { ...reading, open: [...reading.open, $ref] });
  }
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.type === undefined && parts.length > 0)
    return joined(
      parts.map((part) => oneType(name, part, reading)),
      ' or ',
    );
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  const plain =
    values === undefined ? typesInWords(name, schema, types, reading) : [valuesInWords(values, types)];
  const refused = schema.not?.enum ?? (schema.not?.const === undefined ? [] : [schema.not.const]);
  const all = [
    ...plain,
    ...(types.includes('null') && values === undefined ? ['or null'] : []),
    ...(refused.length > 0 ? [['not ', joined(refused.map(code), ' or ')]] : []),
    ...(schema.default === undefined ? [] : [['default ', code(schema.default)]]),
  ];
  return all.map((part, index) => [index > 0 && (part === 'or null' ? ' ' : ', '), part]);
}

/** A longer list is only counted: readers do not want the codes of all currencies. */
const MOST_VALUES = 30;

function valuesInWords(values: readonly unknown[], types: readonly string[]): HtmlPart {
  if (values.length === 1) return ['always ', code(values[0])];
  const real = values.filter((value) => value !== null);
  const list =
    real.length <= MOST_VALUES
      ? joined(real.map(code), ', ')
      : [`${real.length} values: `, joined(real.slice(0, 3).map(code), ', '), ' … ', code(real.at(-1))];
  return ['one of ', list, types.includes('null') && ', or null'];
}

function typesInWords(
  name: string,
  schema: JsonSchema,
  types: readonly string[],
  reading: Reading,
): HtmlPart[] {
  const real = types.filter((type) => type !== 'null');
  if (real.length === 0) return [types.length === 0 ? 'anything' : 'null'];
  if (real.length > 1) return [real.join(' or ')];
  switch (real[0]) {
    case 'string':
      return textInWords(name, schema, reading.words);
    case 'array':
      return listInWords(name, schema, reading);
    case 'object':
      return present(['object', span(schema.minProperties, schema.maxProperties, ' properties')]);
    default:
      return present([String(real[0]), span(schema.minimum, schema.maximum, '')]);
  }
}

function textInWords(name: string, schema: JsonSchema, words: TypeWords): HtmlPart[] {
  const { pattern, format, minLength, maxLength } = schema;
  if (format === 'date-time') return ['date and time, ISO 8601'];
  const prefix = words.idPrefixes[name];
  if (prefix !== undefined && pattern === undefined) return [[`id, `, html`<code>${prefix}_…</code>`]];
  const known = typeof pattern === 'string' ? wordsForPattern(pattern, words) : 'string';
  const isPlain = known === undefined || known === 'string' || known.startsWith('text');
  return present([
    inCode(known ?? 'string'),
    isPlain ? span(minLength === 0 ? undefined : minLength, maxLength, ' characters') : null,
  ]);
}

function listInWords(name: string, schema: JsonSchema, reading: Reading): HtmlPart[] {
  const { items, prefixItems } = schema;
  const each = typeof items === 'object' ? [['each ', oneType(name, items, reading)]] : [];
  const places = (prefixItems ?? []).map((item) => oneType(name, item, reading));
  return present([
    'list',
    span(schema.minItems, schema.maxItems, ' entries'),
    schema.uniqueItems === true ? 'without duplicates' : null,
    ...each,
    places.length > 0 ? ['of ', joined(places, ' and ')] : null,
  ]);
}

/** `text` with what stands between backticks as code. */
function inCode(text: string): HtmlPart {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

function code(value: unknown): HtmlPart {
  return html`<code>${typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}</code>`;
}

function present(parts: readonly (HtmlPart | null)[]): HtmlPart[] {
  return parts.filter((part) => part !== null);
}

/** Different parts once each. */
function joined(parts: readonly HtmlPart[], between: string): HtmlPart {
  const different = new Map(parts.map((part) => [html`${part}`.text, part]));
  return [...different.values()].map((part, index) => [index > 0 && between, part]);
}

function span(least: unknown, most: unknown, unit: string): string | null {
  const low = typeof least === 'number' && (least !== 0 || unit === '') ? least.toLocaleString('en') : null;
  // The range of a number of JSON needs no words.
  const high =
    typeof most === 'number' && most !== Number.MAX_SAFE_INTEGER ? most.toLocaleString('en') : null;
  if (low === null) return high === null ? null : `at most ${high}${unit}`;
  if (high === null) return `at least ${low}${unit}`;
  return low === high ? `${low}${unit}` : `${low} to ${high}${unit}`;
}

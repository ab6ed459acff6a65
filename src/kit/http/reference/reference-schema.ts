import { type Html, type HtmlPart, html } from '../../html.ts';
import type { JsonSchema } from './openapi-schema.ts';
import { divider, row, table } from './reference-table.ts';
import { inline } from './reference-text.ts';

const PREFIX = '#/components/schemas/';
const DEEPEST = 6;

type Schemas = Readonly<Record<string, JsonSchema>>;

interface Row {
  /** Names from the outermost property inwards; `[]` follows an array, `{}` stands for a free key. */
  readonly path: readonly string[];
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** Set on a row that only says which of several forms the rows below belong to. */
  readonly form?: Html;
}

/**
 * A schema as a table with one row for each property at any depth (`colors.background`, `items[].price`), in
 * the order of the schema; null when there is no property to list. A request spells named schemas out and
 * marks what is required; an answer links to them and marks what may be absent.
 */
export function schemaTable(
  schema: JsonSchema,
  schemas: Schemas,
  use: 'request' | 'answer',
  caption: string,
): Html | null {
  const rows = rowsOf(schema, [], { schemas, expand: use === 'request', open: [] });
  if (rows.length === 0) return null;
  const lines = rows.map(({ path, schema: property, required, form }) => {
    if (form !== undefined) return divider(form);
    const outer = dotted(path.slice(0, -1));
    const name = html`<code>${outer !== '' && html`<span class="outer">${outer}.</span>`}<wbr>${path.at(-1)}</code>`;
    const mark =
      use === 'request' ? required && requiredMark : !required && html` <span class="where">optional</span>`;
    return row([name, mark], typeName(property), meaning(property));
  });
  return table(caption, ['Property', 'Type', 'Meaning'], lines);
}

export const requiredMark = html` <span class="required">required</span>`;

interface Walk {
  readonly schemas: Schemas;
  readonly expand: boolean;
  /** The named schemas that are being spelled out: one that contains itself is linked to, not repeated. */
  readonly open: readonly string[];
}

function rowsOf(schema: JsonSchema, path: readonly string[], walk: Walk): Row[] {
  if (path.length > DEEPEST) return [];
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(PREFIX.length);
    const target = walk.schemas[name];
    if (!walk.expand || target === undefined || walk.open.includes(name)) return [];
    return rowsOf(target, path, { ...walk, open: [...walk.open, name] });
  }
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const required = schema.required?.includes(name) === true;
    return [
      { path: [...path, name], schema: property, required },
      ...rowsOf(property, [...path, name], walk),
    ];
  });
  const free = [...Object.values(schema.patternProperties ?? {}), schema.additionalProperties].flatMap(
    (value) => {
      const inner = { path: [...path, '{key}'], schema: value as JsonSchema, required: false };
      return typeof value === 'object' ? [inner, ...rowsOf(value, inner.path, walk)] : [];
    },
  );
  const items = typeof schema.items === 'object' ? rowsOf(schema.items, [...path, '[]'], walk) : [];
  const parts = (schema.allOf ?? []).flatMap((part) => rowsOf(part, path, walk));
  return [...properties, ...free, ...items, ...parts, ...formsOf(schema, path, walk)];
}

/**
 * The alternatives of a union that are objects: what they have in common, and then each under a line that says how to
 * tell it. Those that only name properties are a line of their own.
 */
function formsOf(schema: JsonSchema, path: readonly string[], walk: Walk): Row[] {
  const choices = [
    choiceOf('At least one of', schema.anyOf, path),
    choiceOf('Exactly one of', schema.oneOf, path),
  ];
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
    .filter((form) => nameIn(form) === undefined)
    .map((form) => ({ form, rows: rowsOf(form, path, walk) }));
  const listed = forms.filter(({ rows }) => rows.length > 0);
  const [first, ...rest] = listed;
  if (first === undefined || rest.length === 0)
    return [...choices.flat(), ...listed.flatMap(({ rows }) => rows)];
  const isShared = (row: Row) => listed.every(({ rows }) => rows.some((other) => isSame(row, other)));
  const own = listed.flatMap(({ form, rows }, index) => {
    const mark = rows.find(
      (row) => row.path.length === path.length + 1 && valuesOf(row.schema) !== undefined,
    );
    const others = rows.filter((row) => row !== mark && !isShared(row));
    const title =
      mark === undefined
        ? html`${path.length > 0 && html`<code>${dotted(path)}</code>, `}form ${index + 1}`
        : html`When <code>${dotted(mark.path)}</code> is ${inCode(valuesOf(mark.schema) ?? [], ' or ')}`;
    const empty = others.length === 0 && html`: nothing more`;
    return [{ path, schema: form, required: false, form: html`${title}${empty}` }, ...others];
  });
  return [...choices.flat(), ...first.rows.filter(isShared), ...own];
}

/** A line for alternatives that differ in a property that must be there. */
function choiceOf(words: string, forms: readonly JsonSchema[] = [], path: readonly string[]): Row[] {
  const names = forms.flatMap((form) => nameIn(form) ?? []);
  if (names.length < 2) return [];
  const listed = names.map((name, at) => [at > 0 && ', ', html`<code>${dotted([...path, name])}</code>`]);
  return [{ path, schema: {}, required: false, form: html`${words} ${listed}` }];
}

/** The one property that an alternative asks for, where it says no more of it than that it is not null. */
function nameIn({ required, properties = {}, ...rest }: JsonSchema): string | undefined {
  const [name, ...others] = required ?? [];
  const isBare = Object.values(properties).every((property) => Object.keys(property).join() === 'not');
  return others.length === 0 && isBare && Object.keys(rest).length === 0 ? name : undefined;
}

function isSame(one: Row, other: Row): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  return schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
}

function inCode(values: readonly unknown[], between: string): HtmlPart {
  return values.map((value, index) => [index > 0 && between, html`<code>${JSON.stringify(value)}</code>`]);
}

/** `['items', '[]', 'price']` → `items[].price` */
function dotted(path: readonly string[]): string {
  return path.join('.').replaceAll('.[]', '[]');
}

/** The type in words: `integer or null`, `list of string`, a link for a named schema. */
export function typeName(schema: JsonSchema): HtmlPart {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(PREFIX.length);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined && schema.type === undefined) return joined(alternatives.map(typeName));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (typeof schema.items === 'object') {
    return html`list of ${typeName(schema.items)}${types.includes('null') && ' or null'}`;
  }
  if (types.length === 0) return schema.enum === undefined && schema.const === undefined ? 'any' : 'constant';
  const words = types.map((type) =>
    type === 'string' && typeof schema.format === 'string' ? schema.format : type,
  );
  return words.map((word) => (word === 'array' ? 'list' : word)).join(' or ');
}

function joined(parts: readonly HtmlPart[]): HtmlPart {
  const different = new Map(parts.map((part) => [String(html`${part}`), part]));
  return [...different.values()].map((part, index) => [index > 0 && ' or ', part]);
}

/** The description and the bounds of a value. */
export function meaning(schema: JsonSchema): HtmlPart {
  const own = typeof schema.description === 'string' ? inline(sentence(schema.description)) : null;
  const inner =
    typeof schema.items === 'object' && schema.items.$ref === undefined ? bounds(schema.items) : [];
  const words = [...bounds(schema), ...inner.map((word) => html`each ${word}`)];
  const list = words.map((word, index) => [index > 0 && ', ', word]);
  return [own, words.length > 0 && html`<span class="bounds">${list}</span>`];
}

/** Begins with a capital letter, unless the first word is a name such as `nextCursor`. */
function sentence(text: string): string {
  const capital = /^[a-z]+(?![\w`])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(text) ? capital : `${capital}.`;
}

function bounds(schema: JsonSchema): HtmlPart[] {
  const words: HtmlPart[] = [];
  const values = valuesOf(schema);
  if (values !== undefined) words.push([values.length > 1 ? 'one of ' : 'always ', inCode(values, ' ')]);
  const refused = schema.not === undefined ? undefined : valuesOf(schema.not);
  if (refused !== undefined) words.push(['not ', inCode(refused, ' or ')]);
  words.push(span(schema.minimum, schema.maximum, ''));
  if (schema.format === undefined) words.push(span(schema.minLength, schema.maxLength, ' characters'));
  words.push(span(schema.minItems, schema.maxItems, ' entries'));
  words.push(span(schema.minProperties, schema.maxProperties, ' properties'));
  if (typeof schema.pattern === 'string' && schema.format === undefined && isTelling(schema.pattern)) {
    words.push(html`matches <code>${schema.pattern}</code>`);
  }
  if (schema.uniqueItems === true) words.push('no duplicates');
  if (schema.default !== undefined) words.push(html`default <code>${JSON.stringify(schema.default)}</code>`);
  return words.filter((word) => word !== null);
}

/** Patterns that only keep control characters out say nothing to a reader. */
function isTelling(pattern: string): boolean {
  return !pattern.startsWith('^[^') && pattern.length <= 60;
}

function span(least: unknown, most: unknown, unit: string): string | null {
  const low = typeof least === 'number' && (least !== 0 || unit === '') ? least.toLocaleString('en') : null;
  const high = typeof most === 'number' ? most.toLocaleString('en') : null;
  if (low === null) return high === null ? null : `at most ${high}${unit}`;
  if (high === null) return `at least ${low}${unit}`;
  return low === high ? `${low}${unit}` : `${low} to ${high}${unit}`;
}

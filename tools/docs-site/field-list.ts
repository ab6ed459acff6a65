import { type Html, html } from '../../src/kit/html.ts';
import type { JsonSchema } from '../../src/kit/http/reference/openapi-schema.ts';
import { inline, sentence } from './prose.ts';
import type { Site } from './site.ts';
import { resolved, typeInWords } from './type-words.ts';

/** Whether the fields are sent, where those that must be there are marked, or answered, where those that may be absent are. */
type Use = 'request' | 'answer';

interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Deeper than any body is; ends what contains itself. */
const DEEPEST = 8;

/** The fields of a schema, those inside of others folded away below them; null where there is none. */
export function fieldList(schema: JsonSchema, use: Use, site: Site): Html | null {
  return listOf(schema, { use, site, open: [] });
}

/** One line of such a list: name, type, and what it means. */
export function fieldLine(
  field: Field & { readonly note?: string },
  use: Use,
  site: Site,
  inner: Html | null = null,
): Html {
  const { name, schema, isRequired, note } = field;
  const target = resolved(schema, site.document.components.schemas);
  const description = schema.description ?? target.description;
  return html`<li><p class="field"><code>${name}</code> <span class="type">${note !== undefined && `${note} · `}${typeInWords(name, schema, site.document.components.schemas, site.words)}</span>${use === 'request' && isRequired && html` <span class="required">required</span>`}${
    use === 'answer' && !isRequired && html` <span class="where">may be absent</span>`
  }</p>
${description !== undefined && html`<p class="meaning">${inline(sentence(description), site)}</p>`}${inner}</li>`;
}

interface Walk {
  readonly use: Use;
  readonly site: Site;
  readonly open: readonly JsonSchema[];
}

function listOf(schema: JsonSchema, walk: Walk): Html | null {
  const target = resolved(schema, walk.site.document.components.schemas);
  if (walk.open.includes(target) || walk.open.length > DEEPEST) return null;
  const inside = { ...walk, open: [...walk.open, target] };
  const fields = ownFields(target, walk);
  const forms = formsOf(target, walk);
  const shared = forms.length < 2 ? forms.flatMap(({ fields: all }) => all) : sharedFields(forms);
  const marks = forms.length < 2 ? [] : markOf(forms);
  const lines = [...marks, ...fields, ...shared].map((field) => line(field, inside));
  const others = forms.length < 2 ? [] : forms.map((form) => formLine(form, shared, inside));
  const choices = choicesOf(target);
  if (lines.length + others.length === 0) return null;
  return html`${choices}${lines.length > 0 && html`<ul class="fields">${lines}</ul>`}${others}`;
}

function line(field: Field, walk: Walk): Html {
  const inner = innerList(field.schema, walk);
  const folded =
    inner === null
      ? null
      : html`<details><summary>Fields of <code>${field.name}</code></summary>${inner}</details>`;
  return fieldLine(field, walk.use, walk.site, folded);
}

/** What is inside of a value: of an object, of the entries of a list, of the one object of a union. */
function innerList(schema: JsonSchema, walk: Walk): Html | null {
  const target = resolved(schema, walk.site.document.components.schemas);
  if (typeof target.items === 'object') return innerList(target.items, walk);
  return listOf(target, walk);
}

function ownFields(schema: JsonSchema, walk: Walk): Field[] {
  const named = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    isRequired: schema.required?.includes(name) === true,
  }));
  const free = [...Object.values(schema.patternProperties ?? {}), schema.additionalProperties].flatMap(
    (value) =>
      typeof value === 'object' && Object.keys(value).length > 0
        ? [{ name: '(any name)', schema: value, isRequired: walk.use === 'answer' }]
        : [],
  );
  const parts = (schema.allOf ?? []).flatMap((part) =>
    ownFields(resolved(part, walk.site.document.components.schemas), walk),
  );
  return [...named, ...free, ...parts];
}

interface Form {
  readonly schema: JsonSchema;
  readonly fields: readonly Field[];
}

/** The alternatives of a union that have fields. */
function formsOf(schema: JsonSchema, walk: Walk): Form[] {
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
    .filter((form) => onlyName(form) === undefined)
    .map((form) => resolved(form, walk.site.document.components.schemas))
    .map((form) => ({
      schema: form,
      fields: [...ownFields(form, walk), ...formsOf(form, walk).flatMap(({ fields }) => fields)],
    }))
    .filter(({ fields }) => fields.length > 0);
}

function sharedFields(forms: readonly Form[]): Field[] {
  const [first, ...others] = forms.map(({ fields }) => fields);
  return (first ?? []).filter((field) => others.every((fields) => fields.some((one) => isSame(one, field))));
}

/** Returns the field that distinguishes the forms, with the values that it has in them. */
function markOf(forms: readonly Form[]): Field[] {
  const marks = forms.map(({ fields }) => fields.find(isMark));
  const [first] = marks;
  if (first === undefined || marks.some((mark) => mark?.name !== first.name)) return [];
  const values = marks.flatMap((mark) => (mark === undefined ? [] : valuesOf(mark.schema)));
  return [{ ...first, schema: { type: 'string', enum: values } }];
}

/** True if a field has values that distinguish its form from others. */
function isMark({ schema }: Field): boolean {
  return valuesOf(schema).length > 0;
}

/** Shows one form of several, by the value that distinguishes it from the others. */
function formLine({ schema, fields }: Form, shared: readonly Field[], walk: Walk): Html {
  const mark = fields.find(isMark);
  const own = fields.filter((field) => field !== mark && !shared.some((one) => isSame(one, field)));
  const title =
    mark === undefined
      ? html`With ${namesOf(own.filter(({ isRequired }) => isRequired).length > 0 ? own.filter(({ isRequired }) => isRequired) : own)}`
      : html`When <code>${mark.name}</code> is <code>${valuesOf(mark.schema).join(', ')}</code>`;
  if (own.length === 0) return html`<p class="form">${title}: nothing more</p>`;
  const inside = { ...walk, open: [...walk.open, schema] };
  const lines = own.map((field) => line(field, inside));
  return html`<details class="form"><summary>${title}</summary><ul class="fields">${lines}</ul></details>`;
}

/** A line for alternatives that differ in a property that must be there. */
function choicesOf(schema: JsonSchema): Html[] {
  return [['At least one of', schema.anyOf] as const, ['Exactly one of', schema.oneOf] as const].flatMap(
    ([words, forms = []]) => {
      const names = forms.flatMap((form) => onlyName(form) ?? []);
      if (names.length < 2) return [];
      return [html`<p class="form">${words} ${namesOf(names.map((name) => ({ name })))}.</p>`];
    },
  );
}

function namesOf(fields: readonly { readonly name: string }[]): Html[] {
  return fields.map(({ name }, index) => html`${index > 0 && ', '}<code>${name}</code>`);
}

/** The one property that an alternative asks for, where it says no more of it than that it is not null. */
function onlyName({ required, properties = {}, ...rest }: JsonSchema): string | undefined {
  const [name, ...others] = required ?? [];
  const isBare = Object.values(properties).every((property) =>
    Object.keys(property).every((keyword) => keyword === 'not'),
  );
  return others.length === 0 && isBare && Object.keys(rest).length === 0 ? name : undefined;
}

function isSame(one: Field, other: Field): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function valuesOf(schema: JsonSchema): readonly unknown[] {
  return schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
}

import type { JsonSchema } from '../../src/kit/http/reference/openapi-schema.ts';
import { words } from '../../tools/docs-site/words.ts';
import type { Field, ObjectType, Type } from './model.ts';

const PREFIX = '#/components/schemas/';

/** More values than people read are a text: the currencies. */
const mostWords = 60;

/** A schema of the document as a type. What only bounds a value, such as its length, is left to the service. */
export function typeOf(schema: JsonSchema | boolean | undefined): Type {
  if (schema === undefined || typeof schema === 'boolean') return { kind: 'unknown' };
  if (schema.$ref !== undefined) return { kind: 'ref', name: schema.$ref.slice(PREFIX.length) };
  const alternatives = partsOf(schema);
  if (alternatives !== undefined) return unionOf(alternatives, tagOf(schema));
  const names = [schema.type ?? []].flat();
  const plain = names.filter((name) => name !== 'null');
  if (names.length > plain.length && plain.length > 0)
    return nullable(typeOf({ ...schema, type: plain[0] ?? '' }));
  return valuesOf(schema) ?? namedType(plain[0], schema);
}

/** The properties of an object, in their order. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    isRequired: required.includes(name),
    doc: schema.description ?? null,
  }));
}

/** A parameter of the path or the query, which travels as text. */
export function parameterType(schema: JsonSchema): Type {
  const { enum: values, pattern } = schema;
  if (values?.length === 2 && values.includes('true') && values.includes('false')) return { kind: 'boolean' };
  const said = typeof pattern === 'string' ? words.patterns[pattern] : undefined;
  return said !== undefined && /^(whole number|HTTP status)/.test(said)
    ? { kind: 'integer' }
    : typeOf(schema);
}

/** The names of all types that a type refers to. */
export function refsOf(type: Type): string[] {
  if (type.kind === 'ref') return [type.name];
  if (type.kind === 'array') return refsOf(type.items);
  if (type.kind === 'map') return refsOf(type.values);
  if (type.kind === 'nullable') return refsOf(type.of);
  if (type.kind === 'union') return type.of.flatMap(refsOf);
  return type.kind === 'object' ? type.fields.flatMap((field) => refsOf(field.type)) : [];
}

/** The alternatives of a union; `anyOf` and `oneOf` that only say which properties must be there are none. */
function partsOf({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] | undefined {
  const parts = [oneOf, anyOf].find((list) => list?.some((part) => part.$ref ?? part.type ?? part.anyOf));
  return parts;
}

function tagOf(schema: JsonSchema): string | null {
  const { discriminator } = schema as { readonly discriminator?: { readonly propertyName: string } };
  return discriminator?.propertyName ?? null;
}

function unionOf(parts: readonly JsonSchema[], tag: string | null): Type {
  const real = parts.filter(({ type }) => type !== 'null').map(typeOf);
  const [first] = real;
  const type: Type = real.length === 1 && first !== undefined ? first : { kind: 'union', of: real, tag };
  return real.length < parts.length ? nullable(type) : type;
}

function nullable(type: Type): Type {
  return type.kind === 'nullable' ? type : { kind: 'nullable', of: type };
}

function valuesOf(schema: JsonSchema): Type | undefined {
  const all = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
  const values = all?.filter((value) => value !== null) as (string | number | boolean)[] | undefined;
  return values === undefined || values.length > mostWords ? undefined : { kind: 'literal', values };
}

function namedType(name: string | undefined, schema: JsonSchema): Type {
  if (name === 'string')
    return schema.format === 'date-time' ? { kind: 'string', format: 'date-time' } : { kind: 'string' };
  if (name === 'integer' || name === 'number' || name === 'boolean') return { kind: name };
  if (name === 'array') return { kind: 'array', items: typeOf(schema.items) };
  return name === 'object' ? objectType(schema) : { kind: 'unknown' };
}

function objectType(schema: JsonSchema): Type {
  if (schema.properties !== undefined) return ownObject(schema);
  const [named] = Object.values(schema.patternProperties ?? {});
  return { kind: 'map', values: typeOf(named ?? schema.additionalProperties) };
}

function ownObject(schema: JsonSchema): ObjectType {
  const names = Object.keys(schema.properties ?? {});
  return {
    kind: 'object',
    fields: fieldsOf(schema),
    pushes: names.includes('pushed') && names.includes('pushSkipReason'),
    exactlyOne: (schema.oneOf ?? []).flatMap(({ required = [] }) => required),
  };
}

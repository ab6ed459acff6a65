import { type TSchema, Type } from 'typebox';
import { CardVoid, FieldUpdate } from '../src/cards/card-changes.schema.ts';
import type { Endpoint } from '../src/kit/http/endpoints/endpoint.ts';
import { ImportedInstance, NewInstance } from '../src/lifecycle/issue.schema.ts';
import { Adjustment, Award } from '../src/loyalty/loyalty.schema.ts';
import type { Json } from './client.ts';

/** Items of a batch are checked one by one, so the schema of its body does not show them. */
const items: Readonly<Record<string, TSchema>> = {
  issueBatch: Type.Object({ instances: Type.Array(NewInstance) }),
  updateFieldsBatch: Type.Object({ updates: Type.Array(FieldUpdate) }),
  voidBatch: Type.Object({ voids: Type.Array(CardVoid) }),
  earnBatch: Type.Object({ awards: Type.Array(Award) }),
  adjustBatch: Type.Object({ adjustments: Type.Array(Adjustment) }),
  importInstances: Type.Object({ instances: Type.Array(ImportedInstance) }),
};

/** The schema of an operation's body, with that of a batch's items in it. */
export function bodySchemaOf({ op, body }: Pick<Endpoint<never>, 'op' | 'body'>): Schema | undefined {
  return (items[op] ?? body) as Schema | undefined;
}

/** What of a schema decides where texts may stand. */
export interface Schema {
  readonly type?: string;
  readonly contentMediaType?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly const?: unknown;
  readonly format?: string;
}

/** The places of a body that hold a text, each as a function that makes the value with the text in it. */
export interface Place {
  readonly path: string;
  readonly isMoment: boolean;
  readonly with: (text: string) => unknown;
}

export function placesOf(schema: Schema | undefined, path = ''): Place[] {
  if (schema === undefined) return [];
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => placesOf(one, path));
  const { properties = {}, patternProperties } = schema;
  const fixed = Object.entries(properties).filter(([, inner]) => inner.const !== undefined);
  const around = Object.fromEntries(fixed.map(([name, inner]) => [name, inner.const]));
  if (schema.type === 'array') {
    return placesOf(schema.items ?? { type: 'string' }, `${path}[]`).map((place) => ({
      ...place,
      with: (text) => [place.with(text)],
    }));
  }
  if (schema.type === 'object') {
    const named = Object.entries(properties).flatMap(([name, inner]) =>
      placesOf(inner, `${path}.${name}`).map((place) => ({
        ...place,
        with: (text: string) => ({ ...around, [name]: place.with(text) }),
      })),
    );
    const free =
      patternProperties === undefined
        ? []
        : [
            {
              path: `${path}{name}`,
              isMoment: false,
              with: (text: string) => JSON.parse(`{${JSON.stringify(text)}:"x"}`),
            },
            { path: `${path}{value}`, isMoment: false, with: (text: string) => ({ tier: text }) },
          ];
    return [...named, ...free];
  }
  const isText = schema.type === 'string' || schema.type === undefined;
  return isText ? [{ path, isMoment: schema.format === 'date-time', with: (text) => text }] : [];
}

/** Lays one value over another, property by property; an item of a list over the first one. */
export function over(base: Json, top: Json): Json {
  if (Array.isArray(base) && Array.isArray(top) && isPlain(base[0]) && isPlain(top[0]))
    return [over(base[0], top[0]), ...top.slice(1)];
  if (!isPlain(base) || !isPlain(top)) return top;
  const merged = { ...base };
  for (const [name, value] of Object.entries(top)) merged[name] = over(base[name], value);
  return merged;
}

export function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

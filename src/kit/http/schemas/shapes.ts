import { type TObject, type TSchema, Type } from 'typebox';
import { freelyNamed } from './documented.ts';
import { linePattern, prosePattern } from './text-patterns.ts';

/** One line of text without control characters, and not blank. */
export function line(maxLength: number, description?: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: linePattern,
    ...(description && { description }),
  });
}

/** Text of several lines. */
export function prose(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: prosePattern });
}

/** A value of the schema, or null. */
export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

/** One of the words. */
export function oneOf<const W extends readonly string[]>(words: W) {
  return Type.Unsafe<W[number]>({ type: 'string', enum: [...words] });
}

/** An object without unknown properties. */
export function closed<P extends Record<string, TSchema>>(
  properties: P,
  options: { $id?: string; description?: string } = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** The same object with every property optional, as PATCH takes it. */
export function partial<P extends Record<string, TSchema>>(properties: P) {
  return Type.Partial(closed(properties), { additionalProperties: false, minProperties: 1 });
}

export const localePattern = '^[A-Za-z]{2,3}([\\-_][A-Za-z0-9]{2,8}){0,3}$';

/** A language, with its script or country where that matters. */
export const LocaleTag = Type.String({
  maxLength: 35,
  pattern: localePattern,
  description: 'BCP 47, e.g. pt-BR',
});

/** A moment, ISO 8601 in UTC with Z. */
export const Timestamp = Type.String({ format: 'date-time', maxLength: 35, description: 'ISO 8601, UTC' });

/** A moment as clients may send it: with Z or an offset. The second 60 of a leap second is no moment to compute with. */
export const Moment = Type.String({
  format: 'date-time',
  maxLength: 35,
  pattern:
    '^(?:19|2[0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](?:\\.[0-9]+)?(?:Z|[+\\-](?:[01][0-9]|2[0-3]):[0-5][0-9])$',
  description: 'ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z',
});

/** Free JSON of the caller, at most 50 properties of scalars or text. */
export const Metadata = freelyNamed(
  Type.Record(
    Type.String({ pattern: '^[A-Za-z0-9_.\\-]{1,64}$' }),
    Type.Union([Type.String({ maxLength: 1_000 }), Type.Number(), Type.Boolean(), Type.Null()]),
    { maxProperties: 50, additionalProperties: false },
  ),
);

/** An id in a path or body. A malformed one is simply not found, so only its length is bounded here. */
export const Id = Type.String({ minLength: 1, maxLength: 255 });

/** The caller's own reference: the idempotency key of the effect. */
export const ExternalRef = line(255, 'Your reference of this effect: a repeat answers the original result.');

/** `?limit=&cursor=` of every list, besides its filters. */
export function listQuery<P extends Record<string, TSchema>>(filters: P = {} as P) {
  return closed({
    limit: Type.Optional(
      Type.String({ pattern: '^([1-9][0-9]?|100)$', description: '1 to 100, default 25' }),
    ),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4_000, description: 'nextCursor of the page before' }),
    ),
    ...filters,
  });
}

/** Filters of a list by when its items were made: from one moment on, and until before another. */
export const madeBetween = { createdAfter: Type.Optional(Moment), createdBefore: Type.Optional(Moment) };

/** One page of a list, newest first. */
export function listOf<S extends TObject>(item: S) {
  return closed({ data: Type.Array(item), nextCursor: nullable(Type.String()) });
}

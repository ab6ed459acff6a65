import { type TSchema, Type } from 'typebox';
import { freelyNamed } from '../kit/http/schemas/documented.ts';
import { closed, LocaleTag, line, localePattern, nullable, prose } from '../kit/http/schemas/shapes.ts';
import { labelPattern } from '../kit/http/schemas/text-patterns.ts';
import { actionKinds } from './pass-row.ts';

export const OwnLanguage = Type.String({
  ...LocaleTag,
  description: 'BCP 47: that of its texts; null: that of the workspace',
});

const textOf = {
  title: line(120),
  details: prose(5_000),
  terms: prose(5_000),
  label: Type.String({ maxLength: 120, pattern: labelPattern }),
  value: Type.String({ maxLength: 1_000 }),
  changeMessage: Type.String({ maxLength: 200 }),
  relevantText: line(200),
};

/** The texts of a design, and of its program, in another language. */
export const Translation = closed(
  {
    title: Type.Optional(textOf.title),
    details: Type.Optional(textOf.details),
    terms: Type.Optional(textOf.terms),
    fields: Type.Optional(
      freelyNamed(
        Type.Record(
          Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
          Type.Partial(
            closed({ label: textOf.label, value: textOf.value, changeMessage: textOf.changeMessage }),
            { additionalProperties: false },
          ),
          { maxProperties: 40, additionalProperties: false, description: 'by the key of the field' },
        ),
      ),
    ),
    locations: Type.Optional(
      Type.Array(nullable(textOf.relevantText), {
        maxItems: 10,
        description: 'the relevantText of each location, in their order',
      }),
    ),
    beacons: Type.Optional(
      Type.Array(nullable(textOf.relevantText), { maxItems: 10, description: 'the same of each beacon' }),
    ),
    actions: Type.Optional(
      Type.Partial(closed(Object.fromEntries(actionKinds.map((kind) => [kind, line(30)]))), {
        additionalProperties: false,
        description: 'titles by the kind of the action',
      }),
    ),
    program: Type.Optional(
      Type.Partial(
        closed({
          rewardTitle: line(120),
          pointName: closed({ one: line(40), other: line(40) }),
          tiers: freelyNamed(
            Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }), line(60), {
              maxProperties: 20,
              additionalProperties: false,
              description: 'titles by the key of the tier',
            }),
          ),
        }),
        { additionalProperties: false, description: 'what the cards say of its program' },
      ),
    ),
  },
  { $id: 'Translation' },
);

/** An object with a value for each of some languages. */
export function byLanguage<S extends TSchema>(value: S, description: string) {
  return freelyNamed(
    Type.Record(Type.String({ pattern: localePattern }), value, { additionalProperties: false, description }),
  );
}

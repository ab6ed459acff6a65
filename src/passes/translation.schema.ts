import { type TSchema, Type } from 'typebox';
import { freelyNamed } from '../kit/http/schemas/documented.ts';
import { closed, LocaleTag, localePattern, nullable } from '../kit/http/schemas/shapes.ts';
import { translatedImageUrls } from './images/image.schema.ts';
import { actionKinds } from './pass-row.ts';
import { cardText, mostPlaces } from './text.schema.ts';

export const OwnLanguage = Type.String({
  ...LocaleTag,
  description: 'BCP 47: that of its texts; null: that of the workspace',
});

/** The texts of a design, and of its program, in another language. */
export const Translation = closed(
  {
    title: Type.Optional(cardText.title),
    details: Type.Optional(cardText.details),
    terms: Type.Optional(cardText.terms),
    fields: Type.Optional(
      freelyNamed(
        Type.Record(
          Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
          Type.Partial(
            closed({
              label: cardText.label,
              value: cardText.value,
              changeMessage: cardText.changeMessage,
            }),
            { additionalProperties: false },
          ),
          { maxProperties: 40, additionalProperties: false, description: 'by the key of the field' },
        ),
      ),
    ),
    locations: Type.Optional(
      Type.Array(nullable(cardText.relevantText), {
        maxItems: mostPlaces,
        description: 'the relevantText of each location, in their order',
      }),
    ),
    beacons: Type.Optional(
      Type.Array(nullable(cardText.relevantText), { maxItems: 10, description: 'the same of each beacon' }),
    ),
    actions: Type.Optional(
      Type.Partial(closed(Object.fromEntries(actionKinds.map((kind) => [kind, cardText.actionTitle]))), {
        additionalProperties: false,
        description: 'titles by the kind of the action',
      }),
    ),
    images: Type.Optional(
      Type.Partial(closed(translatedImageUrls), {
        additionalProperties: false,
        description:
          'in the place of the images that the pass has in these slots, on cards of holders who read the language',
      }),
    ),
    modules: Type.Optional(
      Type.Array(
        nullable(
          Type.Partial(closed({ header: cardText.moduleHeader, body: cardText.moduleBody }), {
            additionalProperties: false,
          }),
        ),
        { maxItems: 10, description: 'header and body of each module, in their order' },
      ),
    ),
    program: Type.Optional(
      Type.Partial(
        closed({
          rewardTitle: cardText.rewardTitle,
          pointName: closed(cardText.pointName),
          tiers: freelyNamed(
            Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }), cardText.tierTitle, {
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

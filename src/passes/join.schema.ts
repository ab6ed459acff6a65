import { type Static, Type } from 'typebox';
import { closed, line, nullable, oneOf, prose } from '../kit/http/schemas/shapes.ts';
import { imageSlots } from './pass-row.ts';

const keyPattern = '^[a-z][a-z0-9_]{0,39}$';

const field = {
  key: Type.String({
    pattern: keyPattern,
    maxLength: 40,
    description: '`name`, `email`, `phone`, or the key of an editable field of the pass',
  }),
  required: Type.Boolean(),
  label: nullable(line(120)),
};

const columns = {
  enabled: Type.Boolean({ description: 'whether the page is open, while the pass is published' }),
  headline: nullable(line(120)),
  text: nullable(prose(1_000)),
  image: nullable({ ...oneOf(imageSlots), description: 'which image of the pass stands above the form' }),
  proof: {
    ...oneOf(['none', 'email']),
    description:
      '`email`: a person gets a card only after they have pressed a button in a mail; `none`: a person who names no address gets it at once. An address that is named is proven either way.',
  },
  limitPerDay: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'new cards on a day in the time zone of the workspace; null: no limit',
    }),
  ),
  domainAllow: Type.Array(
    Type.String({
      maxLength: 259,
      pattern: '^(?:\\*\\.)?[a-z0-9](?:[a-z0-9\\-]{0,62}\\.)*[a-z0-9\\-]{0,62}[a-z0-9](?::[0-9]{1,5})?$',
      description: 'a host that may show the page in a frame: `shop.example`, `*.shop.example`',
    }),
    { maxItems: 20 },
  ),
};

const consent = closed({
  key: Type.String({ pattern: keyPattern, maxLength: 40 }),
  text: prose(1_000),
  required: field.required,
});

/** How people enrol by themselves, as it is sent. What is left out has its default: it is set as a whole. */
export const NewJoinForm = closed(
  {
    enabled: columns.enabled,
    fields: Type.Optional(
      Type.Array(
        closed({
          key: field.key,
          required: Type.Optional(field.required),
          label: Type.Optional(field.label),
        }),
        { maxItems: 20 },
      ),
    ),
    headline: Type.Optional(columns.headline),
    text: Type.Optional(columns.text),
    image: Type.Optional(columns.image),
    consents: Type.Optional(Type.Array(consent, { maxItems: 10 })),
    proof: Type.Optional(columns.proof),
    limitPerDay: Type.Optional(columns.limitPerDay),
    domainAllow: Type.Optional(columns.domainAllow),
  },
  { $id: 'NewJoinForm' },
);

/** The same as it is shown. */
export const JoinForm = closed(
  {
    ...columns,
    fields: Type.Array(closed({ key: field.key, required: field.required, label: field.label })),
    consents: Type.Array(consent),
    url: Type.String({ description: 'the page itself' }),
  },
  { $id: 'JoinForm' },
);

export type NewJoinForm = Static<typeof NewJoinForm>;

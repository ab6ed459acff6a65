import { Type } from 'typebox';
import { freelyNamed } from '../kit/http/schemas/documented.ts';
import { closed, nullable } from '../kit/http/schemas/shapes.ts';

const Text = Type.String({ maxLength: 1_000 });
const Challenge = Type.String({ maxLength: 200, description: 'as the form has it' });
const Work = Type.String({
  maxLength: 40,
  description:
    'a text with which SHA-256 of `challenge:work` begins with as many zero bits as the form says. Without it fewer enrolments are taken from an address.',
});

/** The form of the page, as browsers send it. */
export const JoinFormData = freelyNamed(
  Type.Record(Type.String(), Text, {
    maxProperties: 60,
    description:
      '`name`, `email`, `phone`, `field_` with the key of a field, `consent_` with the key of a consent, `challenge` and `work`',
  }),
);

/** The same of an app. */
export const AppEnrolment = closed(
  {
    values: Type.Optional(freelyNamed(Type.Record(Type.String(), Text, { maxProperties: 20 }))),
    consents: Type.Optional(freelyNamed(Type.Record(Type.String(), Type.Boolean(), { maxProperties: 10 }))),
    challenge: Type.Optional(Challenge),
    work: Type.Optional(Work),
  },
  { $id: 'Enrolment' },
);

export const EnrolmentAnswer = closed(
  {
    link: nullable(Type.String({ description: "the card's page; null where a mail is on its way to it" })),
    mailed: Type.Boolean({ description: 'an address was named: its owner presses a button in a mail' }),
  },
  { $id: 'EnrolmentAnswer' },
);

const Entry = closed({ key: Type.String(), label: Type.String(), required: Type.Boolean() });

/** What the page asks for. */
export const OpenJoinForm = closed(
  {
    shop: Type.String(),
    title: Type.String(),
    language: Type.String({ description: 'BCP 47, of the texts that the shop has not written itself' }),
    headline: Type.String(),
    text: Type.String(),
    fields: Type.Array(Entry),
    consents: Type.Array(closed({ key: Type.String(), text: Type.String(), required: Type.Boolean() })),
    challenge: Challenge,
    bits: Type.Integer({ description: 'how many' }),
  },
  { $id: 'OpenJoinForm' },
);

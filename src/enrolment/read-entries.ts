import type { GivenConsent } from '../cards/consents.sql.ts';
import { fittingName } from '../cards/keep-holder.ts';
import { refusal } from '../errors.ts';
import type { ApiError } from '../kit/http/api-error.ts';
import { normalEmail } from '../kit/mail/address.ts';
import { phoneNumber } from '../kit/text/phone.ts';
import { misfitOf } from '../passes/field-formats.ts';
import { isPersonKey } from '../passes/join-form.ts';
import type { JoinField } from '../passes/pass-row.ts';
import { countryOf } from '../workspaces/phone-country.ts';
import type { OpenForm } from './open-form.ts';

/** What a person has entered, by key. None of it was checked. */
export interface Entries {
  readonly values: Readonly<Record<string, string>>;
  readonly consents: Readonly<Record<string, boolean>>;
}

/** The same as a card takes it. */
export interface Entered {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly fields: Readonly<Record<string, string>>;
  readonly consents: readonly GivenConsent[];
}

const mostText = 1_000;

/** What the form of a pass takes of what was entered. Raises `invalid_join`. */
export function readEntries({ form, pass, workspace }: OpenForm, { values, consents }: Entries): Entered {
  const known = new Set(form.fields.map(({ key }) => key));
  for (const key of Object.keys(values)) if (!known.has(key)) throw refused(key, 'unknown');
  const asked = new Set(form.consents.map(({ key }) => key));
  for (const key of Object.keys(consents)) if (!asked.has(key)) throw refused(key, 'unknown');
  const country = countryOf(workspace);
  const read = new Map(
    form.fields.map((field) => {
      const value = entryOf(field, values[field.key] ?? '', country);
      const shown = pass.fields.find(({ key }) => key === field.key);
      if (shown !== undefined && misfitOf(shown, value) !== null) throw refused(field.key, 'malformed');
      return [field.key, value];
    }),
  );
  const of = (key: string) => read.get(key) ?? null;
  return {
    name: of('name'),
    email: of('email'),
    phone: of('phone'),
    fields: Object.fromEntries(
      [...read].flatMap(([key, value]) => (value === null || isPersonKey(key) ? [] : [[key, value]])),
    ),
    consents: form.consents.map(({ key, text, required }) => {
      const agreed = consents[key] === true;
      if (required && !agreed) throw refused(key, 'consent');
      return { key, text, agreed };
    }),
  };
}

/** A value that is blank was not entered. */
function entryOf({ key, required }: JoinField, sent: string, country: string | null): string | null {
  if (sent.trim() === '') {
    if (required) throw refused(key, 'required');
    return null;
  }
  const value = fitting(key, sent, country);
  if (value === null) throw refused(key, 'malformed');
  return value;
}

function fitting(key: string, sent: string, country: string | null): string | null {
  if (key === 'email') return normalEmail(sent);
  if (key === 'phone') return phoneNumber(sent, country);
  const text = key === 'name' ? fittingName(sent) : sent.toWellFormed().replaceAll(controls, ' ').trim();
  return text === null || text === '' || text.length > mostText ? null : text;
}

const controls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** What is wrong with an enrolment. It never says whether the person has a card. */
export type JoinProblem = 'unknown' | 'required' | 'malformed' | 'consent' | 'link';

const advice: Readonly<Record<JoinProblem, string>> = {
  unknown: 'the form does not ask for it. Leave it out',
  required: 'is needed. Fill it in',
  malformed: 'is not what it should be. Check it',
  consent: 'has to be agreed to',
  link: 'works once, for 24 hours. Fill in the form again',
};

const noNumber = 'is no telephone number. Write it with its country, such as +491711234567';

export function refused(field: string, reason: JoinProblem): ApiError {
  const problem = field === 'phone' && reason === 'malformed' ? noNumber : advice[reason];
  return refusal('invalid_join', `${field.slice(0, 40)}: ${problem}.`, {
    key: field.slice(0, 40),
    reason,
  });
}

import type { Static } from 'typebox';
import { invalidField } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import type { JoinForm as JoinFormSchema, NewJoinForm } from './join.schema.ts';
import type { JoinForm, PassField, PassRow } from './pass-row.ts';

/** What a page can ask for of the person. Everything else is a field of the pass. */
export const personKeys = ['name', 'email', 'phone'] as const;
export type PersonKey = (typeof personKeys)[number];

export function isPersonKey(key: string): key is PersonKey {
  return (personKeys as readonly string[]).includes(key);
}

/** What is left out has its default. */
export function completeJoinForm(sent: NewJoinForm): JoinForm {
  const { enabled, fields = [], headline = null, text = null, image = null, consents = [] } = sent;
  const { proof = 'none', limitPerDay = null, domainAllow = [] } = sent;
  return {
    enabled,
    fields: fields.map(({ key, required = false, label = null }) => ({ key, required, label })),
    headline,
    text,
    image,
    consents,
    proof,
    limitPerDay,
    domainAllow,
  };
}

/** Raises `invalid_request` for a form that asks for what the pass does not have, or that cannot be filled in. */
export function checkJoinForm({ fields, consents, proof }: JoinForm, ofPass: readonly PassField[]): void {
  refuseTwice('fields', fields);
  refuseTwice('consents', consents);
  for (const [at, { key }] of fields.entries()) {
    if (isPersonKey(key)) continue;
    const field = ofPass.find((one) => one.key === key);
    if (field === undefined)
      throw invalidField(
        `join.fields[${at}].key`,
        'reference',
        `the pass has no field "${key}". Use name, email, phone or the key of a field.`,
      );
    if (!field.editable)
      throw invalidField(
        `join.fields[${at}].key`,
        'other',
        `"${key}" has one value for all holders. Ask for an editable field.`,
      );
  }
  const email = fields.find(({ key }) => key === 'email');
  if (proof === 'email' && email?.required !== true)
    throw invalidField('join.proof', 'other', '"email" needs a required field "email" in join.fields.');
}

function refuseTwice(of: 'fields' | 'consents', items: readonly { readonly key: string }[]): void {
  const keys = items.map(({ key }) => key);
  const at = keys.findIndex((key, index) => keys.indexOf(key) !== index);
  if (at !== -1)
    throw invalidField(
      `join.${of}[${at}].key`,
      'unique',
      `"${keys[at]}" is used twice. Keys must be unique.`,
    );
}

/** The form as the API shows it. */
export function presentJoinForm(
  publicUrl: string,
  passId: PassRow['passId'],
  form: JoinForm,
): Static<typeof JoinFormSchema> {
  return {
    ...form,
    fields: form.fields.map((field) => ({ ...field })),
    consents: form.consents.map((consent) => ({ ...consent })),
    domainAllow: [...form.domainAllow],
    url: joinUrl(publicUrl, passId),
  };
}

/** The page of a pass on which people enrol by themselves. */
export function joinUrl(publicUrl: string, passId: string): string {
  return `${publicUrl}/join/${encodeId('pass', passId)}`;
}

import type { NewJoinForm, Pass } from '../../../../sdk/typescript/src/types.ts';

type JoinForm = NonNullable<Pass['join']>;
export type AskedField = JoinForm['fields'][number];

/** A consent with an identity of its own while its text is typed. */
export type DraftConsent = JoinForm['consents'][number] & { readonly id: number };

/** How people enrol, while a member changes it. */
export interface JoinDraft extends Omit<JoinForm, 'url' | 'consents' | 'limitPerDay' | 'domainAllow'> {
  readonly consents: readonly DraftConsent[];
  readonly limitPerDay: string;
  /** A host a line. */
  readonly domains: string;
}

export type SetJoin = (changes: Partial<JoinDraft>) => void;

const nothingYet: Omit<JoinForm, 'url'> = {
  enabled: true,
  fields: [
    { key: 'name', required: false, label: null },
    { key: 'email', required: false, label: null },
  ],
  headline: null,
  text: null,
  image: null,
  consents: [],
  proof: 'none',
  limitPerDay: null,
  domainAllow: [],
};

/** That of a pass; where it has none yet, one to begin with. */
export function draftOf(join: Pass['join']): JoinDraft {
  const { consents, limitPerDay, domainAllow, ...same } = join ?? nothingYet;
  const { enabled, fields, headline, text, image, proof } = same;
  return {
    ...{ enabled, fields, headline, text, image, proof },
    consents: consents.map((consent, id) => ({ ...consent, id })),
    limitPerDay: limitPerDay === null ? '' : String(limitPerDay),
    domains: domainAllow.join('\n'),
  };
}

/** What the API takes of it. */
export function joinOf({ consents, limitPerDay, domains, ...same }: JoinDraft): NewJoinForm {
  return {
    ...same,
    fields: [...same.fields],
    consents: consents.map(({ id: _, ...consent }) => consent),
    limitPerDay: limitPerDay === '' ? null : Number(limitPerDay),
    domainAllow: domains
      .split(/\s+/)
      .map((host) => host.toLowerCase())
      .filter((host) => host !== ''),
  };
}

/** One more consent; its key is what the card keeps the answer under, and is never used for another one. */
export function newConsent(consents: readonly DraftConsent[]): DraftConsent {
  const id = Math.max(-1, ...consents.map((one) => one.id)) + 1;
  const taken = new Set(consents.map(({ key }) => key));
  const number = Array.from({ length: 11 }, (_, at) => at + 1).find((at) => !taken.has(`consent_${at}`)) ?? 1;
  return { id, key: `consent_${number}`, text: '', required: false };
}

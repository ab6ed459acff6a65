import { useState } from 'preact/hooks';
import type { NewStore, Store, StoreChanges } from '../../../sdk/typescript/src/types.ts';
import { SelectField, TextField } from '../../shared/field.tsx';
import type { Filled } from '../../shared/form.tsx';
import { connect } from '../../texts/connect.ts';

export type Platform = Store['platform'];
export const platforms = ['shopify', 'woocommerce', 'custom'] as const satisfies readonly Platform[];

/** What was typed before, by the names of fields. */
export type Typed = Readonly<Record<string, string>>;

/** What a store is read with. */
export function AccessFields({
  platform,
  typed = {},
  required,
}: {
  readonly platform: Platform;
  readonly typed?: Typed;
  readonly required: boolean;
}) {
  const t = connect();
  if (platform === 'custom') return null;
  const field = (name: string, label: string, hint: string) => (
    <TextField
      key={name}
      name={`credentials.${name}`}
      label={label}
      hint={hint}
      value={typed[`credentials.${name}`] ?? ''}
      required={required}
      maxLength={255}
      autocomplete="off"
    />
  );
  if (platform === 'shopify') return field('accessToken', t.accessToken, t.accessTokenHint);
  return (
    <>
      {field('consumerKey', t.consumerKey, t.consumerKeyHint)}
      {field('consumerSecret', t.consumerSecret, t.consumerSecretHint)}
    </>
  );
}

/** The credentials that were filled in; undefined where none were. */
export function filledAccess(platform: Platform, filled: Filled): StoreChanges['credentials'] {
  const accessToken = filled.text('credentials.accessToken');
  const consumerKey = filled.text('credentials.consumerKey');
  const consumerSecret = filled.text('credentials.consumerSecret');
  if (platform === 'shopify') return accessToken === '' ? undefined : { accessToken };
  return consumerKey === '' && consumerSecret === '' ? undefined : { consumerKey, consumerSecret };
}

/** Who may be invited, where the platform does not say. */
export function ConsentFields({
  platform,
  of = null,
}: {
  readonly platform: Platform;
  readonly of?: Store['consent'];
}) {
  const t = connect();
  const begun = of === null ? 'none' : 'metaKey' in of ? 'meta' : 'attested';
  const [way, setWay] = useState<string>(begun);
  // A shop that cannot be read has no customers to invite.
  if (platform !== 'woocommerce') return null;
  return (
    <>
      <SelectField
        name="consent"
        label={t.consent}
        hint={t.consentHint}
        options={t.consents}
        value={begun}
        onChange={setWay}
      />
      {way === 'meta' && (
        <>
          <TextField
            name="consent.metaKey"
            label={t.metaKey}
            hint={t.metaKeyHint}
            value={of !== null && 'metaKey' in of ? of.metaKey : ''}
            required
            maxLength={255}
          />
          <TextField
            name="consent.metaValue"
            label={t.metaValue}
            value={of !== null && 'metaKey' in of ? of.metaValue : ''}
            required
            maxLength={255}
          />
        </>
      )}
      {way === 'attested' && (
        <TextField
          name="consent.attestedBy"
          label={t.attestedBy}
          hint={t.attestedByHint}
          value={of !== null && 'attestedBy' in of ? of.attestedBy : ''}
          required
          maxLength={200}
        />
      )}
    </>
  );
}

export function filledConsent(filled: Filled): NonNullable<StoreChanges['consent']> | null {
  switch (filled.text('consent')) {
    case 'meta':
      return { metaKey: filled.text('consent.metaKey'), metaValue: filled.text('consent.metaValue') };
    case 'attested':
      return { attestedBy: filled.text('consent.attestedBy') };
    default:
      return null;
  }
}

/** A new store as it was filled in. */
export function filledStore(platform: Platform, filled: Filled): NewStore {
  const credentials = filledAccess(platform, filled);
  const consent = filledConsent(filled);
  return {
    platform,
    domain: hostIn(filled.text('domain')),
    ...(credentials !== undefined && { credentials }),
    webhookSecret: filled.text('webhookSecret'),
    passId: filled.optional('passId'),
    ...(consent !== null && { consent }),
    followsEdits: filled.isChecked('followsEdits'),
  } as NewStore;
}

/** The host of what the user has copied out of their browser. */
function hostIn(text: string): string {
  const [, shop] = /admin\.shopify\.com\/store\/([\w-]+)/.exec(text) ?? [];
  return shop === undefined
    ? text.replace(/^https?:\/\//i, '').replace(/[/?#].*$/, '')
    : `${shop}.myshopify.com`;
}

/** A secret that cannot be guessed. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

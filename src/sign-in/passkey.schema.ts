import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { Type } from 'typebox';
import { named } from '../kit/http/schemas/documented.ts';
import { closed, Id, line, nullable, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import type { PasskeyRow } from '../people/passkeys.sql.ts';

const base64url = (maxLength: number, description?: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[A-Za-z0-9_\\-]+$',
    ...(description !== undefined && { description }),
  });

const CredentialId = base64url(1_400, '`id` of what the browser has made');

/** What a browser hands to `navigator.credentials.create()`: WebAuthn Level 3, 5.10. */
export const PasskeyOptions = Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>({
  type: 'object',
  description: 'for `PublicKeyCredential.parseCreationOptionsFromJSON`, within five minutes',
});

/** The same for `navigator.credentials.get()`. */
export const SignInOptions = Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>({
  type: 'object',
  description: 'for `PublicKeyCredential.parseRequestOptionsFromJSON`, within five minutes',
});

const PasskeyName = line(120, 'what you call it');

export const NewPasskey = named(
  'NewPasskey',
  closed({
    name: Type.Optional(PasskeyName),
    id: CredentialId,
    clientDataJSON: base64url(8_000, 'of its `response`, as `toJSON()` shows it'),
    attestationObject: base64url(16_000, 'likewise'),
  }),
);

export const PasskeyChanges = named('PasskeyChanges', closed({ name: PasskeyName }));

/** What a passkey has signed. */
export const PasskeyAssertion = closed({
  id: CredentialId,
  clientDataJSON: base64url(8_000, 'of its `response`, as `toJSON()` shows it'),
  authenticatorData: base64url(8_000, 'likewise'),
  signature: base64url(8_000, 'likewise'),
  userHandle: base64url(100, 'likewise'),
});

const passkeyFields = {
  passkeyId: Id,
  name: Type.String(),
  createdAt: Timestamp,
  lastUsedAt: nullable(Timestamp),
};

export const Passkey = closed(passkeyFields, { $id: 'Passkey' });

/** A passkey as its person sees it. */
export function presentPasskey(row: Pick<PasskeyRow, 'passkeyId' | 'name' | 'createdAt' | 'lastUsedAt'>) {
  return {
    passkeyId: encodeId('passkey', row.passkeyId),
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}

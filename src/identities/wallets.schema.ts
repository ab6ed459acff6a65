import { Type } from 'typebox';
import { named } from '../kit/http/documented.ts';
import { closed, prose, Timestamp } from '../kit/http/shapes.ts';
import type { AppleIdentityRow } from './apple-identities.sql.ts';

const base64 = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9+\\/=\\r\\n]+$', description });

const Own = Type.Boolean({
  description: "whether it is the workspace's own, and not that of the installation",
});

/** What a workspace is known by to the wallets. */
export const Wallets = named(
  'Wallets',
  closed({
    apple: closed(
      {
        own: Own,
        passTypeIdentifier: Type.String(),
        teamIdentifier: Type.String(),
        expiresAt: Timestamp,
        earlier: Type.Array(closed({ passTypeIdentifier: Type.String(), expiresAt: Timestamp }), {
          description: 'certificates that the workspace had, and that cards in wallets are still signed with',
        }),
      },
      { description: 'the certificate that signs new passes, and pushes their changes' },
    ),
  }),
);

/** A certificate with the key of a signing request, or a file with both. */
export const NewAppleIdentity = named(
  'NewAppleIdentity',
  closed({
    certificate: Type.Optional(prose(40_000)),
    intermediate: Type.Optional(prose(40_000)),
    p12: Type.Optional(base64(90_000, 'a PKCS#12 file with certificate and key, in base64')),
    passphrase: Type.Optional(Type.String({ maxLength: 255, description: 'of the PKCS#12 file' })),
  }),
);

export const SigningRequest = named(
  'SigningRequest',
  closed({ csr: Type.String({ description: 'a certificate signing request (PKCS#10) in PEM' }) }),
);

/** The certificate of the installation. */
interface Installation {
  readonly passTypeIdentifier: string;
  readonly teamIdentifier: string;
  readonly certificate: { readonly validToDate: Date };
}

/** What a workspace is known by, as the API shows it: never a key. */
export function presentWallets(
  installation: Installation,
  ownPassType: string | null,
  identities: readonly AppleIdentityRow[],
) {
  const own = identities.find(({ passTypeIdentifier }) => passTypeIdentifier === ownPassType);
  const earlier = identities.filter((row) => row !== own);
  return {
    apple: {
      own: own !== undefined,
      passTypeIdentifier: own?.passTypeIdentifier ?? installation.passTypeIdentifier,
      teamIdentifier: own?.teamIdentifier ?? installation.teamIdentifier,
      expiresAt: (own?.expiresAt ?? installation.certificate.validToDate).toISOString(),
      earlier: earlier.map(({ passTypeIdentifier, expiresAt }) => ({
        passTypeIdentifier,
        expiresAt: expiresAt.toISOString(),
      })),
    },
  };
}

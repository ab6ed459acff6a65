import { Type } from 'typebox';
import { documentedWith, named } from '../kit/http/schemas/documented.ts';
import { closed, nullable, prose, Timestamp } from '../kit/http/schemas/shapes.ts';
import type { WorkspaceRow } from '../workspaces/workspaces.sql.ts';
import type { AppleIdentityRow } from './apple-identities.sql.ts';
import type { GoogleIdentityRow } from './google-identities.sql.ts';

const base64 = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9+\\/=\\x0d\\x0a]+$', description });

const IssuerId = Type.String({
  pattern: '^[0-9]{1,30}$',
  maxLength: 30,
  description: 'as Google writes it',
});

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
        nfc: Type.Boolean({ description: 'whether readers may take the passes that it signs by NFC' }),
        earlier: Type.Array(closed({ passTypeIdentifier: Type.String(), expiresAt: Timestamp }), {
          description: 'certificates that the workspace had, and that cards in wallets are still signed with',
        }),
      },
      { description: 'the certificate that signs new passes, and pushes their changes' },
    ),
    google: nullable(
      closed(
        {
          own: Own,
          issuerId: Type.String(),
          serviceAccount: nullable(Type.String({ description: "the address of the workspace's own" })),
          earlier: Type.Array(closed({ issuerId: Type.String() }), {
            description: 'issuers that the workspace had, and that cards of it are still of',
          }),
        },
        {
          description:
            'whose new cards at Google Wallet are; null: neither the workspace nor the operator has an account there',
        },
      ),
    ),
    nfc: nullable(
      closed(
        {
          publicKey: Type.String({ description: 'P-256, as SubjectPublicKeyInfo in base64' }),
          keptHere: Type.Boolean({
            description:
              'whether `POST /workspace/wallets/nfc/key` shows its private key, or the maker of the readers has that',
          }),
          redemptionIssuers: Type.Array(Type.String()),
        },
        { description: 'the readers that take cards by NFC; null: none does' },
      ),
    ),
  }),
);

/** Who may take cards by NFC. */
export const NfcReaders = named(
  'NfcReaders',
  closed({
    publicKey: Type.Optional(
      nullable(
        documentedWith(prose(2_000), {
          description:
            'a P-256 key from the maker of the readers, as PEM or in base64; null: a new one is made here. Absent: the key stays, and the first is made here',
        }),
      ),
    ),
    redemptionIssuers: Type.Optional(
      Type.Array(IssuerId, {
        maxItems: 20,
        uniqueItems: true,
        description:
          'the issuers at Google whose readers may ask for cards: each has its key there. Absent: they stay',
      }),
    ),
  }),
);

export const NfcKey = named(
  'NfcKey',
  closed({
    publicKey: Type.String({ description: 'in PEM' }),
    privateKey: Type.String({ description: 'PKCS#8 in PEM' }),
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

/** An account with Google Wallet. */
export const NewGoogleIdentity = named(
  'NewGoogleIdentity',
  closed({
    serviceAccount: prose(20_000),
    issuerId: IssuerId,
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

interface Known {
  readonly installation: Installation;
  readonly installationIssuerId: string | null;
  /** What signs new passes; undefined: the installation's. */
  readonly own: AppleIdentityRow | undefined;
  /** Whether the certificate that signs them is one for NFC. */
  readonly isForNfc: boolean;
  readonly ownIssuerId: string | null;
  readonly certificates: readonly AppleIdentityRow[];
  readonly accounts: readonly GoogleIdentityRow[];
  readonly readers: Pick<WorkspaceRow, 'nfcPublicKey' | 'nfcPrivateKey' | 'nfcRedemptionIssuers'>;
}

/** What a workspace is known by, as the API shows it: never a key. */
export function presentWallets(known: Known) {
  return { apple: presentApple(known), google: presentGoogle(known), nfc: presentReaders(known) };
}

function presentReaders({ readers: { nfcPublicKey, nfcPrivateKey, nfcRedemptionIssuers } }: Known) {
  if (nfcPublicKey === null) return null;
  return {
    publicKey: nfcPublicKey,
    keptHere: nfcPrivateKey !== null,
    redemptionIssuers: [...nfcRedemptionIssuers],
  };
}

function presentApple({ installation, own, isForNfc, certificates }: Known) {
  const earlier = certificates.filter((row) => row !== own);
  return {
    own: own !== undefined,
    passTypeIdentifier: own?.passTypeIdentifier ?? installation.passTypeIdentifier,
    teamIdentifier: own?.teamIdentifier ?? installation.teamIdentifier,
    nfc: isForNfc,
    expiresAt: (own?.expiresAt ?? installation.certificate.validToDate).toISOString(),
    earlier: earlier.map(({ passTypeIdentifier, expiresAt }) => ({
      passTypeIdentifier,
      expiresAt: expiresAt.toISOString(),
    })),
  };
}

function presentGoogle({ installationIssuerId, ownIssuerId, accounts }: Known) {
  const own = accounts.find(({ issuerId }) => issuerId === ownIssuerId);
  const issuerId = own?.issuerId ?? installationIssuerId;
  if (issuerId === null) return null;
  return {
    own: own !== undefined,
    issuerId,
    serviceAccount: own?.clientEmail ?? null,
    earlier: accounts.filter((row) => row !== own).map((row) => ({ issuerId: row.issuerId })),
  };
}

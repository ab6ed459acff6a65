import {
  removeNfcReaders as removeNfcReadersVerb,
  setNfcReaders as setNfcReadersVerb,
  showNfcKey as showNfcKeyVerb,
} from '../administration/nfc-readers.ts';
import { Obstacles } from '../administration/obstacles.schema.ts';
import { readObstacles } from '../administration/read-obstacles.ts';
import type { KeyCtx } from '../context.ts';
import { answer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import {
  removeAppleIdentity as removeAppleVerb,
  setAppleIdentity as setAppleVerb,
} from '../wallet-credentials/apple-identity.ts';
import { checkAppleIdentity } from '../wallet-credentials/check-apple-identity.ts';
import {
  createSigningRequest as createSigningRequestVerb,
  makeSigningKey,
} from '../wallet-credentials/create-signing-request.ts';
import {
  removeGoogleIdentity as removeGoogleVerb,
  setGoogleIdentity as setGoogleVerb,
} from '../wallet-credentials/google-identity.ts';
import { readWallets } from '../wallet-credentials/read-wallets.ts';
import {
  NewAppleIdentity,
  NewGoogleIdentity,
  NfcKey,
  NfcReaders,
  SigningRequest,
  Wallets,
} from '../wallet-credentials/wallets.schema.ts';

const tag = 'Wallets';

export const getWallets = endpoint({
  op: 'getWallets',
  call: 'wallets.get',
  tag,
  summary: 'By what the wallets know you',
  description:
    'The certificate that signs your passes and the account that makes your cards at Google: your own, or those of the installation. Never a key.',
  answers: { 200: Wallets },
  handle: async (ctx: KeyCtx) => answer(200, await readWallets(ctx.app.database.db, ctx)),
});

export const getObstacles = endpoint({
  op: 'getObstacles',
  call: 'wallets.obstacles',
  tag,
  summary: 'What is missing before customers come',
  description:
    'What keeps phones from taking cards, and mail from leaving: of the workspace and of the installation. Null where nothing is missing.',
  answers: { 200: Obstacles },
  handle: async (ctx: KeyCtx) => answer(200, await readObstacles(ctx)),
});

export const createSigningRequest = writeEndpoint({
  op: 'createSigningRequest',
  call: 'wallets.createSigningRequest',
  tag,
  summary: 'Ask for a certificate of your own',
  description:
    'Give the `csr` to Apple (Certificates, Identifiers & Profiles, "Pass Type ID Certificate"), and what Apple gives you to `PUT /workspace/wallets/apple`. Its key is kept here, sealed; of several requests the newest five can be used.',
  answers: { 201: SigningRequest },
  prepare: (ctx) => makeSigningKey(ctx),
  handle: async (tx, ctx, _input, key) => answer(201, await createSigningRequestVerb(tx, ctx, key)),
});

export const setAppleIdentity = writeEndpoint({
  op: 'setAppleIdentity',
  call: 'wallets.setApple',
  tag,
  summary: 'Sign Apple passes with a certificate of your own',
  description:
    'Either `certificate`, as Apple issued it for a signing request (PEM, or the .cer file in base64), with `intermediate` where it is not known here; or `p12` and its `passphrase`. Checked at once: pass type, team, chain, end and key. Within a second new passes are signed with it. One for the same pass type renews that of all cards; cards in wallets under another pass type keep the certificate that signed them, as long as a device holds one.',
  body: NewAppleIdentity,
  bodyLimit: 262_144,
  example: { certificate: '-----BEGIN CERTIFICATE-----\n…' },
  answers: { 200: Wallets },
  prepare: (ctx, { body }) => checkAppleIdentity(ctx, body),
  committed: (ctx) => ctx.app.appleIssuers.clear(),
  handle: async (tx, ctx, _input, identity) => answer(200, await setAppleVerb(tx, ctx, identity)),
});

export const removeAppleIdentity = writeEndpoint({
  op: 'removeAppleIdentity',
  call: 'wallets.removeApple',
  tag,
  summary: 'Have the installation sign Apple passes again',
  description:
    'New passes are signed with its certificate. Yours stays, sealed, as long as a device holds a card that it signed, so that these go on being updated; then it is forgotten.',
  answers: { 200: Wallets },
  committed: (ctx) => ctx.app.appleIssuers.clear(),
  handle: async (tx, ctx) => answer(200, await removeAppleVerb(tx, ctx)),
});

export const setNfcReaders = writeEndpoint({
  op: 'setNfcReaders',
  call: 'wallets.setNfc',
  tag,
  summary: 'Let readers take cards by NFC',
  description:
    'Those of passes with `walletOptions.nfc`. iPhones encrypt for `publicKey`, and need passes that are signed with a certificate for NFC (`apple.nfc` of `GET /workspace/wallets`); Android phones hand cards to the readers of `redemptionIssuers`. Their cards are renewed. docs/guides/nfc.md says what a reader gets.',
  body: NfcReaders,
  example: { redemptionIssuers: ['3388000000012345678'] },
  answers: { 200: Wallets },
  handle: async (tx, ctx, { body }) => answer(200, await setNfcReadersVerb(tx, ctx, body)),
});

export const showNfcKey = writeEndpoint({
  op: 'showNfcKey',
  call: 'wallets.showNfcKey',
  tag,
  summary: 'Show the key of your NFC readers',
  description:
    'The one that was made here, for the maker of the readers: with the private key they decrypt what iPhones send, and prove to Android phones who they are. The audit log says who has seen it.',
  sealed: true,
  answers: { 200: NfcKey },
  handle: async (tx, ctx) => answer(200, await showNfcKeyVerb(tx, ctx)),
});

export const removeNfcReaders = writeEndpoint({
  op: 'removeNfcReaders',
  call: 'wallets.removeNfc',
  tag,
  summary: 'Have no readers take cards by NFC',
  description: 'The key is forgotten. Cards are renewed; until then readers that have it can go on.',
  answers: { 200: Wallets },
  handle: async (tx, ctx) => answer(200, await removeNfcReadersVerb(tx, ctx)),
});

export const setGoogleIdentity = writeEndpoint({
  op: 'setGoogleIdentity',
  call: 'wallets.setGoogle',
  tag,
  summary: 'Make cards at Google by an account of your own',
  description:
    '`serviceAccount` is the key file that the Google Cloud console made, as text; the account must be a user of the issuer in the Pay & Wallet Console. It is kept sealed. Within a second new cards are made there. Another account of the same issuer takes the place of the earlier one; cards that holders keep stay those of the issuer that made them.',
  body: NewGoogleIdentity,
  example: { serviceAccount: '{"type":"service_account", …}', issuerId: '3388000000012345678' },
  answers: { 200: Wallets },
  committed: (ctx) => ctx.app.googleIssuers.clear(),
  handle: async (tx, ctx, { body }) => answer(200, await setGoogleVerb(tx, ctx, body)),
});

export const removeGoogleIdentity = writeEndpoint({
  op: 'removeGoogleIdentity',
  call: 'wallets.removeGoogle',
  tag,
  summary: 'Have the installation make cards at Google again',
  description:
    'Yours stays, sealed, as long as there are cards that it has made, so that these go on being updated.',
  answers: { 200: Wallets },
  committed: (ctx) => ctx.app.googleIssuers.clear(),
  handle: async (tx, ctx) => answer(200, await removeGoogleVerb(tx, ctx)),
});

import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Static } from 'typebox';
import { refuseOldSignIn } from '../access/judge-person.ts';
import type { App, PublicCtx, SessionCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidRequest } from '../kit/http/api-error.ts';
import type { Input } from '../kit/http/endpoints/endpoint.ts';
import { decodeId, encodeId, firstId, newUuidV7, uuidBytes } from '../kit/ids.ts';
import {
  deletePasskeyRow,
  findPasskeyByCredential,
  insertPasskey,
  listPasskeysOf,
  type PasskeyRow,
  renamePasskey,
  usePasskey,
} from '../people/passkeys.sql.ts';
import { listMembershipsOf } from '../people/people.sql.ts';
import { lockAccount } from '../people/ways-in.sql.ts';
import { auditPerson } from './audit-person.ts';
import { type Begun, beginSession } from './begin-session.ts';
import { newChallenge, readChallenge, takeChallenge } from './challenges.ts';
import { postChange } from './letters.ts';
import { limitGuesses, tryLimits } from './limit-guesses.ts';
import type { NewPasskey, PasskeyAssertion } from './passkey.schema.ts';
import { ownMembership } from './person.schema.ts';
import { refuseTill } from './refuse-till.ts';
import { groundLine, groundToAdd, refuseToAdd, waysOf } from './ways-in.ts';

/** Loaded when it is needed first: with its certificates and formats it takes 26 MB. */
const webauthn = () => import('@simplewebauthn/server');

/** ES256, EdDSA and RS256 (RFC 9053): what authenticators have. */
const supportedAlgorithmIDs = [-7, -8, -257];

/** How long a browser may take to answer: people look for a key, or for their telephone. */
const challengeMs = 300_000;

const mostPasskeys = 20;

/** The host and the origin of passkeys: those of PUBLIC_URL, whatever host a request names. */
function party({ config }: Pick<App, 'config'>) {
  const { hostname, origin } = new URL(config.publicUrl);
  return { rpID: hostname, origin };
}

/** A challenge that only the session can answer that has asked for it. */
const purposeOf = ({ sessionId }: SessionCtx['session']) => `passkey of ${sessionId}`;
const toSignIn = 'passkey to sign in';

/** Raises unless credentials may be taken away: in a browser of the person's own, a short while after signing in. */
function refuseToChange({ app, session }: SessionCtx): void {
  refuseTill(session);
  refuseOldSignIn(app, session);
}

/** What a browser is asked for a new passkey. Raises what `groundToAdd` does. */
export async function passkeyOptions(ctx: SessionCtx) {
  await refuseToAdd(ctx);
  const { app, session } = ctx;
  const name = ownMembership(session)?.name ?? 'Owner';
  const known = await listPasskeysOf(app.database.db, session.personId);
  return await (await webauthn()).generateRegistrationOptions({
    rpName: 'Punchcard',
    rpID: party(app).rpID,
    userID: Uint8Array.from(uuidBytes(session.personId)),
    userName: session.email ?? name,
    userDisplayName: name,
    challenge: Uint8Array.from(Buffer.from(newChallenge(app, purposeOf(session), challengeMs))),
    timeout: challengeMs,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/**
 * Adds a passkey that the browser has made for what `passkeyOptions` asked. Raises what that does, and `invalid_request` for
 * one that does not fit it.
 */
export async function createPasskey(
  ctx: SessionCtx,
  input: Static<typeof NewPasskey>,
  acceptLanguage?: string,
): Promise<PasskeyRow> {
  await refuseToAdd(ctx);
  const { app, session } = ctx;
  const { personId } = session;
  const { challenge, credential } = await verifyNew(ctx, input);
  const row: PasskeyRow = {
    passkeyId: newUuidV7(),
    personId,
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    signCount: credential.counter,
    name: input.name ?? 'Passkey',
    createdAt: app.now(),
    lastUsedAt: null,
  };
  await app.database.transaction(async (tx) => {
    await lockAccount(tx, personId);
    const ways = await waysOf(tx, app, personId);
    const ground = groundToAdd(ctx, ways);
    if (!(await challenge.take(tx))) throw doesNotFit();
    if ((await listPasskeysOf(tx, personId)).length >= mostPasskeys)
      throw invalidRequest(`You have ${mostPasskeys} passkeys already. Remove one first.`);
    if (!(await insertPasskey(tx, row))) throw invalidRequest('This passkey is in use already.');
    const target = encodeId('passkey', row.passkeyId);
    const detail = { name: row.name, ...groundLine(ground) };
    auditPerson(tx, ctx, session, { action: 'createPasskey', target, detail });
    if (ground === 'none yet') postChange(tx, ctx, { to: ways.email, acceptLanguage });
  });
  return row;
}

async function verifyNew({ app, session }: SessionCtx, input: Static<typeof NewPasskey>) {
  const { id, clientDataJSON, attestationObject } = input;
  const { rpID, origin } = party(app);
  const challenge = challengeTaker(app, purposeOf(session));
  try {
    await refuseCertificates(attestationObject);
    const { registrationInfo } = await (await webauthn()).verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge.isOurs,
      expectedOrigin: origin,
      expectedRPID: rpID,
      supportedAlgorithmIDs,
    });
    if (registrationInfo !== undefined) return { challenge, credential: registrationInfo.credential };
  } catch (error) {
    app.log.debug({ err: error }, 'a passkey does not fit');
  }
  throw doesNotFit();
}

/** No proof of the maker was asked for; to check one, what its certificates name would be fetched. */
async function refuseCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const isBare = ['none', 'packed'].includes(attestation.get('fmt'));
  if (!isBare || attestation.get('attStmt').get('x5c') !== undefined)
    throw new Error('a proof of the maker was not asked for');
}

/** Keeps what was signed, so that it is taken in the transaction that it leads to. */
function challengeTaker(app: App, purpose: string) {
  let sealed = '';
  return {
    isOurs(encoded: string): boolean {
      sealed = Buffer.from(encoded, 'base64url').toString();
      return readChallenge(app, purpose, sealed) !== null;
    },
    async take(tx: Tx): Promise<boolean> {
      const challenge = readChallenge(app, purpose, sealed);
      return challenge !== null && (await takeChallenge(tx, app, sealed, challenge));
    },
  };
}

function doesNotFit() {
  return invalidRequest('This passkey does not fit what was asked for. Ask anew: GET /passkeys/options.');
}

/** What a browser is asked to sign in with whatever passkey it has. */
export async function signInOptions({ app }: PublicCtx) {
  return await (await webauthn()).generateAuthenticationOptions({
    rpID: party(app).rpID,
    challenge: Uint8Array.from(Buffer.from(newChallenge(app, toSignIn, challengeMs))),
    timeout: challengeMs,
    userVerification: 'required',
  });
}

/** Signs in with what a passkey has signed. It is refused alike for whatever reason: `invalid_credentials`. */
export async function signInWithPasskey(
  ctx: PublicCtx,
  assertion: Static<typeof PasskeyAssertion>,
  headers: Input['headers'],
): Promise<Begun> {
  const { app } = ctx;
  const { database } = app;
  const credentialId = Buffer.from(assertion.id, 'base64url');
  const find = () => findPasskeyByCredential(database.db, credentialId);
  const concerned = async () => listMembershipsOf(database.db, [(await find())?.personId ?? firstId]);
  await limitGuesses(ctx, 'passkey', assertion.id, tryLimits, concerned);
  const passkey = await find();
  const challenge = challengeTaker(app, toSignIn);
  const signCount =
    passkey === undefined ? null : await verifiedCount(app, passkey, assertion, challenge.isOurs);
  if (passkey === undefined || signCount === null) throw doesNotSignIn();
  const { personId, passkeyId } = passkey;
  return beginSession(ctx, { by: 'passkey', headers }, async (tx) => {
    if (!(await challenge.take(tx)) || !(await usePasskey(tx, passkeyId, signCount, app.now())))
      throw doesNotSignIn();
    return { personId, deviceId: null };
  });
}

/** How often the passkey has signed, if it has signed this; else null. */
async function verifiedCount(
  app: App,
  { personId, publicKey, signCount }: PasskeyRow,
  { id, userHandle, ...signed }: Static<typeof PasskeyAssertion>,
  isOurs: (challenge: string) => boolean,
): Promise<number | null> {
  const { rpID, origin } = party(app);
  if (userHandle !== Buffer.from(uuidBytes(personId)).toString('base64url')) return null;
  const response: AuthenticationResponseJSON = {
    id,
    rawId: id,
    type: 'public-key',
    response: signed,
    clientExtensionResults: {},
  };
  const credential = { id, publicKey: Uint8Array.from(publicKey), counter: signCount };
  const expected = { expectedChallenge: isOurs, expectedOrigin: origin, expectedRPID: rpID };
  try {
    const { verified, authenticationInfo } = await (await webauthn()).verifyAuthenticationResponse({
      response,
      credential,
      ...expected,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    app.log.debug({ err: error }, 'a passkey did not sign a person in');
    return null;
  }
}

function doesNotSignIn() {
  return refusal(
    'invalid_credentials',
    'This passkey does not sign you in. Use another way, and add it anew.',
  );
}

/** Renames a passkey of the caller. Raises `passkey_not_found`. */
export async function updatePasskey(ctx: SessionCtx, publicId: string, name: string) {
  const { session, app } = ctx;
  refuseTill(session);
  return await app.database.transaction(async (tx) => {
    const row = await renamePasskey(tx, session.personId, idOf(publicId), name);
    if (row === undefined) throw passkeyNotFound();
    auditPerson(tx, ctx, session, {
      action: 'updatePasskey',
      target: encodeId('passkey', row.passkeyId),
      detail: { after: { name } },
    });
    return row;
  });
}

/** Removes a passkey of the caller: it no longer signs them in. Raises what adding one does, and `passkey_not_found`. */
export async function deletePasskey(ctx: SessionCtx, publicId: string): Promise<void> {
  refuseToChange(ctx);
  const { session, app } = ctx;
  await app.database.transaction(async (tx) => {
    const passkeyId = idOf(publicId);
    const name = await deletePasskeyRow(tx, session.personId, passkeyId);
    if (name === undefined) throw passkeyNotFound();
    const target = encodeId('passkey', passkeyId);
    auditPerson(tx, ctx, session, { action: 'deletePasskey', target, detail: { before: { name } } });
  });
}

function idOf(publicId: string): string {
  const passkeyId = decodeId('passkey', publicId);
  if (passkeyId === null) throw passkeyNotFound();
  return passkeyId;
}

function passkeyNotFound() {
  return refusal('passkey_not_found', 'You have no passkey with this id. GET /passkeys lists them.');
}

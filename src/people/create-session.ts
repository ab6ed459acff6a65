import type { Static } from 'typebox';
import { deleteLinksOf, findMember, findPasswordOf, takeLink } from '../access/people.sql.ts';
import { foldAddress } from '../commerce/invites/address.ts';
import type { PublicCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { isPassword } from '../kit/crypto/passwords.ts';
import { hashSecret, hasValidChecksum } from '../kit/crypto/tokens.ts';
import type { Input } from '../kit/http/endpoint.ts';
import { decodeId, firstId } from '../kit/ids.ts';
import { type Begun, beginSession, noteProof, type Who } from './begin-session.ts';
import { deviceOf } from './devices.ts';
import { limitGuesses, tryLimits } from './limit-guesses.ts';
import type { Limits } from './limit-tries.ts';
import { linkPrefix } from './new-link.ts';
import { signInWithPasskey } from './passkeys.ts';
import type { SignIn } from './person.schema.ts';
import { refuseForeign } from './refuse-foreign.ts';

type Headers = Input['headers'];

/**
 * Signs in with a link, which then opens nothing any more, with a password, a passkey, or at a shared till with a PIN. Raises `invalid_link`, `invalid_credentials`, `rate_limited`, and `invalid_request`
 * where another site has sent the request.
 */
export async function createSession(
  ctx: PublicCtx,
  input: Static<typeof SignIn>,
  headers: Headers,
): Promise<Begun> {
  refuseForeign(ctx, headers);
  if ('link' in input) return withLink(ctx, input.link, headers);
  if ('signature' in input) return signInWithPasskey(ctx, input, headers);
  if ('pin' in input) {
    const who = await whoHasPin(ctx, input, headers);
    return beginSession(ctx, { by: 'pin', headers }, async () => who);
  }
  const who = await whoHasPassword(ctx, input);
  return beginSession(ctx, { by: 'password', headers }, async () => who);
}

/** The person whose password it is. It takes as long, and is refused alike, where there is nobody, or no password. */
async function whoHasPassword(
  ctx: PublicCtx,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Who> {
  const address = foldAddress(email);
  const { db } = ctx.app.database;
  const find = async () => (await findPasswordOf(db, address))?.personId;
  await limitGuesses(ctx, 'password', address, tryLimits, find);
  const found = await findPasswordOf(db, address);
  const isRight = await isPassword(found?.password ?? null, password);
  if (found === undefined || !isRight)
    throw refusal('invalid_credentials', 'This address and this password do not belong together.');
  return { personId: found.personId, deviceId: null };
}

const pinLimits: Limits = { ...tryLimits, to: { atOnce: 5, everyS: 300 } };

/** The person whose PIN it is, at the till that the browser is. As with passwords it takes as long where there is nobody. */
async function whoHasPin(
  ctx: PublicCtx,
  { personId: publicId, pin }: { readonly personId: string; readonly pin: string },
  headers: Headers,
): Promise<Who> {
  const { deviceId, workspaceId } = await deviceOf(ctx, 'POST', headers);
  const personId = decodeId('person', publicId) ?? firstId;
  const find = () => findMember(ctx.app.database.db, workspaceId, personId);
  const whom = `${deviceId} ${publicId}`;
  await limitGuesses(ctx, 'pin', whom, pinLimits, async () => (await find())?.personId);
  const member = await find();
  if (!(await isPassword(member?.pin ?? null, pin)))
    throw refusal('invalid_credentials', 'This name and this PIN do not belong together.');
  return { personId, deviceId };
}

function withLink(ctx: PublicCtx, link: string, headers: Headers): Promise<Begun> {
  const secret = linkSecretOf(link);
  return beginSession(ctx, { by: 'link', headers }, async (tx) => {
    const taken = await takeLink(tx, hashSecret(secret), ctx.app.now());
    if (taken === undefined) throw invalidLink();
    const { personId, proves } = taken;
    await deleteLinksOf(tx, personId);
    if (proves !== null) await noteProof(tx, personId);
    return { personId, deviceId: null };
  });
}

/** The secret of a link, or of its last part. Raises `invalid_link` for what was never one. */
export function linkSecretOf(link: string): string {
  const secret = link.slice(link.lastIndexOf('/') + 1);
  if (!hasValidChecksum(linkPrefix, secret)) throw invalidLink();
  return secret;
}

function invalidLink() {
  return refusal('invalid_link', 'This link was used, is too old, or is not complete. Ask for a new one.');
}

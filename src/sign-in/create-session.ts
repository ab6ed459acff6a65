import type { Static } from 'typebox';
import type { PublicCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { whichPassword } from '../kit/crypto/passwords.ts';
import { hashSecret, hasValidChecksum } from '../kit/crypto/tokens.ts';
import { addressBucket } from '../kit/http/endpoints/client-address.ts';
import type { Input } from '../kit/http/endpoints/endpoint.ts';
import { decodeId, firstId } from '../kit/ids.ts';
import { foldAddress } from '../kit/mail/address.ts';
import {
  accountOf,
  deleteLinksOf,
  findMember,
  listByAddress,
  listMembershipsOf,
  takeLink,
} from '../people/people.sql.ts';
import { type Begun, beginSession, type Who } from './begin-session.ts';
import { deviceOf } from './devices.ts';
import { arrive } from './join-workspace.ts';
import { limitGuesses, tryLimits } from './limit-guesses.ts';
import type { Limits } from './limit-tries.ts';
import { linkPrefix } from './new-link.ts';
import { signInWithPasskey } from './passkeys.ts';
import type { SignIn } from './person.schema.ts';
import { refuseForeign } from './refuse-foreign.ts';

type Headers = Input['headers'];

/**
 * Signs in with a link, which is then used up, with a password, a passkey, or at a shared till with a PIN. Raises `invalid_link`, `invalid_credentials`, `rate_limited`, and `invalid_request`
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

/** The person whose password it is. It takes as long, and is refused alike, where there is no such person, or no password. */
async function whoHasPassword(
  ctx: PublicCtx,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Who> {
  const address = foldAddress(email);
  const { db } = ctx.app.database;
  const concerned = async () => {
    const known = await listByAddress(db, address);
    return listMembershipsOf(
      db,
      known.map(({ personId }) => personId),
    );
  };
  await limitGuesses(ctx, 'password', address, tryLimits, concerned);
  const known = (await listByAddress(db, address)).filter(({ password }) => password !== null);
  const right = await ctx.app.heavyWork.ofStrangers.enter(addressBucket(ctx.ip ?? ''), () =>
    whichPassword(
      known.map(({ password }) => password),
      password,
    ),
  );
  const found = known[right];
  if (found === undefined)
    throw refusal('invalid_credentials', 'This address and this password do not belong together.');
  return { personId: found.personId, deviceId: null };
}

/** The limits of tries: of a person at all places, at a till, and in a workspace with all of its tills. Right PINs do not count. */
const pinLimits = {
  to: { atOnce: 5, everyS: 300 },
  till: { atOnce: 10, everyS: 30 },
  workspace: { atOnce: 30, everyS: 30 },
};

/** The person whose PIN it is, at the till that the browser is. As with passwords it takes as long where there is no such person. */
async function whoHasPin(
  ctx: PublicCtx,
  { personId: publicId, pin }: { readonly personId: string; readonly pin: string },
  headers: Headers,
): Promise<Who> {
  const { deviceId, workspaceId } = await deviceOf(ctx, 'POST', headers);
  const personId = decodeId('person', publicId) ?? firstId;
  const find = () => findMember(ctx.app.database.db, workspaceId, personId);
  const { to, till, workspace } = pinLimits;
  const between = { [`pin-till:${deviceId}`]: till, [`pin-workspace:${workspaceId}`]: workspace };
  const limits: Limits = { from: tryLimits.from, between, to };
  const concerned = async () => [await find()].filter((member) => member !== undefined);
  const giveBack = await limitGuesses(ctx, 'pin', `${workspaceId} ${personId}`, limits, concerned);
  const member = await find();
  const check = () => whichPassword([member?.pin ?? null], pin);
  const right = await ctx.app.heavyWork.ofWorkspaces.enter(workspaceId, check).catch(async (error) => {
    await giveBack();
    throw error;
  });
  if (member === undefined || right !== 0)
    throw refusal('invalid_credentials', 'This name and this PIN do not belong together.', {
      triesLeft: giveBack.left,
    });
  await giveBack();
  return { personId: accountOf(member), deviceId };
}

function withLink(ctx: PublicCtx, link: string, headers: Headers): Promise<Begun> {
  const secret = linkSecretOf(link);
  return beginSession(ctx, { by: 'link', headers }, async (tx) => {
    const taken = await takeLink(tx, hashSecret(secret), ctx.app.now());
    if (taken === undefined) throw invalidLink();
    await deleteLinksOf(tx, taken.personId);
    return { personId: await arrive(tx, ctx, taken), deviceId: null };
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

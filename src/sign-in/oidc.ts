import { attemptCookie, sentAttempt } from '../access/session-cookie.ts';
import type { PublicCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import type { Input } from '../kit/http/endpoints/endpoint.ts';
import { foldAddress } from '../kit/mail/address.ts';
import { findIdentified, insertIdentity } from '../people/oidc-identities.sql.ts';
import { listByAddress } from '../people/people.sql.ts';
import { type Begun, beginSession } from './begin-session.ts';
import { newChallenge, readChallenge, takeChallenge } from './challenges.ts';
import { type Identity, IdentityRefused, type OidcAttempt } from './identity-provider.ts';
import { arrive } from './join-workspace.ts';
import { limitTries } from './limit-tries.ts';

const purpose = 'to sign in with the provider';
/** The person may have to find their telephone there. */
const attemptMs = 600_000;

/** Each return asks the provider: so many at once from an address, and then one in so many seconds. */
const askLimit = { atOnce: 200, everyS: 1 };

/**
 * Where to send a browser that wants to sign in with the provider, and the header by which it shows that it was it; null
 * where there is no provider. Raises `provider_unavailable`.
 */
export async function leaveForProvider(ctx: PublicCtx): Promise<{ url: string; cookie: string } | null> {
  const { app } = ctx;
  const { identityProvider } = app;
  if (identityProvider === null) return null;
  const { url, attempt } = await asking(ctx, () => identityProvider.begin());
  const sealed = newChallenge(app, purpose, attemptMs, JSON.stringify(attempt));
  return { url, cookie: attemptCookie(app, sealed, attemptMs) };
}

/**
 * Signs in the person whom the provider names, in the browser that has left for it. It makes no account: the first time the
 * provider has to vouch for the address of a person who has one; from then on the provider's id of the person counts. Raises
 * `invalid_credentials`, `provider_unavailable` and `rate_limited`.
 */
export async function returnFromProvider(
  ctx: PublicCtx,
  query: Readonly<Record<string, string>>,
  headers: Input['headers'],
): Promise<Begun> {
  const { app } = ctx;
  const { identityProvider, database } = app;
  const sealed = sentAttempt(app, headers);
  const challenge = sealed === null ? null : readChallenge(app, purpose, sealed);
  if (identityProvider === null || sealed === null || challenge === null) throw notBegunHere();
  await limitAsking(ctx);
  const attempt = JSON.parse(challenge.content) as OidcAttempt;
  if (query.state !== attempt.state) throw notBegunHere();
  // Before the provider is asked: whatever comes of it, this attempt is over.
  if (!(await database.transaction((tx) => takeChallenge(tx, app, sealed, challenge)))) throw notBegunHere();
  const identity = await asking(ctx, () => identityProvider.finish(query, attempt));
  return beginSession(ctx, { by: 'oidc', headers, isLed: true }, async (tx) => ({
    personId: await whoIs(tx, ctx, identity),
    deviceId: null,
  }));
}

/** The person is not known yet, so that only the address of the client is limited. */
async function limitAsking(ctx: PublicCtx): Promise<void> {
  await limitTries(ctx, 'oidc', ctx.ip ?? '', { to: askLimit, from: askLimit });
}

async function whoIs(tx: Tx, ctx: PublicCtx, identity: Identity): Promise<string> {
  const { issuer, subject, provedEmail } = identity;
  const known = await findIdentified(tx, issuer, subject);
  if (known !== undefined) return known;
  const email = provedEmail === null ? null : foldAddress(provedEmail);
  const [person] = email === null ? [] : await listByAddress(tx, email);
  if (person === undefined) throw doesNotSignIn();
  const { personId } = person;
  // The provider may have given the address to another person since, whom it did not mean.
  if (!(await insertIdentity(tx, { issuer, subject, personId, createdAt: ctx.app.now() })))
    throw doesNotSignIn();
  return arrive(tx, ctx, { personId, proves: email, asked: true });
}

async function asking<T>({ app }: PublicCtx, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof IdentityRefused)) throw error;
    app.log.warn({ reason: error.message }, 'the provider did not sign a person in');
    if (!error.isUnreachable) throw doesNotSignIn();
    const message =
      'The provider cannot be reached at the moment. Try again in a minute, or sign in otherwise.';
    throw refusal('provider_unavailable', message, {}, { 'retry-after': '60' });
  }
}

function notBegunHere() {
  return refusal(
    'invalid_credentials',
    'This sign-in was not begun in this browser, is over, or took too long. Begin it again.',
  );
}

function doesNotSignIn() {
  return refusal(
    'invalid_credentials',
    'The provider does not vouch for a person who works here. Sign in with your link, or ask an owner to invite you.',
  );
}

import type { PublicCtx } from '../context.ts';
import { type DocumentParts, type PageDocument, pageDocument } from '../drawing/page-document.ts';
import { SIGN_IN_PAGE_STYLE } from '../drawing/page-style.ts';
import { type Html, html } from '../kit/html.ts';
import type { Input } from '../kit/http/endpoint.ts';
import { encodeId } from '../kit/ids.ts';
import { unknownSession } from '../workspaces/judge-person.ts';
import { listPasskeysOf, type PasskeyRow } from '../workspaces/passkeys.sql.ts';
import { sessionOf } from '../workspaces/session-cookie.ts';
import type { AdmittedSession } from '../workspaces/sessions.sql.ts';
import type { Begun } from './begin-session.ts';
import { createSession, linkSecretOf } from './create-session.ts';
import { leastLength } from './password-rules.ts';
import { sendSignInLink } from './send-sign-in-link.ts';
import { endCurrentSession } from './sessions.ts';
import { setPassword } from './set-password.ts';

type Headers = Input['headers'];

/** Where somebody signs in who has no link yet. */
export function signInPage({ app }: PublicCtx, next: string): PageDocument {
  return page(
    'Sign in',
    html`<p>Without a password you get a mail with a link that signs you in.</p>
<form method="post" action="/sign-in">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254">
<label for="password">Password, if you have one</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="200">
<button class="button">Sign in</button>
</form>
${
  app.identityProvider !== null &&
  html`<p><a class="button quiet" href="/sign-in/oidc">Sign in with ${app.identityProvider.host}</a></p>`
}
${passkeySection(
  app,
  html`<button type="button" class="button quiet" id="passkey-sign-in" data-next="${next}">Sign in with a passkey</button>`,
)}`,
    passkeyScript,
  );
}

/** Mails a link to who asks for it on the page; the answer is the same for an address that nobody has. */
export async function askForLink(
  ctx: PublicCtx,
  { email }: { readonly email: string },
): Promise<PageDocument> {
  await sendSignInLink(ctx, email);
  return page(
    'Look into your mail',
    html`<p>If somebody signs in with this address here, a link is on its way to it. It works once, for 30 minutes.</p>
<p>No mail? Ask an owner of the workspace for a link, or whoever runs this service for that of
<code>punchcard console-link</code>.</p>`,
  );
}

/**
 * What a sign-in link opens. It has a button and does nothing by itself, since programs that scan mails follow links too.
 * Raises `invalid_link` for one that is not complete.
 */
export function linkPage(link: string): PageDocument {
  linkSecretOf(link);
  return page(
    'Sign in to Punchcard',
    html`<p>The button signs you in on this device. This link works once.</p>
<form method="post"><button class="button">Sign in</button></form>`,
  );
}

/** The button of a sign-in link. Raises `invalid_link`. */
export function followLink(ctx: PublicCtx, link: string, headers: Headers): Promise<Begun> {
  return createSession(ctx, { link }, headers);
}

/** Ends the session that a browser shows; the header takes it away, also where it had ended. */
export async function signOut(ctx: PublicCtx, headers: Headers): Promise<string | null> {
  const session = await sessionOf(ctx.app, { method: 'POST', headers, isPage: true });
  return session === null ? null : endCurrentSession({ ...ctx, session });
}

/** Sets the password of who is signed in. Raises what `setPassword` does, and `invalid_session`. */
export async function choosePassword(
  ctx: PublicCtx,
  password: string,
  headers: Headers,
): Promise<PageDocument> {
  const session = await sessionOf(ctx.app, { method: 'POST', headers, isPage: true });
  if (session === null) throw unknownSession();
  await setPassword({ ...ctx, session }, password);
  return page(
    'Your password is set',
    html`<p>Sign in with it and your address from now on. Links work as before.</p>
<p><a href="/console">Go to the console</a></p>`,
  );
}

/** Who is signed in, and where they belong; null where nobody is. */
export async function accountPage(ctx: PublicCtx, headers: Headers): Promise<PageDocument | null> {
  const session = await sessionOf(ctx.app, { method: 'GET', headers, isPage: true });
  if (session === null) return null;
  // A shared till is no place for one's own keys.
  const passkeys =
    session.deviceId === null ? await listPasskeysOf(ctx.app.database.db, session.personId) : null;
  return signedInPage(ctx, session, passkeys);
}

function signedInPage(
  { app }: PublicCtx,
  { email, memberships }: AdmittedSession,
  passkeys: readonly Pick<PasskeyRow, 'passkeyId' | 'name'>[] | null,
): PageDocument {
  const name = memberships[0]?.name ?? '';
  return page(
    'Signed in',
    html`<p dir="auto">${email === null ? name : `${name}, ${email}`}</p>
<h2>Your workspaces</h2>
<ul>
${memberships.map(
  ({ workspaceName, role, isSuspended }) =>
    html`<li dir="auto">${workspaceName} <span>${role}${isSuspended && ', suspended'}</span></li>`,
)}
</ul>
${
  email !== null &&
  html`<h2>Password</h2>
<p>With one you need no mail to sign in. It ends your other sessions.</p>
<form method="post" action="/account">
<input type="email" autocomplete="username" value="${email}" readonly hidden>
<label for="password">New password, at least ${leastLength} characters</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${leastLength}" maxlength="200">
<button class="button">Set password</button>
</form>`
}
${passkeys !== null && passkeySection(app, ownPasskeys(passkeys))}
<p><a href="/console">Go to the console</a></p>
<form method="post" action="/sign-out"><button class="button quiet">Sign out</button></form>`,
    passkeys === null ? undefined : passkeyScript,
  );
}

function ownPasskeys(passkeys: readonly Pick<PasskeyRow, 'passkeyId' | 'name'>[]): Html {
  return html`<h2>Passkeys</h2>
<p>With one you sign in with a finger, a face or a PIN, without a mail or a password.</p>
<ul>
${passkeys.map(
  ({ passkeyId, name }) =>
    html`<li dir="auto">${name} <button type="button" class="button quiet" data-passkey="${encodeId('passkey', passkeyId)}" aria-label="Remove ${name}">Remove</button></li>`,
)}
</ul>
<label for="passkey-name">What to call it</label>
<input id="passkey-name" maxlength="120" autocomplete="off">
<button type="button" class="button" id="passkey-add">Add a passkey</button>`;
}

/** What only the script can do; it shows the section, or says there why it cannot. */
function passkeySection({ config }: PublicCtx['app'], body: Html): Html {
  return html`<section id="passkeys" data-origin="${new URL(config.publicUrl).origin}" hidden>
<p id="passkeys-problem" role="status"></p>
<div id="passkeys-work" hidden>${body}</div>
</section>`;
}

const passkeyScript = {
  head: html`<script type="module" src="/sign-in/passkeys.js"></script>`,
  policy: "script-src 'self'; connect-src 'self'",
};

/** Its forms have to show that they are ours: see `isOurs`. */
function page(title: string, body: Html, brings?: DocumentParts['brings']): PageDocument {
  return pageDocument({
    title,
    description: null,
    language: 'en',
    style: SIGN_IN_PAGE_STYLE,
    hasForm: true,
    referrer: 'same-origin',
    ...(brings && { brings }),
    body: html`<main>
<h1>${title}</h1>
${body}
</main>`,
  });
}

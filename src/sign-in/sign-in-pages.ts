import { unknownSession } from '../access/judge-person.ts';
import { sessionOf } from '../access/session-cookie.ts';
import type { AdmittedSession } from '../access/sessions.sql.ts';
import type { PublicCtx } from '../context.ts';
import { type Html, html } from '../kit/html.ts';
import { ApiError } from '../kit/http/api-error.ts';
import type { Input } from '../kit/http/endpoints/endpoint.ts';
import { encodeId } from '../kit/ids.ts';
import { filledHtml, filledText } from '../kit/text/fill-words.ts';
import { askedLanguage, wordsIn } from '../locales/languages.ts';
import type { PeopleWords } from '../locales/words.ts';
import { type InvitationRow, listInvitations } from '../people/invitations.sql.ts';
import { listPasskeysOf, type PasskeyRow } from '../people/passkeys.sql.ts';
import { pageHeaders } from '../rendering/link.schema.ts';
import { type DocumentParts, type PageDocument, pageDocument } from '../rendering/page-document.ts';
import { SIGN_IN_PAGE_STYLE } from '../rendering/page-style.ts';
import type { Begun } from './begin-session.ts';
import { createSession, linkSecretOf } from './create-session.ts';
import { acceptInvitation, leaveWorkspace } from './join-workspace.ts';
import { nextPage } from './next-page.ts';
import { leastLength } from './password-rules.ts';
import { ownMembership } from './person.schema.ts';
import { sendSignInLink } from './send-sign-in-link.ts';
import { endCurrentSession } from './sessions.ts';
import { setPassword } from './set-password.ts';

type Headers = Input['headers'];

/** Where a person signs in who has no link yet; `refused` is the address of a form whose password was not the right one. */
export function signInPage(
  { app }: PublicCtx,
  next: string,
  headers: Headers,
  refused: string | null = null,
): PageDocument {
  const { words, language } = readersWords(headers);
  const { signIn, passkeys } = words;
  const { wrongPassword } = wordsIn(askedLanguage(headers['accept-language'])).words.error;
  return page(
    signIn.title,
    html`<p>${signIn.lead}</p>
${refused !== null && html`<p class="problem" id="problem" role="alert">${wrongPassword.title}</p>`}
<form method="post" action="/sign-in">
<label for="email">${signIn.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" dir="auto"${refused !== null && html` value="${refused}"`}>
<label for="password">${signIn.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="200"${refused !== null && html` aria-invalid="true" aria-describedby="problem" autofocus`}>
<button class="button">${signIn.submit}</button>
</form>
${
  app.identityProvider !== null &&
  html`<p><a class="button quiet" href="/sign-in/oidc"><span>${filledHtml(signIn.withProvider, { host: app.identityProvider.host })}</span></a></p>`
}
${passkeySection(
  app,
  passkeys,
  html`<button type="button" class="button quiet" id="passkey-sign-in" data-next="${next}">${signIn.withPasskey}</button>`,
)}`,
    { language, brings: passkeyScript },
  );
}

/** Signs in with the form of that page. A browser whose password is not right gets the form again, with its address. */
export async function signInByForm(
  ctx: PublicCtx,
  { email, password }: { readonly email: string; readonly password: string },
  headers: Headers,
): Promise<Begun> {
  try {
    return await createSession(ctx, { email, password }, headers);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_credentials') {
      const next = nextPage(ctx.app, headers, { memberships: [] });
      const { html, policy } = signInPage(ctx, next, headers, email);
      error.page = { html, headers: { ...pageHeaders(policy), 'cache-control': 'private, no-store' } };
    }
    throw error;
  }
}

/** Mails a link to the person who asks for it on the page; the answer is the same for an unknown address. */
export async function askForLink(ctx: PublicCtx, email: string, headers: Headers): Promise<PageDocument> {
  await sendSignInLink(ctx, email, headers['accept-language']);
  const { words, language } = readersWords(headers);
  const { signIn } = words;
  return page(
    signIn.sentTitle,
    html`<p>${signIn.sentText}</p>
<p>${filledHtml(signIn.noMail, { command: 'punchcard console-link' })}</p>`,
    { language },
  );
}

/**
 * What a sign-in link opens. It has a button and does nothing by itself, since programs that scan mails follow links too.
 * Raises `invalid_link` for one that is not complete.
 */
export function linkPage(link: string, headers: Headers): PageDocument {
  linkSecretOf(link);
  const { words, language } = readersWords(headers);
  const { signIn } = words;
  return page(
    signIn.linkTitle,
    html`<p>${signIn.linkText}</p>
<form method="post"><button class="button">${signIn.submit}</button></form>`,
    { language },
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

/** Answers an invitation for the person who is signed in. Raises what `acceptInvitation` and `leaveWorkspace` do, and `invalid_session`. */
export async function answerInvitation(
  ctx: PublicCtx,
  input: { readonly workspaceId: string; readonly answer: 'accept' | 'decline' },
  headers: Headers,
): Promise<void> {
  const session = await sessionOf(ctx.app, { method: 'POST', headers, isPage: true });
  if (session === null) throw unknownSession();
  await (input.answer === 'accept' ? acceptInvitation : leaveWorkspace)(
    { ...ctx, session },
    input.workspaceId,
  );
}

/** Sets the password of the person who is signed in. Raises what `setPassword` does, and `invalid_session`. */
export async function choosePassword(
  ctx: PublicCtx,
  password: string,
  headers: Headers,
): Promise<PageDocument> {
  const session = await sessionOf(ctx.app, { method: 'POST', headers, isPage: true });
  if (session === null) throw unknownSession();
  await setPassword({ ...ctx, session }, password, headers['accept-language']);
  const { words, language } = readersWords(headers);
  const { account } = words;
  return page(
    account.passwordSet,
    html`<p>${account.passwordSetText}</p>
<p><a href="/console">${account.toConsole}</a></p>`,
    { language },
  );
}

/** Who is signed in, and where they belong; null where no person is signed in. */
export async function accountPage(ctx: PublicCtx, headers: Headers): Promise<PageDocument | null> {
  const session = await sessionOf(ctx.app, { method: 'GET', headers, isPage: true });
  if (session === null) return null;
  // A shared till is no place for one's own keys.
  if (session.deviceId !== null)
    return signedInPage(ctx, session, { passkeys: null, invitations: [] }, headers);
  const { db } = ctx.app.database;
  const passkeys = await listPasskeysOf(db, session.personId);
  const invitations = await listInvitations(db, session.personId);
  return signedInPage(ctx, session, { passkeys, invitations }, headers);
}

type OwnPasskey = Pick<PasskeyRow, 'passkeyId' | 'name'>;

interface Own {
  readonly passkeys: readonly OwnPasskey[] | null;
  readonly invitations: readonly InvitationRow[];
}

function signedInPage(
  { app }: PublicCtx,
  session: AdmittedSession,
  { passkeys, invitations }: Own,
  headers: Headers,
): PageDocument {
  const { words, language } = readersWords(headers);
  const { account } = words;
  const { email, memberships } = session;
  const name = ownMembership(session)?.name ?? '';
  return page(
    account.title,
    html`<p><bdi>${name}</bdi>${email !== null && html` <bdi>${email}</bdi>`}</p>
<h2>${account.workspaces}</h2>
<ul>
${memberships.map(
  ({ workspaceName, role, isSuspended }) =>
    html`<li><bdi>${workspaceName}</bdi> <span>${account.roles[role]}${isSuspended && ` · ${account.suspended}`}</span></li>`,
)}
</ul>
${
  invitations.length > 0 &&
  html`<h2>${account.invitations}</h2>
<ul>
${invitations.map(
  ({
    workspaceId,
    workspaceName,
    role,
  }) => html`<li><bdi>${workspaceName}</bdi> <span>${account.roles[role]}</span>
<form method="post" action="/account/workspaces">
<input name="workspaceId" value="${encodeId('ws', workspaceId)}" hidden>
<button class="button" name="answer" value="accept" aria-label="${filledText(account.joinOne, { workspace: workspaceName })}">${account.join}</button>
<button class="button quiet" name="answer" value="decline" aria-label="${filledText(account.declineOne, { workspace: workspaceName })}">${account.decline}</button>
</form></li>`,
)}
</ul>`
}
${
  email !== null &&
  html`<h2>${account.password}</h2>
<p>${account.passwordText}</p>
<form method="post" action="/account">
<input type="email" autocomplete="username" value="${email}" readonly hidden>
<label for="password">${filledText(account.newPassword, { count: String(leastLength) })}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${leastLength}" maxlength="200">
<button class="button">${account.setPassword}</button>
</form>`
}
${passkeys !== null && passkeySection(app, words.passkeys, ownPasskeys(words.passkeys, passkeys))}
<p><a href="/console">${account.toConsole}</a></p>
<form method="post" action="/sign-out"><button class="button quiet">${account.signOut}</button></form>`,
    { language, ...(passkeys !== null && { brings: passkeyScript }) },
  );
}

function ownPasskeys(words: PeopleWords['passkeys'], passkeys: readonly OwnPasskey[]): Html {
  return html`<h2>${words.title}</h2>
<p>${words.text}</p>
<ul>
${passkeys.map(
  ({ passkeyId, name }) =>
    html`<li><bdi>${name}</bdi> <button type="button" class="button quiet" data-passkey="${encodeId('passkey', passkeyId)}" aria-label="${filledText(words.removeOne, { name })}">${words.remove}</button></li>`,
)}
</ul>
<label for="passkey-name">${words.name}</label>
<input id="passkey-name" maxlength="120" autocomplete="off" dir="auto">
<button type="button" class="button" id="passkey-add">${words.add}</button>`;
}

/** What only the script can do; it shows the section, or says there why it cannot. What it says it has from here. */
function passkeySection({ config }: PublicCtx['app'], words: PeopleWords['passkeys'], body: Html): Html {
  const { origin } = new URL(config.publicUrl);
  return html`<section id="passkeys" data-origin="${origin}" data-insecure="${words.insecure}" data-elsewhere="${filledText(words.elsewhere, { origin })}" data-old="${words.tooOld}" data-failed="${words.failed}" data-undone="${words.notDone}" data-known="${words.known}" data-rate_limited="${words.tooOften}" data-recent_sign_in_required="${words.signInAgain}" data-invalid_session="${words.signedOut}" hidden>
<p id="passkeys-problem" role="status"></p>
<div id="passkeys-work" hidden>${body}</div>
</section>`;
}

const passkeyScript = {
  head: html`<script type="module" src="/sign-in/passkeys.js"></script>`,
  policy: "script-src 'self'; connect-src 'self'",
};

/** What people read: the language of the browser, or English. */
function readersWords(headers: Headers): { readonly words: PeopleWords; readonly language: string } {
  const { words, language } = wordsIn(askedLanguage(headers['accept-language']));
  return { words: words.people, language };
}

interface PageParts {
  readonly language: string;
  readonly brings?: DocumentParts['brings'];
}

/** Its forms have to show that they are ours: see `isOurs`. */
function page(title: string, body: Html, { language, brings }: PageParts): PageDocument {
  return pageDocument({
    title,
    description: null,
    language,
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

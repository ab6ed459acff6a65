import { Type } from 'typebox';
import type { PublicCtx } from '../context.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { closed } from '../kit/http/schemas/shapes.ts';
import { LinkPath, pageHeaders } from '../rendering/link.schema.ts';
import type { PageDocument } from '../rendering/page-document.ts';
import { nextCookie, nextPage, wantedPage } from '../sign-in/next-page.ts';
import { leaveForProvider, returnFromProvider } from '../sign-in/oidc.ts';
import * as shapes from '../sign-in/person.schema.ts';
import * as pages from '../sign-in/sign-in-pages.ts';

const tag = 'People';
const NextQuery = closed({
  next: Type.Optional(Type.String({ maxLength: 2_000, description: 'a path of the console' })),
});
/** A form without fields: nothing of it is looked at. */
const anyForm = { 'application/x-www-form-urlencoded': 'bytes', 'text/plain': 'bytes' } as const;

export const choosePassword = endpoint({
  op: 'choosePassword',
  tag,
  summary: 'Set your password on the page',
  description: 'As POST /sessions/current/password.',
  body: shapes.NewPassword,
  accepts: { 'application/x-www-form-urlencoded': 'form' },
  example: { password: 'correct horse battery' },
  answers: { 200: 'text/html' },
  errors: ['invalid_session', 'recent_sign_in_required', 'role_required'],
  page: true,
  handle: async (ctx: PublicCtx, { body, headers }) =>
    page(await pages.choosePassword(ctx, body.password, headers)),
});

export const getSignInPage = endpoint({
  op: 'getSignInPage',
  tag,
  summary: 'The page on which people sign in',
  description:
    'Asks for the address, and for a password or none: without one a link is mailed. `next` is a page of the console to go to afterwards.',
  answers: { 200: 'text/html' },
  query: NextQuery,
  page: true,
  async handle(ctx: PublicCtx, { query, headers }) {
    const shown = page(pages.signInPage(ctx, wantedPage(ctx.app, query.next), headers));
    return answer(200, shown.body, { ...shown.headers, 'set-cookie': nextCookie(ctx.app, query.next) });
  },
});

export const askForLink = endpoint({
  op: 'askForLink',
  tag,
  summary: 'Sign in on that page',
  description: 'With a password as POST /sessions; without one as POST /people/links.',
  body: shapes.SignInForm,
  accepts: { 'application/x-www-form-urlencoded': 'form' },
  example: { email: 'ada@example.com' },
  answers: { 200: 'text/html', 303: null },
  errors: ['invalid_credentials'],
  page: true,
  async handle(ctx: PublicCtx, { body, headers }) {
    const { email, password = '' } = body;
    if (password === '') return page(await pages.askForLink(ctx, email, headers));
    const { cookie, session } = await pages.signInByForm(ctx, { email, password }, headers);
    return answer(303, null, { location: nextPage(ctx.app, headers, session), 'set-cookie': cookie });
  },
});

export const beginOidc = endpoint({
  op: 'beginOidc',
  tag,
  summary: 'Sign in with the provider',
  description:
    'Leads to the OpenID Connect provider that the operator has named; where there is none, to the page on which people sign in.',
  answers: { 303: null },
  errors: ['provider_unavailable'],
  page: true,
  async handle(ctx: PublicCtx) {
    const leaving = await leaveForProvider(ctx);
    if (leaving === null) return answer(303, null, { location: '/sign-in' });
    return answer(303, null, {
      location: leaving.url,
      'set-cookie': leaving.cookie,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
  },
});

export const finishOidc = endpoint({
  op: 'finishOidc',
  tag,
  summary: 'Where the provider leads back to',
  description:
    'Signs in the person that it vouches for, in the browser that has left for it, once. Leads to the page that was asked for before, or to the console; staff to the scanner.',
  answers: { 303: null },
  errors: ['invalid_credentials', 'provider_unavailable'],
  page: true,
  async handle(ctx: PublicCtx, { query, headers }) {
    const { cookie, session } = await returnFromProvider(ctx, query ?? {}, headers);
    return answer(303, null, {
      location: nextPage(ctx.app, headers, session),
      'set-cookie': cookie,
      'referrer-policy': 'no-referrer',
    });
  },
});

export const getLinkPage = endpoint({
  op: 'getLinkPage',
  tag,
  summary: 'The page of a sign-in link',
  description: 'Has a button. Changes nothing: programs that scan mails follow links too.',
  params: LinkPath,
  answers: { 200: 'text/html' },
  errors: ['invalid_link'],
  page: true,
  handle: async (_ctx: PublicCtx, { params, headers }) => page(pages.linkPage(params.token, headers)),
});

export const followLink = endpoint({
  op: 'followLink',
  tag,
  summary: 'Sign in with a link',
  description: 'Once. Leads to the page that was asked for before, or to the console; staff to the scanner.',
  params: LinkPath,
  accepts: anyForm,
  bodyLimit: 65_536,
  answers: { 303: null },
  errors: ['invalid_link'],
  page: true,
  async handle(ctx: PublicCtx, { params, headers }) {
    const { cookie, session } = await pages.followLink(ctx, params.token, headers);
    return answer(303, null, { location: nextPage(ctx.app, headers, session), 'set-cookie': cookie });
  },
});

export const getAccountPage = endpoint({
  op: 'getAccountPage',
  tag,
  summary: 'Where people are signed in',
  description: 'Leads to the page on which they sign in, if they are not.',
  answers: { 200: 'text/html', 303: null },
  page: true,
  async handle(ctx: PublicCtx, { headers }) {
    const document = await pages.accountPage(ctx, headers);
    return document === null ? answer(303, null, { location: '/sign-in' }) : page(document);
  },
});

export const answerInvitation = endpoint({
  op: 'answerInvitation',
  tag,
  summary: 'Answer an invitation on that page',
  description: 'As POST and DELETE of /sessions/current/workspaces. Leads back to the page.',
  body: shapes.InvitationAnswer,
  accepts: { 'application/x-www-form-urlencoded': 'form' },
  example: { workspaceId: 'ws_6nbjkhmjdk9r7v10', answer: 'accept' },
  answers: { 303: null },
  errors: ['invalid_session', 'invitation_not_found', 'last_owner', 'role_required'],
  page: true,
  async handle(ctx: PublicCtx, { body, headers }) {
    await pages.answerInvitation(ctx, body, headers);
    return answer(303, null, { location: '/account' });
  },
});

export const signOut = endpoint({
  op: 'signOut',
  tag,
  summary: 'Sign out on that page',
  description: 'Leads to the page on which people sign in.',
  accepts: anyForm,
  bodyLimit: 65_536,
  answers: { 303: null },
  page: true,
  async handle(ctx: PublicCtx, { headers }) {
    const cookie = await pages.signOut(ctx, headers);
    return answer(303, null, { location: '/sign-in', ...(cookie !== null && { 'set-cookie': cookie }) });
  },
});

function page({ html, policy }: PageDocument) {
  return answer(200, html, {
    ...pageHeaders(policy),
    'referrer-policy': 'same-origin',
    'cache-control': 'private, no-store',
    vary: 'accept-language',
  });
}

import type { KeyCtx, PublicCtx } from '../context.ts';
import { emailHashOf } from '../engine/email-hash.ts';
import { answer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import { pageMade } from '../engine/listing.ts';
import { acceptInvite as acceptVerb } from '../invitations/accept-invite.ts';
import { createInvite as createVerb } from '../invitations/create-invite.ts';
import {
  CardMailing,
  Invite,
  InviteFilters,
  NewInvite,
  presentInvite,
  SentCards,
} from '../invitations/invite.schema.ts';
import { inviteByLink } from '../invitations/invite-link.ts';
import { listInvites as listInviteRows } from '../invitations/invites.sql.ts';
import { sendCards as sendCardsVerb } from '../invitations/send-cards.ts';
import { showInvite } from '../invitations/show-invite.ts';
import { unsubscribePage, unsubscribe as unsubscribeVerb } from '../invitations/unsubscribe.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { closed, Id, listOf } from '../kit/http/schemas/shapes.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import { normalEmail } from '../kit/mail/address.ts';
import { findPass } from '../passes/find-pass.ts';
import { LinkPath, pageHeaders, privately } from '../rendering/link.schema.ts';

const tag = 'Invitations';
const PassPath = closed({ passId: Id });
/** Browsers send forms, mail programs what they like (RFC 8058 §3.1): none of it is looked at. */
const anyContent = {
  'application/x-www-form-urlencoded': 'bytes',
  'multipart/form-data': 'bytes',
  'text/plain': 'bytes',
  'application/json': 'bytes',
  'application/octet-stream': 'bytes',
} as const;

export const createInvite = writeEndpoint({
  op: 'createInvite',
  call: 'invites.create',
  tag,
  summary: 'Invite a person to a pass by e-mail',
  description:
    'The mail has one button, which issues the card when it is pressed. Each address is mailed once a pass: for a person who was invited before, the answer is that invitation. `suppressed`: the address has unsubscribed, or does not exist; `already_holder`: it has a card of the pass. Make sure that the person has agreed to be written to.',
  params: PassPath,
  body: NewInvite,
  example: { email: 'ada@example.com', name: 'Ada', identifier: 'cust_8841', locale: 'en' },
  answers: { 202: Invite },
  errors: ['pass_not_found', 'forbidden', 'pass_not_active'],
  authorizeReplay: async (tx, ctx, { params }) => void (await findPass(tx, ctx, params.passId)),
  handle: async (tx, ctx, { params, body, key }) =>
    answer(202, presentInvite(await createVerb(tx, ctx, { passId: params.passId, person: body, key }))),
});

export const sendCards = writeEndpoint({
  op: 'sendCards',
  call: 'invites.sendCards',
  tag,
  summary: 'Mail people their card',
  description:
    'Looks at up to 1,000 cards of the pass and mails the holders of those that no wallet has ever had, each address once a pass: who was mailed before, by an invitation or by this, is not again. The mail has one button, which leads to the card. Go on with `nextCursor` until it is null; after a break, begin anew.',
  params: PassPath,
  body: CardMailing,
  example: { dryRun: true },
  answers: { 200: SentCards },
  errors: ['pass_not_found', 'forbidden', 'pass_not_active'],
  authorizeReplay: async (tx, ctx, { params }) => void (await findPass(tx, ctx, params.passId)),
  async handle(tx, ctx, { params, body: { dryRun = false, cursor } }) {
    const after = cursor === undefined ? null : decodeId('inst', cursor);
    if (cursor !== undefined && after === null)
      throw invalidField('cursor', 'reference', 'it is no nextCursor of this call.');
    const { last, ...counts } = await sendCardsVerb(tx, ctx, { passId: params.passId, after, dryRun });
    return answer(200, { ...counts, nextCursor: last === null ? null : encodeId('inst', last) });
  },
});

export const listInvites = endpoint({
  op: 'listInvites',
  call: 'invites.list',
  tag,
  summary: 'List the invitations of a pass',
  description:
    '`unknown`: the service handed it to the mail server, which has not said whether it arrived; it is not sent again, so that no person is mailed twice.',
  params: PassPath,
  query: InviteFilters,
  answers: { 200: listOf(Invite) },
  errors: ['pass_not_found', 'forbidden'],
  async handle(ctx: KeyCtx, { params, query }) {
    const { db } = ctx.app.database;
    const { workspaceId } = ctx;
    const { passId } = await findPass(db, ctx, params.passId);
    const { status, email } = query;
    const emailHash =
      email === undefined ? undefined : emailHashOf(ctx, workspaceId, normalEmail(email) ?? email);
    const page = pageMade(
      ctx,
      JSON.stringify(['listInvites', workspaceId, passId, status, emailHash?.toString('hex')]),
      query,
    );
    const rows = await listInviteRows(db, { workspaceId, passId, status, emailHash }, page);
    return answer(200, page.of(rows, 'inviteId', presentInvite));
  },
});

export const getInvitePage = endpoint({
  op: 'getInvitePage',
  tag,
  summary: 'The page of an invitation',
  description: 'Shows the card and a button. Changes nothing: programs that scan mails follow links too.',
  params: LinkPath,
  answers: { 200: 'text/html' },
  errors: ['invite_not_found', 'workspace_suspended', 'pass_not_active', 'pass_archived'],
  page: true,
  handle: async (ctx: PublicCtx, { params, headers }) =>
    page(await showInvite(ctx, params.token, headers['accept-language'])),
});

export const acceptInvite = endpoint({
  op: 'acceptInvite',
  tag,
  summary: 'Take the card of an invitation',
  description:
    'Issues it, and leads to its "Add to wallet" page. A second press leads to the same card, and so does the first for a person who has one already.',
  params: LinkPath,
  accepts: anyContent,
  bodyLimit: 65_536,
  answers: { 303: null },
  errors: ['invite_not_found', 'workspace_suspended', 'pass_not_active', 'pass_archived', 'pool_exhausted'],
  page: true,
  async handle(ctx: PublicCtx, { params }) {
    const location = await acceptVerb(ctx, params.token);
    return answer(303, null, { ...privately, 'cache-control': 'private, no-store', location });
  },
});

export const getUnsubscribePage = endpoint({
  op: 'getUnsubscribePage',
  tag,
  summary: 'The page that ends the mails',
  description: 'Asks first. Changes nothing.',
  params: LinkPath,
  answers: { 200: 'text/html' },
  errors: ['invite_not_found'],
  page: true,
  handle: async (ctx: PublicCtx, { params, headers }) =>
    page(
      await unsubscribePage(
        ctx,
        await inviteByLink(ctx, params.token, 'unsubscribe'),
        headers['accept-language'],
      ),
    ),
});

export const unsubscribe = endpoint({
  op: 'unsubscribe',
  tag,
  summary: 'End the mails to an address',
  description:
    'One click (RFC 8058): mail programs call it by themselves, without cookies, log-in or redirects. The workspace writes to the address no more. Again is the same.',
  params: LinkPath,
  accepts: anyContent,
  bodyLimit: 65_536,
  answers: { 200: 'text/html' },
  errors: ['invite_not_found'],
  page: true,
  async handle(ctx: PublicCtx, { params, headers }) {
    const invite = await unsubscribeVerb(ctx, params.token);
    return page(await unsubscribePage(ctx, { ...invite, isSuppressed: true }, headers['accept-language']));
  },
});

function page({ html, policy }: { readonly html: string; readonly policy: string }) {
  return answer(200, html, { ...pageHeaders(policy), vary: 'accept-language' });
}

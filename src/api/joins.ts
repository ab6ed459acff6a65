import { Type } from 'typebox';
import { Consent, presentConsent } from '../cards/consent.schema.ts';
import { listConsentRows } from '../cards/consents.sql.ts';
import { findInstance } from '../cards/find-instance.ts';
import type { KeyCtx, PublicCtx } from '../context.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { pageMade } from '../engine/listing.ts';
import { confirmJoin as confirmVerb, showProof } from '../enrolment/confirm-join.ts';
import { AppEnrolment, EnrolmentAnswer, JoinFormData, OpenJoinForm } from '../enrolment/join.schema.ts';
import { joinByApp as joinByAppVerb, readJoinForm } from '../enrolment/join-by-app.ts';
import { joinPage, joinPageHeaders, joinScripts } from '../enrolment/join-page.ts';
import { findOpenForm } from '../enrolment/open-form.ts';
import { posterOf } from '../enrolment/poster.ts';
import { submitJoinForm as submitVerb } from '../enrolment/submit-join-form.ts';
import { closed, Id, listOf, listQuery, madeBetween, oneOf } from '../kit/http/schemas/shapes.ts';
import { joinUrl } from '../passes/join-form.ts';
import { barcodeSvg } from '../rendering/barcode-svg.ts';
import { LinkToken, pageHeaders, privately } from '../rendering/link.schema.ts';
import type { PageDocument } from '../rendering/page-document.ts';

const tag = 'Join';
const PassPath = closed({ passId: Id });
const ProofPath = closed({ passId: Id, token: LinkToken });
const notOpen = ['pass_not_found', 'workspace_suspended'] as const;
/** A form without fields: nothing of it is looked at. */
const anyForm = { 'application/x-www-form-urlencoded': 'bytes', 'text/plain': 'bytes' } as const;
const anyone = { 'cache-control': 'public, max-age=3600', 'x-robots-tag': 'noindex' };

export const getJoinPage = endpoint({
  op: 'getJoinPage',
  tag,
  summary: 'The page on which people enrol by themselves',
  description:
    'Of a published pass whose `join` is enabled. In the language of the browser, without JavaScript; hosts of `domainAllow` may show it in a frame.',
  params: PassPath,
  answers: { 200: 'text/html' },
  errors: notOpen,
  page: true,
  async handle(ctx: PublicCtx, { params, headers }) {
    const open = await findOpenForm(ctx, params.passId);
    const shown = await joinPage(ctx, open, headers['accept-language']);
    return answer(200, shown.html, joinPageHeaders(open, shown));
  },
});

export const submitJoinForm = endpoint({
  op: 'submitJoinForm',
  tag,
  summary: 'Enrol on that page',
  description:
    'A person who names no address gets a card, and is led to its page. A person who names one gets a mail, whose button leads to the card that this address has of the pass, or to a new one: the answer is the same either way.',
  params: PassPath,
  body: JoinFormData,
  accepts: { 'application/x-www-form-urlencoded': 'form' },
  bodyLimit: 65_536,
  example: { name: 'Ada', consent_news: 'yes' },
  answers: { 200: 'text/html', 303: null },
  errors: [...notOpen, 'pool_exhausted', 'invalid_join'],
  page: true,
  async handle(ctx: PublicCtx, { params, body, headers }) {
    const done = await submitVerb(ctx, params.passId, body, headers['accept-language']);
    if ('page' in done) return page(done.page);
    return answer(303, null, { ...privately, 'cache-control': 'private, no-store', location: done.link });
  },
});

export const getJoinForm = endpoint({
  op: 'getJoinForm',
  tag,
  summary: 'What that page asks for',
  description: "For a merchant's own app. `challenge` is to be worked on within the hour.",
  params: PassPath,
  answers: { 200: OpenJoinForm },
  errors: notOpen,
  handle: async (ctx: PublicCtx, { params, headers }) =>
    answer(200, await readJoinForm(ctx, params.passId, headers['accept-language']), {
      'cache-control': 'private, no-store',
    }),
});

export const joinByApp = endpoint({
  op: 'joinByApp',
  tag,
  summary: "Enrol from a merchant's own app",
  description:
    'Without a key, since an app cannot keep one: limited per address, as the page is. A server with a key issues cards itself.',
  params: PassPath,
  body: AppEnrolment,
  bodyLimit: 65_536,
  example: { values: { name: 'Ada' }, consents: { news: true } },
  answers: { 200: EnrolmentAnswer },
  errors: [...notOpen, 'pool_exhausted', 'invalid_join'],
  async handle(ctx: PublicCtx, { params, body, headers }) {
    const made = await joinByAppVerb(ctx, params.passId, body, headers['accept-language']);
    return answer(200, made, { 'cache-control': 'private, no-store' });
  },
});

export const getProofPage = endpoint({
  op: 'getProofPage',
  tag,
  summary: 'The page behind the link of that mail',
  description: 'Has a button. Changes nothing: programs that scan mails follow links too.',
  params: ProofPath,
  answers: { 200: 'text/html' },
  errors: [...notOpen, 'invalid_join'],
  page: true,
  handle: async (ctx: PublicCtx, { params, headers }) =>
    page(await showProof(ctx, params, headers['accept-language'])),
});

export const confirmJoin = endpoint({
  op: 'confirmJoin',
  tag,
  summary: 'Prove an address, and get the card',
  description: 'Once. Leads to the card that the address has of the pass, or to a new one.',
  params: ProofPath,
  accepts: anyForm,
  bodyLimit: 65_536,
  answers: { 303: null },
  errors: [...notOpen, 'pool_exhausted', 'invalid_join'],
  page: true,
  async handle(ctx: PublicCtx, { params }) {
    const location = await confirmVerb(ctx, params);
    return answer(303, null, { ...privately, 'cache-control': 'private, no-store', location });
  },
});

const PosterQuery = Type.Object({
  lang: Type.Optional(
    Type.String({ maxLength: 35, description: 'BCP 47; the language of the shop by default' }),
  ),
});

export const getPosterPdf = endpoint({
  op: 'getPosterPdf',
  tag,
  summary: 'A poster for the shop, to print',
  description: 'A4, with a code that leads to the page.',
  params: PassPath,
  query: PosterQuery,
  answers: { 200: 'application/pdf' },
  errors: [...notOpen, 'overloaded'],
  page: true,
  handle: async (ctx: PublicCtx, { params, query }) =>
    answer(200, await posterOf(ctx, await findOpenForm(ctx, params.passId), query.lang, 'pdf'), {
      ...anyone,
      'content-disposition': 'inline; filename="poster.pdf"',
    }),
});

export const getPosterPng = endpoint({
  op: 'getPosterPng',
  tag,
  summary: 'The same as a picture',
  description: 'For a screen in the shop.',
  params: PassPath,
  query: PosterQuery,
  answers: { 200: 'image/png' },
  errors: [...notOpen, 'overloaded'],
  page: true,
  handle: async (ctx: PublicCtx, { params, query }) =>
    answer(200, await posterOf(ctx, await findOpenForm(ctx, params.passId), query.lang, 'png'), anyone),
});

export const getJoinQr = endpoint({
  op: 'getJoinQr',
  tag,
  summary: 'The address of that page as a QR code',
  description: 'For a poster of your own, or a screen in the shop.',
  params: PassPath,
  answers: { 200: 'image/svg+xml; charset=utf-8' },
  errors: notOpen,
  page: true,
  async handle(ctx: PublicCtx, { params }) {
    const { pass } = await findOpenForm(ctx, params.passId);
    return answer(200, barcodeSvg('qr', joinUrl(ctx.app.config.publicUrl, pass.passId)), anyone);
  },
});

export const getJoinScript = endpoint({
  op: 'getJoinScript',
  tag,
  summary: 'A script of that page',
  description:
    'The page loads `join.js` by itself. A shop that loads `frame.js` in a page of its own shows this one in its place: docs/API.md, "Enrolling".',
  params: closed({ passId: Id, script: oneOf(['join.js', 'frame.js']) }),
  answers: { 200: 'text/javascript' },
  errors: [],
  handle: async (_ctx: PublicCtx, { params }) => answer(200, joinScripts.get(params.script) ?? '', anyone),
});

export const listConsents = endpoint({
  op: 'listConsents',
  call: 'instances.consents',
  tag,
  summary: 'What the holder of a card has agreed to',
  description: 'Each time that they enrolled, with the text as they read it; newest first.',
  params: closed({ instanceId: Id }),
  query: listQuery(madeBetween),
  answers: { 200: listOf(Consent) },
  errors: ['instance_not_found', 'forbidden'],
  async handle(ctx: KeyCtx, { params, query }) {
    const { db } = ctx.app.database;
    const card = await findInstance(db, ctx, params.instanceId);
    const page = pageMade(ctx, `listConsents/${card.instanceId}`, query);
    const rows = await listConsentRows(db, card, page);
    return answer(200, page.of(rows, 'consentId', presentConsent));
  },
});

function page({ html, policy }: PageDocument) {
  return answer(200, html, { ...pageHeaders(policy), 'cache-control': 'private, no-store' });
}

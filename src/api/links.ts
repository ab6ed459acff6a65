import { lastModified, sentModified } from '../cards/last-modified.ts';
import { linkTo } from '../cards/link-token.ts';
import type { PublicCtx } from '../context.ts';
import { saveToGoogle as saveVerb } from '../delivery/google/save-to-google.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { isNotModified } from '../kit/http/endpoints/headers.ts';
import { askedLanguage, wordsIn } from '../locales/languages.ts';
import { barcodeSvg } from '../rendering/barcode-svg.ts';
import { cardView } from '../rendering/card-view.ts';
import { LinkPath, pageHeaders, privately } from '../rendering/link.schema.ts';
import { noteFetched, noteVisit, openCard } from '../rendering/open-card.ts';
import { cardPage, platformOf } from '../rendering/page.ts';
import { passFileAnswer } from '../rendering/pass-file-answer.ts';
import { branded, brandOf } from '../rendering/shop-brand.ts';

const tag = 'Holder';
const pkpass = 'application/vnd.apple.pkpass';

export const openLink = endpoint({
  op: 'openLink',
  tag,
  summary: 'The "Add to wallet" page of a card',
  description:
    'A page without JavaScript: the card, the right button for the platform, a QR code on the desktop.',
  params: LinkPath,
  answers: { 200: 'text/html' },
  errors: ['instance_not_found'],
  page: true,
  async handle(ctx: PublicCtx, { params, headers }) {
    const card = await openCard(ctx, params.token);
    await noteVisit(ctx, card);
    const reader = card.holder?.locale ?? askedLanguage(headers['accept-language']) ?? card.workspaceLocale;
    const { html, policy } = cardPage(cardView(ctx, card, reader), platformOf(headers['user-agent']));
    return answer(200, html, { ...pageHeaders(policy), vary: 'user-agent, accept-language' });
  },
});

export const downloadApplePass = endpoint({
  op: 'downloadApplePass',
  tag,
  summary: 'The signed pass file for Apple Wallet',
  description: 'Answers 304 where the device has the newest one.',
  params: LinkPath,
  answers: { 200: pkpass, 304: null },
  errors: ['instance_not_found'],
  page: true,
  async handle(ctx: PublicCtx, { params, headers }) {
    const card = await openCard(ctx, params.token);
    const modified = lastModified(card);
    const asOf = (sent: Date) => ({ ...privately, 'last-modified': sent.toUTCString() });
    if (isNotModified(modified, headers['if-modified-since']))
      return answer(304, null, asOf(sentModified(modified, ctx.app.now())));
    const issuer = await ctx.app.appleIssuers.ofNew(card.workspaceId, card.ownPassType);
    const chunks = await ctx.app.passFiles.build(card, issuer);
    return passFileAnswer(chunks, {
      ...asOf(await noteFetched(ctx, card)),
      'content-disposition': 'attachment; filename="card.pkpass"',
    });
  },
});

export const saveToGoogle = endpoint({
  op: 'saveToGoogle',
  hasOwnLimits: true,
  tag,
  summary: 'The save link of Google Wallet',
  description: 'Google is sent the card first, when it does not have it as it is.',
  params: LinkPath,
  answers: { 302: null },
  errors: ['instance_not_found', 'wallet_not_configured', 'wallet_unavailable'],
  page: true,
  async handle(ctx: PublicCtx, { params }) {
    const card = await openCard(ctx, params.token);
    const brand = brandOf(ctx.app.config.publicUrl, card.organization, card);
    const location = await branded(brand, () => saveVerb(ctx, card));
    // The link is as secret as the card, and a holder who follows it again may need a newer one.
    return answer(302, null, { ...privately, 'cache-control': 'private, no-store', location });
  },
});

export const getLinkQr = endpoint({
  op: 'getLinkQr',
  tag,
  summary: 'The link as a QR code',
  description: 'For a screen that the phone is held against.',
  params: LinkPath,
  answers: { 200: 'image/svg+xml; charset=utf-8' },
  errors: ['instance_not_found'],
  page: true,
  async handle(ctx: PublicCtx, { params }) {
    const card = await openCard(ctx, params.token);
    const title = wordsIn(card.holder?.locale ?? card.workspaceLocale).words.card.scanCode;
    return answer(200, barcodeSvg('qr', linkTo(ctx.app.config.publicUrl, card), { title }), privately);
  },
});

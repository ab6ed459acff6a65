import { Type } from 'typebox';
import type { PublicCtx } from '../context.ts';
import {
  installWebCard as installVerb,
  removeWebCard as removeVerb,
} from '../delivery/web/install-web-card.ts';
import { passIcon } from '../delivery/web/pass-icon.ts';
import { Installation, ViewerId, WebCard } from '../delivery/web/web-card.schema.ts';
import {
  pageScripts,
  scriptNames,
  webCardManifest,
  webCardPage,
  workerScript,
} from '../delivery/web/web-card-page.ts';
import { webCardState } from '../delivery/web/web-card-state.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { strangersShares } from '../engine/shares.ts';
import { contentTag } from '../kit/http/endpoints/headers.ts';
import { closed, oneOf } from '../kit/http/schemas/shapes.ts';
import { cardView } from '../rendering/card-view.ts';
import { drawnIcon, iconNames } from '../rendering/drawn-icon.ts';
import { LinkPath, LinkToken, pageHeaders, privately } from '../rendering/link.schema.ts';
import { noteVisit, openCard } from '../rendering/open-card.ts';
import { shownColors } from '../rendering/page.ts';
import { previewSvg } from '../rendering/previews/draw-preview.ts';
import { previewOf } from '../rendering/previews/read-preview.ts';

const tag = 'Web card';
const errors = ['instance_not_found'];

export const openWebCard = endpoint({
  op: 'openWebCard',
  tag,
  summary: 'The web card',
  description:
    'The card itself, in a browser: it follows every change, can be installed and printed, and works offline. Without JavaScript it is a picture of this moment.',
  params: LinkPath,
  answers: { 200: 'text/html' },
  errors,
  page: true,
  async handle(ctx: PublicCtx, { params }) {
    const card = await openCard(ctx, params.token);
    await noteVisit(ctx, card);
    const view = cardView(ctx, card);
    const { html, policy } = webCardPage({
      view,
      state: webCardState(view, ctx.app.now()),
      instanceId: card.instanceId,
      pushKey: ctx.app.webPush.publicKey,
    });
    return answer(200, html, pageHeaders(policy));
  },
});

export const getWebCard = endpoint({
  op: 'getWebCard',
  tag,
  summary: 'What the web card shows now',
  description: 'What the page shows, as data: equal versions show the same.',
  params: LinkPath,
  answers: { 200: WebCard },
  errors,
  async handle(ctx: PublicCtx, { params }) {
    const card = await openCard(ctx, params.token);
    return answer(200, webCardState(cardView(ctx, card), ctx.app.now()), privately);
  },
});

export const watchWebCard = endpoint({
  op: 'watchWebCard',
  tag,
  summary: 'The changes of a web card as they happen',
  description:
    'Server-sent events: `card` with what the card shows, at once unless Last-Event-ID names that version, and after every change; `beat` every 15 seconds; `gone` when the card was erased. While it is read, the browser counts as a wallet.',
  params: LinkPath,
  query: closed({ viewer: ViewerId }),
  answers: { 200: 'text/event-stream' },
  errors: [...errors, 'overloaded'],
  async handle(ctx: PublicCtx, { params, query, headers }) {
    const card = await openCard(ctx, params.token);
    const events = await ctx.app.webCards.open({
      workspaceId: card.workspaceId,
      instanceId: card.instanceId,
      viewerId: query.viewer,
      version: headers['last-event-id'] ?? null,
      state: webCardState(cardView(ctx, card), ctx.app.now()),
      shares: strangersShares(ctx, card.workspaceId),
      signal: ctx.client?.signal,
    });
    // nginx would wait for more before it passes on an event.
    return answer(200, events, { ...privately, 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  },
});

export const installWebCard = endpoint({
  op: 'installWebCard',
  tag,
  summary: 'The browser has installed the card',
  description:
    'It counts as a wallet for 30 days from here, and with a subscription for as long as its push service takes pushes. Endpoints of other hosts than the known push services are refused.',
  params: LinkPath,
  body: Installation,
  bodyLimit: 8_192,
  example: { viewer: '0e4f7a52-94b1-4f0e-9d3c-6f2f1f1f9a10', installed: true },
  answers: { 204: null },
  errors,
  async handle(ctx: PublicCtx, { params, body }) {
    const { endpoint: pushEndpoint, keys: pushKeys = null } = body.subscription ?? {};
    const subscription = pushEndpoint === undefined ? null : { pushEndpoint, pushKeys };
    await installVerb(ctx, { token: params.token, viewerId: body.viewer, subscription });
    return answer(204, null, privately);
  },
});

export const removeWebCard = endpoint({
  op: 'removeWebCard',
  tag,
  summary: 'The browser has the card installed no longer',
  description: 'It counts as a wallet no more, and no push is sent to it.',
  params: LinkPath,
  query: closed({ viewer: ViewerId }),
  answers: { 204: null },
  errors,
  async handle(ctx: PublicCtx, { params, query }) {
    await removeVerb(ctx, { token: params.token, viewerId: query.viewer });
    return answer(204, null, privately);
  },
});

export const getWebCardManifest = endpoint({
  op: 'getWebCardManifest',
  tag,
  summary: 'What a browser needs to install the card',
  description: 'A web app manifest, with name, colours and icons of the card.',
  params: LinkPath,
  answers: { 200: 'application/manifest+json' },
  errors,
  async handle(ctx: PublicCtx, { params }) {
    const view = cardView(ctx, await openCard(ctx, params.token));
    return answer(200, JSON.stringify(webCardManifest(view)), privately);
  },
});

export const getWebCardIcon = endpoint({
  op: 'getWebCardIcon',
  tag,
  summary: 'The icon of an installed card',
  description: 'That of its pass, or else a drawing. `v` changes when the icon of the pass does.',
  params: closed({ token: LinkToken, icon: oneOf(iconNames) }),
  query: closed({ v: Type.Optional(Type.String({ maxLength: 64 })) }),
  answers: { 200: 'image/png' },
  errors,
  async handle(ctx: PublicCtx, { params }) {
    const view = cardView(ctx, await openCard(ctx, params.token));
    const colors = shownColors(view);
    const png =
      view.icon === null
        ? await drawnIcon(colors, params.icon)
        : await passIcon(ctx.app.images, view.icon, colors, params.icon);
    return answer(200, png, privately);
  },
});

export const getCardPicture = endpoint({
  op: 'getCardPicture',
  hasOwnLimits: true,
  tag,
  summary: 'The card as a picture',
  description: 'As a wallet shows it, with its barcode: to be kept among photographs, or printed.',
  params: LinkPath,
  answers: { 200: 'image/png' },
  errors: [...errors, 'overloaded'],
  async handle(ctx: PublicCtx, { params }) {
    const card = await openCard(ctx, params.token);
    const { images, previews, now } = ctx.app;
    const draw = async () => {
      const svg = previewSvg(await previewOf(card, 'apple', { images, now: now() }));
      return previews.pngOf(contentTag(svg), svg);
    };
    const png = await previews.inTurn(strangersShares(ctx, card.workspaceId), draw, ctx.client?.signal);
    return answer(200, png, privately);
  },
});

export const getWebCardScript = endpoint({
  op: 'getWebCardScript',
  tag,
  summary: "A script of the web card's page",
  description: 'The page loads it by itself.',
  params: closed({ token: LinkToken, script: oneOf(scriptNames) }),
  answers: { 200: 'text/javascript' },
  errors,
  async handle(ctx: PublicCtx, { params }) {
    await openCard(ctx, params.token);
    return answer(200, pageScripts.get(params.script) ?? '', privately);
  },
});

export const getWebCardWorker = endpoint({
  op: 'getWebCardWorker',
  tag,
  summary: 'The service worker of an installed card',
  description: 'It lies where it does because a worker serves what lies next to it: this card and no other.',
  params: LinkPath,
  answers: { 200: 'text/javascript' },
  errors,
  async handle(ctx: PublicCtx, { params }) {
    await openCard(ctx, params.token);
    return answer(200, workerScript, {
      ...privately,
      'content-security-policy': "default-src 'none'; connect-src 'self'",
    });
  },
});

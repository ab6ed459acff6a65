import { Type } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { contentTag, matchesEtag } from '../kit/http/endpoints/headers.ts';
import { closed, Id, oneOf } from '../kit/http/schemas/shapes.ts';
import { DesignedPass, DesignPreview } from '../rendering/previews/design.schema.ts';
import { previewSvg } from '../rendering/previews/draw-preview.ts';
import { previewDesign as previewDesignVerb } from '../rendering/previews/preview-design.ts';
import { readPreview } from '../rendering/previews/read-preview.ts';

const tag = 'Passes';
const params = closed({ passId: Id });
const query = closed({
  platform: Type.Optional({ ...oneOf(['apple', 'google']), description: 'whose wallet, default apple' }),
  instanceId: Type.Optional({
    ...Id,
    description:
      'an instance of the pass; without it, a card that would be issued now, with the barcode PREVIEW, or a number where its format holds no letters',
  }),
});
const description =
  'How the card looks in the wallet, with its real barcode, as far as a drawing can show. It holds all that it shows: pictures are part of it, and nothing is loaded. Equal cards give equal bytes.';
const errors = ['pass_not_found', 'instance_not_found', 'forbidden'] as const;

export const getPreviewSvg = endpoint({
  op: 'getPreviewSvg',
  call: 'passes.previewSvg',
  tag,
  summary: 'A card as a wallet shows it, as SVG',
  description,
  params,
  query,
  answers: { 200: 'image/svg+xml; charset=utf-8', 304: null },
  errors,
  async handle(ctx: KeyCtx, { params, query, headers }) {
    const svg = previewSvg(await readPreview(ctx, { platform: 'apple', ...params, ...query }));
    const caching = cachingOf(svg);
    if (matchesEtag(headers['if-none-match'], caching.etag)) return answer(304, null, caching);
    return answer(200, svg, { ...caching, ...policy });
  },
});

export const getPreviewPng = endpoint({
  op: 'getPreviewPng',
  call: 'passes.previewPng',
  hasOwnLimits: true,
  tag,
  summary: 'A card as a wallet shows it, as PNG',
  description,
  params,
  query,
  answers: { 200: 'image/png', 304: null },
  errors,
  async handle(ctx: KeyCtx, { params, query, headers }) {
    const { previews } = ctx.app;
    const draw = async () => {
      const svg = previewSvg(await readPreview(ctx, { platform: 'apple', ...params, ...query }));
      const caching = cachingOf(svg);
      if (matchesEtag(headers['if-none-match'], caching.etag)) return answer(304, null, caching);
      return answer(200, await previews.pngOf(caching.etag, svg), { ...caching, ...policy });
    };
    return previews.inTurn(ctx.workspaceId, draw, ctx.client?.signal);
  },
});

export const previewDesign = endpoint({
  op: 'previewDesign',
  call: 'passes.previewDesign',
  hasOwnLimits: true,
  tag,
  idempotent: false,
  summary: 'A design before it is kept',
  description:
    'Draws what a new card of the design would show, in both wallets and on the web, and says how many cards the change would reach and what it would cost. Writes nothing. The body is that of creating a pass, or with `passId` that of changing it; images from the web are fetched when it is kept, uploads are drawn at once. `warnings` name what wallets would not show as one may expect.',
  body: DesignedPass,
  bodyLimit: 262_144,
  example: { passId: 'pass_…', title: 'Blue Bean Club', colors: { background: '#10324a' } },
  answers: { 200: DesignPreview },
  errors: ['pass_not_found', 'forbidden', 'asset_fetch_failed'],
  handle: (ctx: KeyCtx, { body }) =>
    ctx.app.previews.inTurn(
      ctx.workspaceId,
      async () => answer(200, await previewDesignVerb(ctx, body)),
      ctx.client?.signal,
    ),
});

/** Opening the address itself shows a document that can do nothing. */
const policy = {
  'content-security-policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
};

/** The picture follows from the drawing: where the client has the drawing already, no picture is made. */
function cachingOf(svg: string) {
  return { etag: `"${contentTag(svg)}"`, 'cache-control': 'private, no-cache' };
}

import { Type } from 'typebox';
import type { KeyCtx, PublicCtx } from '../context.ts';
import { endpoint } from '../engine/endpoints.ts';
import { refusal } from '../errors.ts';
import { closed } from '../kit/http/schemas/shapes.ts';
import { mostFileBytes } from '../kit/safe-fetch/safe-fetch.ts';
import { UploadBody, UploadedImage } from '../passes/images/image.schema.ts';
import { immutablePicture } from '../passes/images/immutable-picture.ts';
import { tooLarge, uploadImage as uploadImageVerb } from '../passes/images/upload-image.ts';

/** A form has some lines around the file. */
const mostBody = mostFileBytes + 65_536;

export const uploadImage = endpoint({
  op: 'uploadImage',
  call: 'images.upload',
  tag: 'Images',
  summary: 'Upload an image',
  description:
    'A PNG, JPEG or WebP of 20 MB at most, as the body or as the one file of a form. Use its `url` in `iconUrl`, `logoUrl` and the other image parameters of this workspace, as often as you like, until it `expiresAt`, after three days; passes that were made of it go on showing it. It is decoded at once: what is broken, or too small for every slot, is `invalid_request`. A workspace has 1,000 of them at a time, of 256 MB together.',
  idempotent: true,
  bodyLimit: mostBody,
  tooLarge,
  body: UploadBody,
  accepts: {
    'image/png': 'stream',
    'image/jpeg': 'stream',
    'image/webp': 'stream',
    'multipart/form-data': 'stream',
  },
  answers: { 201: UploadedImage },
  errors: ['payload_too_large', 'upload_limit_reached'],
  handle: (ctx: KeyCtx, { body, headers, key }) =>
    uploadImageVerb(ctx, { body, contentType: headers['content-type'] ?? '', key }),
});

export const getImage = endpoint({
  op: 'getImage',
  tag: 'Images',
  summary: 'An image of a pass',
  description:
    'What was made of the image at the URL that the pass was given, as PNG. The address names the content, which never changes.',
  params: closed({
    hash: Type.String({ maxLength: 64, description: 'SHA-256 of the image, hexadecimal' }),
  }),
  answers: { 200: 'image/png', 304: null },
  errors: ['image_not_found'],
  async handle(ctx: PublicCtx, { params, headers }) {
    const png = await ctx.app.images.read(params.hash);
    if (png === undefined) throw refusal('image_not_found', 'No image has this address.');
    return immutablePicture(png, params.hash, headers['if-none-match']);
  },
});

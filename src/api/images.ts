import { Type } from 'typebox';
import type { PublicCtx } from '../context.ts';
import { endpoint } from '../engine/endpoints.ts';
import { refusal } from '../errors.ts';
import { closed } from '../kit/http/shapes.ts';
import { immutablePicture } from '../passes/images/immutable-picture.ts';

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

import type { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import { closed, nullable, Timestamp } from '../../kit/http/schemas/shapes.ts';
import { imageSlots, type PassImages, type StoredImage } from '../pass-row.ts';

function inEachSlot<S>(urlOf: (about: string) => S) {
  const ImageUrl = urlOf('');
  return {
    iconUrl: ImageUrl,
    logoUrl: ImageUrl,
    stripUrl: ImageUrl,
    thumbnailUrl: ImageUrl,
    backgroundUrl: ImageUrl,
    heroUrl: ImageUrl,
    posterUrl: urlOf('of the type `generic` alone: the whole card from iOS 27 on. '),
  };
}

const fetchedUrl = (about: string) =>
  Type.String({
    maxLength: 8_192,
    description: `${about}https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the \`url\` that \`POST /images\` has answered in the same workspace`,
  });

/** The parameters of a pass that take an image. */
export const imageUrls = inEachSlot((about) => nullable(fetchedUrl(about)));

/** The same of a translation. */
export const translatedImageUrls = inEachSlot(fetchedUrl);

/** Those of a design that is only drawn. */
export const drawnImageUrls = inEachSlot((about) =>
  nullable(
    Type.String({
      maxLength: 200_000,
      description: `${about}the \`url\` that \`POST /images\` has answered, or the picture itself: \`data:image/png;base64,…\`, or webp or jpeg`,
    }),
  ),
);

const Image = Type.Optional(
  closed({
    url: Type.String({ description: 'where the image is served from; it changes when the image does' }),
    width: Type.Integer(),
    height: Type.Integer(),
  }),
);

/** What was made of the images at those URLs. */
export const Images = closed(inEachSlot(() => Image));

const described = {
  'image/png': 'a PNG. The type is read from the bytes: any of the three types is accepted for each of them',
  'image/jpeg': 'a JPEG',
  'image/webp': 'a WebP',
};

/** An image as it is uploaded, read while it arrives: its bytes, or a form with one file. */
export const UploadBody = Type.Union([
  ...Object.entries(described).map(([contentMediaType, description]) =>
    Type.Unsafe<Readable>({ type: 'string', contentMediaType, description }),
  ),
  Type.Unsafe<Readable>({
    type: 'object',
    contentMediaType: 'multipart/form-data',
    required: ['file'],
    properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
    description: 'one part, the file, of any name',
  }),
]);

export const UploadedImage = closed(
  {
    url: Type.String({
      description: 'for the image parameters of passes in this workspace; browsers cannot open it',
    }),
    width: Type.Integer({ description: 'in pixels, as it is to be shown' }),
    height: Type.Integer({ description: 'in pixels, as it is to be shown' }),
    expiresAt: Timestamp,
  },
  { $id: 'UploadedImage' },
);

/** The images of a pass as the API shows them. */
export function presentImages(publicUrl: string, images: PassImages): Static<typeof Images> {
  const entries = imageSlots.flatMap((slot) => {
    const shown = images[slot]?.shown;
    if (shown === undefined) return [];
    const { width, height } = shown;
    return [[slot, { url: imageUrl(publicUrl, shown), width, height }] as const];
  });
  return Object.fromEntries(entries);
}

/** Where the bytes of a stored image are served. A changed image has another address. */
export function imageUrl(publicUrl: string, { hash }: Pick<StoredImage, 'hash'>): string {
  return `${publicUrl}/images/${hash}.png`;
}

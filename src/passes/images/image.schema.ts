import type { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import { closed, nullable, Timestamp } from '../../kit/http/schemas/shapes.ts';
import type { PassImages, StoredImage } from '../pass-row.ts';

const urlUpTo = (maxLength: number, description: string) => nullable(Type.String({ maxLength, description }));

function inEachSlot(maxLength: number, description: string) {
  const ImageUrl = urlUpTo(maxLength, description);
  return {
    iconUrl: ImageUrl,
    logoUrl: ImageUrl,
    stripUrl: ImageUrl,
    thumbnailUrl: ImageUrl,
    backgroundUrl: ImageUrl,
    heroUrl: ImageUrl,
    posterUrl: urlUpTo(
      maxLength,
      `of the type \`generic\` alone: the whole card from iOS 27 on. ${description}`,
    ),
  };
}

/** The parameters of a pass that take an image. */
export const imageUrls = inEachSlot(
  8_192,
  'https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url` that `POST /images` has answered in the same workspace',
);

/** Those of a design that is only drawn. */
export const drawnImageUrls = inEachSlot(
  200_000,
  'the `url` that `POST /images` has answered, or the picture itself: `data:image/png;base64,…`, or webp or jpeg',
);

const Image = Type.Optional(
  closed({
    url: Type.String({ description: 'where the image is served from; it changes when the image does' }),
    width: Type.Integer(),
    height: Type.Integer(),
  }),
);

/** What was made of the images at those URLs. */
export const Images = closed({
  iconUrl: Image,
  logoUrl: Image,
  stripUrl: Image,
  thumbnailUrl: Image,
  backgroundUrl: Image,
  heroUrl: Image,
  posterUrl: Image,
});

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
  const entries = Object.entries(images).map(([slot, { shown }]) => {
    const { width, height } = shown;
    return [slot, { url: imageUrl(publicUrl, shown), width, height }] as const;
  });
  return Object.fromEntries(entries);
}

/** Where the bytes of a stored image are served. A changed image has another address. */
export function imageUrl(publicUrl: string, { hash }: Pick<StoredImage, 'hash'>): string {
  return `${publicUrl}/images/${hash}.png`;
}

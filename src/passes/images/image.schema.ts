import { type Static, Type } from 'typebox';
import { closed, nullable } from '../../kit/http/shapes.ts';
import type { PassImages, StoredImage } from '../pass-row.ts';

const ImageUrl = nullable(
  Type.String({
    maxLength: 8_192,
    description:
      'https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored',
  }),
);

/** The parameters of a pass that take an image. */
export const imageUrls = {
  iconUrl: ImageUrl,
  logoUrl: ImageUrl,
  stripUrl: ImageUrl,
  thumbnailUrl: ImageUrl,
  backgroundUrl: ImageUrl,
  heroUrl: ImageUrl,
};

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
});

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

import type { WantedColors } from '../cards/card-colors.ts';
import { ApiError } from '../kit/http/api-error.ts';
import type { PassImages } from '../passes/pass-row.ts';

/** What mails and error pages show of the shop that they are about. */
export interface Brand {
  readonly shop: string;
  readonly colors: WantedColors;
  /** Replaces the shop's name, which is read where pictures are not loaded. */
  readonly logo: { readonly url: string; readonly width: number; readonly height: number } | null;
}

/** The shop of a pass, as the pass shows it. */
export function brandOf(
  publicUrl: string,
  shop: string,
  { colors, images }: { readonly colors: WantedColors; readonly images: PassImages },
): Brand {
  return { shop, colors, logo: logoOf(publicUrl, images) };
}

function logoOf(publicUrl: string, { logoUrl }: PassImages): Brand['logo'] {
  if (logoUrl === undefined) return null;
  const { hash, width, height } = logoUrl.shown;
  return { url: `${publicUrl}/images/${hash}.png`, width, height };
}

/** How large a logo is drawn on a line of its own. */
export function logoSize({ width, height }: NonNullable<Brand['logo']>): { width: number; height: number } {
  const scale = Math.min(36 / height, 180 / width);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Does work for a page of a shop: what it is refused with is shown as a page of that shop, too. */
export async function branded<T>(brand: Brand, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) error.about ??= brand;
    throw error;
  }
}

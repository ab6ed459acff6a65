import { stampsOf } from '../ledger/stamps-drawing.ts';
import { hasStrip } from '../ledger/stamps-picture.ts';
import type { PassImage } from '../passes/pass-row.ts';
import type { CardRow } from './card.sql.ts';

/** The images of a card by the place in which they are shown; undefined for an empty place. */
export interface PlacedImages {
  readonly icon: PassImage | undefined;
  readonly logo: PassImage | undefined;
  readonly strip: PassImage | undefined;
  readonly thumbnail: PassImage | undefined;
  readonly background: PassImage | undefined;
  /** Above a card that has more room than a strip. */
  readonly hero: PassImage | undefined;
}

/**
 * Which of the images of its pass a card shows: a drawing of stamps takes the place of strip and hero, and a strip that
 * of what would stand behind it or beside it.
 */
export function placedImages({
  type,
  images,
  program,
}: Pick<CardRow, 'type' | 'images' | 'program'>): PlacedImages {
  const drawsStamps = stampsOf(program) !== null;
  const strip = hasStrip(type) && !drawsStamps ? images.stripUrl : undefined;
  const isBareTicket = type === 'eventTicket' && !drawsStamps && strip === undefined;
  return {
    icon: images.iconUrl,
    logo: images.logoUrl,
    strip,
    thumbnail: type === 'generic' || isBareTicket ? images.thumbnailUrl : undefined,
    background: isBareTicket ? images.backgroundUrl : undefined,
    hero: drawsStamps ? undefined : (images.heroUrl ?? images.stripUrl),
  };
}

import type { CardRow } from './card.sql.ts';

/** Signed pass files of cards; the same bytes for the same state of a card. */
export interface PassFiles {
  build(card: CardRow): Promise<Buffer>;
}

import { LRUCache } from 'lru-cache';
import type { Database } from '../kit/db/database.ts';
import { type AllPlaces, findPlaces } from '../passes/places.sql.ts';
import { withNearest } from '../passes/places.ts';
import type { CardRow } from './card.sql.ts';

/** Chooses which places of a chain a card shows. */
export interface NearestPlaces {
  /** A card of a partner with those that are nearest to it; any other as it is, with the first ones of its pass. */
  of(card: CardRow): Promise<CardRow>;
}

/** So many places are kept in memory: a pass has the same for all of its cards until it changes. */
const mostKept = 50_000;

/** Reads the places of a pass once for all of its cards. */
export function createNearestPlaces({ db }: Pick<Database, 'db'>): NearestPlaces {
  const kept = new LRUCache<string, AllPlaces>({
    maxSize: mostKept,
    sizeCalculation: ({ locations, texts }) => locations.length * (1 + Object.keys(texts).length),
    ignoreFetchAbort: true,
    fetchMethod: async (_pass, _stale, { context }) => findPlaces(db, context as CardRow),
  });
  return {
    async of(card) {
      if (card.home === null) return card;
      const all = await kept.fetch(`${card.passId}/${card.passRevision}`, { context: card });
      return all === undefined ? card : withNearest(card, all, card.home);
    },
  };
}

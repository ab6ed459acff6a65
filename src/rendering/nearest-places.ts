import { LRUCache } from 'lru-cache';
import type { Database } from '../kit/db/database.ts';
import { keptWork } from '../kit/promises.ts';
import { type AllPlaces, findPlaces } from '../passes/places.sql.ts';
import { nearestPlaces, withPlaces } from '../passes/places.ts';
import type { CardRow } from './card.sql.ts';

/** Chooses which places of a chain a card shows. */
export interface NearestPlaces {
  /** A card of a partner with those that are nearest to it; any other as it is, with the first ones of its pass. */
  of(card: CardRow): Promise<CardRow>;
}

/** For so many partners, each with ten places of a pass. */
const mostKept = 5_000;

/** Reads the places of a pass, and chooses, once for all of its cards of a partner. */
export function createNearestPlaces({ db }: Pick<Database, 'db'>): NearestPlaces {
  const kept = new LRUCache<string, Promise<AllPlaces | undefined>>({ max: mostKept });
  return {
    async of(card) {
      const { passId, passRevision, home } = card;
      if (home === null) return card;
      const name = `${passId}/${passRevision}/${home.latitude}/${home.longitude}`;
      const chosen = await keptWork(kept, name, async () => {
        const all = await findPlaces(db, card);
        return all && nearestPlaces(all, home);
      });
      return chosen === undefined ? card : withPlaces(card, chosen);
    },
  };
}

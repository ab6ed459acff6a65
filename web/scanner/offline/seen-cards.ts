import type { Database, SeenCard } from './database.ts';

const mostCards = 200;
const keptMs = 12 * 3_600_000;

/** Remembers a card as it was shown, and forgets those that were seen long ago or are too many. */
export async function rememberCard(database: Database, card: SeenCard): Promise<void> {
  const change = database.transaction('cards', 'readwrite');
  await change.store.put(card);
  let excess = (await change.store.count()) - mostCards;
  // The oldest first.
  let cursor = await change.store.index('at').openCursor();
  while (cursor !== null && (excess > 0 || !isFresh(cursor.value, card.at))) {
    await cursor.delete();
    excess -= 1;
    cursor = await cursor.continue();
  }
  await change.done;
}

/** A card that was shown lately; undefined where it was not. */
export async function recallCard(
  database: Database,
  workspaceId: string,
  instanceId: string,
  now: number,
): Promise<SeenCard | undefined> {
  return fresh(await database.get('cards', [workspaceId, instanceId]), now);
}

/** The one card that carries a code, of those that were shown lately. */
export async function recallCode(
  database: Database,
  workspaceId: string,
  code: string,
  now: number,
): Promise<SeenCard | undefined> {
  const [only, ...others] = await database.getAllFromIndex('cards', 'code', [workspaceId, code]);
  return others.length === 0 ? fresh(only, now) : undefined;
}

/** Forgets all cards. */
export function forgetCards(database: Database): Promise<void> {
  return database.clear('cards');
}

function fresh(card: SeenCard | undefined, now: number): SeenCard | undefined {
  return card !== undefined && isFresh(card, now) ? card : undefined;
}

function isFresh({ at }: SeenCard, now: number): boolean {
  return Math.abs(now - at) <= keptMs;
}

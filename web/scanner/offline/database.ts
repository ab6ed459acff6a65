import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Instance, Program } from '../../../sdk/typescript/src/types.ts';
import type { QueuedAward } from './entry.ts';

/** A card as the till has shown it, to show it again without a network. */
export interface SeenCard {
  readonly workspaceId: string;
  readonly instanceId: string;
  /** What its barcode says. */
  readonly code: string;
  readonly card: Instance;
  /** When the service sent it, by the clock of the device. */
  readonly at: number;
}

interface Schema extends DBSchema {
  awards: { key: number; value: QueuedAward; indexes: { ref: string } };
  cards: { key: [string, string]; value: SeenCard; indexes: { at: number; code: [string, string] } };
  programs: { key: string; value: Program };
  /** What is known of the device: how far the service is ahead of its clock. */
  device: { key: string; value: number };
}

export type Database = IDBPDatabase<Schema>;

const name = 'punchcard-scan';

/** The steps from each version to the next: they are never edited, only added to. Databases of former versions go through those that they lack. */
const upgrades: readonly ((database: Database) => void)[] = [
  (database) => {
    const awards = database.createObjectStore('awards', { keyPath: 'seq', autoIncrement: true });
    awards.createIndex('ref', 'ref', { unique: true });
    const cards = database.createObjectStore('cards', { keyPath: ['workspaceId', 'instanceId'] });
    cards.createIndex('at', 'at');
    cards.createIndex('code', ['workspaceId', 'code']);
    database.createObjectStore('programs', { keyPath: 'programId' });
    database.createObjectStore('device');
  },
  // The cards that former versions kept have their links.
  (database) => {
    database.deleteObjectStore('cards');
    const cards = database.createObjectStore('cards', { keyPath: ['workspaceId', 'instanceId'] });
    cards.createIndex('at', 'at');
    cards.createIndex('code', ['workspaceId', 'code']);
  },
];

/**
 * Opens what the browser keeps for the scanner; null where it keeps nothing: in a private window, on a full disk, or when a newer
 * version of the page has written it. `gone` is called when it is closed under the page.
 */
export async function openDatabase(gone: () => void): Promise<Database | null> {
  try {
    const database = await openDB<Schema>(name, upgrades.length, {
      upgrade(database, from) {
        for (const step of upgrades.slice(from)) step(database);
      },
      // A newer page waits for this one.
      blocking(_from, _to, event) {
        (event.target as IDBDatabase).close();
        gone();
      },
      terminated: gone,
    });
    // Some browsers open it and refuse to write.
    await database.put('device', 0, 'probe');
    return database;
  } catch {
    return null;
  }
}

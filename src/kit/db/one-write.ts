import type { Db } from './database.ts';
import { sendBySession } from './sql.ts';
import { renameIfStale } from './statement.ts';

/**
 * Statements that read, sent on one connection, in one write as far as `ask` sends them before it awaits one: several of
 * them take no longer than one that asks for all at once. Each sees what has been committed by then.
 */
export async function inOneWrite<T>(db: Db, ask: (db: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (one) => {
    await sendBySession(one);
    try {
      return await ask(one);
    } catch (error) {
      if (!renameIfStale(error)) throw error;
      return ask(one);
    }
  });
}

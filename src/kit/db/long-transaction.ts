import type pg from 'pg';
import { setForTransaction } from '../citus/citus.ts';
import { beginTransaction, openDatabase, patientMs, type Tx } from './database.ts';

/** A transaction, and the connection that it is on: for what Kysely has no words for, such as COPY. */
export interface LongTransaction {
  readonly tx: Tx;
  readonly client: pg.ClientBase;
}

/**
 * Runs `work` in one transaction on a connection of its own, for as long as it takes, and commits it. A failure ends the
 * connection, in the middle of whatever it does: the server rolls back.
 */
export async function inLongTransaction<T>(
  url: string,
  mode: {
    readonly name: string;
    readonly isolation: 'read committed' | 'repeatable read';
    readonly access: 'read only' | 'read write';
  },
  work: (long: LongTransaction) => Promise<T>,
): Promise<T> {
  const database = openDatabase({
    url,
    name: mode.name,
    connections: 1,
    connectMs: patientMs,
    silenceMs: 0,
    copies: true,
    onError: () => undefined,
  });
  const { promise: connected, resolve } = Promise.withResolvers<pg.ClientBase>();
  database.pool.once('connect', resolve);
  try {
    const tx = await beginTransaction(database.db, {
      isolationLevel: mode.isolation,
      accessMode: mode.access,
    });
    const client = await connected;
    try {
      // No statement of these takes the snapshot: the caller may lock something before.
      await setForTransaction(client, {
        statement_timeout: '0',
        lock_timeout: '1min',
        idle_in_transaction_session_timeout: '0',
      });
      const result = await work({ tx, client });
      await tx.unit.endAll(tx);
      await tx.commit().execute();
      return result;
    } catch (error) {
      // A COPY that has stopped half-way would keep a ROLLBACK waiting.
      if ('end' in client && typeof client.end === 'function') void client.end();
      await tx
        .rollback()
        .execute()
        .catch(() => undefined);
      throw error;
    }
  } finally {
    await database.close();
  }
}

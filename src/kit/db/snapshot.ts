import { type Database, type Tx, transactOnce } from './database.ts';

/**
 * Runs `work` in one REPEATABLE READ transaction and commits it: all its statements see the same moment, whatever
 * others commit meanwhile. To change a row that somebody else has changed since raises SQLSTATE 40001; it is not tried
 * again.
 */
export function inSnapshot<T>({ db }: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transactOnce(db, work, { isolationLevel: 'repeatable read' });
}

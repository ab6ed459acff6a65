import { setTimeout as sleep } from 'node:timers/promises';
import {
  CamelCasePlugin,
  type ControlledTransaction,
  isAbortedTransactionError,
  Kysely,
  PostgresDialect,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import type { Schema } from '../../../db/schema.ts';
import { sessionBounds } from './inspect-sessions.ts';

/** Reads. A `Tx` fits where a read wants `Db`; the reverse does not compile. */
export type Db = Kysely<Schema>;
/** Writes: every function that changes rows takes a transaction. */
export type Tx = Transaction<Schema>;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /**
   * Runs `work` in one READ COMMITTED transaction and commits it. After a serialization failure, a deadlock or a
   * lost race it is run again from the start, so it must hold no outside effect.
   * Raises what `work` raises, or a `CommitUnknown` when nobody can say whether the commit took place.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The connection broke while COMMIT was under way: the change is there or it is not. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during commit', { cause });
    this.name = 'CommitUnknown';
  }
}

/** Somebody else's commit came in between: the transaction starts again and then sees it. */
export class LostRace extends Error {}

/** It did not get its turn in the time that a request may wait for one; nothing was begun. */
export class NoTurn extends Error {}

interface Options {
  readonly url: string;
  /** Largest number of connections of this process. */
  readonly connections: number;
  /** Longest wait for an answer of the server, longer than a statement may take there; 7 s unless told. */
  readonly silenceMs?: number;
  onError(error: Error): void;
}

/** Opens a pool on PostgreSQL 15 or newer; connects lazily. */
export function openDatabase(options: Options): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    ...sessionBounds,
    // The server's statement_timeout cannot help on a black-holed socket.
    query_timeout: options.silenceMs ?? 7_000,
    types: typeParsers,
  });
  // Without listeners, a client whose server restarts ends the whole process. A lost connection is told of once: by the
  // client, idle or not, and no longer while the pool closes, when the server may be faster than the good-bye.
  pool.on('error', () => undefined);
  let isClosing = false;
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      if (!isClosing) options.onError(error);
    });
  });
  // Given back in the middle of a query: its server has fallen silent, and would be to its next user, too.
  pool.on('release', (_error, client) => {
    if (isBusy(client)) void client.end();
  });
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return {
    db,
    pool,
    transaction: (work) => transact(db, work),
    async close() {
      isClosing = true;
      await db.destroy();
      // A builder of statements that was never used leaves the pool as it is.
      if (!pool.ending) await pool.end();
    },
  };
}

const maxTries = 5;

async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactOnce(db, work);
    } catch (error) {
      if (attempt === maxTries || !isWorthAnotherTry(error)) throw error;
      await sleep(Math.random() * 20 * attempt);
    }
  }
}

async function transactOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await db.startTransaction().execute();
  try {
    const result = await work(tx);
    await commit(tx);
    return result;
  } catch (error) {
    // This also gives the connection back. When it is gone the rollback fails too; the first error is the one that tells.
    await tx
      .rollback()
      .execute()
      .catch(() => undefined);
    throw error;
  }
}

/** Raises `CommitUnknown` unless the server has said what became of the transaction. */
async function commit(tx: ControlledTransaction<Schema>): Promise<void> {
  try {
    await tx.commit().execute();
  } catch (error) {
    const isKnown = sqlState(error) !== undefined && !isConnectionLoss(error);
    throw isKnown || isAbortedTransactionError(error) ? error : new CommitUnknown(error);
  }
}

/** The five-character SQLSTATE of a database error, if it is one. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The constraint that a database error names, if it names one. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

/**
 * Whether a failed transaction may be tried again by the client: it was rolled back for certain and the cause
 * passes by itself (lock, race, time-out, restart, disk, connections). A lost commit is not among them.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof CommitUnknown) return false;
  if (error instanceof LostRace) return true;
  const state = sqlState(error);
  if (isHeldUp(error)) return true;
  if (state !== undefined) return /^(40|53|08|57|58|25P0[34])/.test(state);
  // No connection came about: no socket file, which is not any missing file, or no answer to the server's name.
  const wasNotReached =
    error instanceof Error &&
    'syscall' in error &&
    ['connect', 'getaddrinfo'].includes(String(error.syscall));
  return (
    wasNotReached ||
    (error instanceof Error &&
      connectionTrouble.test(`${error.message} ${'code' in error ? error.code : ''}`))
  );
}

/** Whether a connection, a turn or a lock did not come for as long as a request may wait for it. */
export function isHeldUp(error: unknown): boolean {
  if (error instanceof NoTurn || sqlState(error) === '55P03') return true;
  return error instanceof Error && noConnectionInTime.test(error.message);
}

/** A lock time-out is not: it has waited long enough already. */
function isWorthAnotherTry(error: unknown): boolean {
  return error instanceof LostRace || ['40001', '40P01'].includes(sqlState(error) ?? '');
}

function isBusy(client: pg.PoolClient): boolean {
  return 'readyForQuery' in client && client.readyForQuery === false;
}

function isConnectionLoss(error: unknown): boolean {
  return /^(08|57P0)/.test(sqlState(error) ?? '');
}

/** As pg-pool says it: none was free, or a new one did not come about. */
const noConnectionInTime = /^timeout exceeded when trying to connect$|due to connection timeout$/;
const connectionTrouble =
  /Connection terminated|Query read timeout|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|Client has encountered a connection error|not queryable/;

/** bigint comes back as a number, and fails loudly where that would round. */
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return safeInteger;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} is beyond 2^53 - 1`);
  return value;
}

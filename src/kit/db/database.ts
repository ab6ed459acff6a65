import { setTimeout as sleep } from 'node:timers/promises';
import {
  CamelCasePlugin,
  type ControlledTransaction,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import type { Schema } from '../../../db/schema.ts';
import type { KeyedHash } from '../crypto/at-rest.ts';
import {
  CommitUnknown,
  isCommitUnknown,
  LostRace,
  sqlState,
  type Violation,
  violationIn,
} from './database-errors.ts';
import { sessionBounds } from './inspect-sessions.ts';
import { createDriver, inspectClient, RolledBack, Session, ShardMoved } from './session.ts';
import { sendBy, sendBySession, sendLike, sql } from './sql.ts';
import { type Result, renameIfStale, typeParsers } from './statement.ts';
import { type Tx, Unit } from './unit.ts';

export type { Tx };

/** Reads. A `Tx` fits where a read wants `Db`; the reverse does not compile. */
export type Db = Kysely<Schema>;
/** A transaction that its owner ends. */
export type OpenTx = ControlledTransaction<Schema> & { readonly unit: Unit };

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** By which the keys of claims are hidden; absent where no caller hides or repeats any. */
  readonly keyHash?: KeyedHash;
  /**
   * Runs `work` in one READ COMMITTED transaction, writes what it has left to the end, and commits it. After a
   * serialization failure, a deadlock, a lost race or a violated key it is run again from the start, so it must hold no
   * outside effect.
   * Raises what `work` raises, or a `CommitUnknown` when it is unknown whether the commit took place.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, bounds?: TransactionBounds): Promise<T>;
  close(): Promise<void>;
}

export interface TransactionBounds {
  /** How often it is begun at most; 5 times by default. */
  readonly tries?: number;
  /** The longest wait for a lock, where it is shorter than that of every session. */
  readonly lockMs?: number;
}

export interface DatabaseOptions {
  readonly url: string;
  /** What its sessions are called in `pg_stat_activity`, unless the URL says. */
  readonly name?: string;
  /** Settings of its sessions, as in `psql`'s PGOPTIONS. */
  readonly settings?: string;
  /** Largest number of connections of this process. */
  readonly connections: number;
  /** Longest wait for a connection; 2 s by default, which suits callers of the API. */
  readonly connectMs?: number;
  /** Longest wait for an answer of the server, longer than a statement may take there; 7 s by default. */
  readonly silenceMs?: number;
  readonly keyHash?: KeyedHash;
  /** Whether the caller takes a connection for what cannot be pipelined, such as COPY. */
  readonly copies?: boolean;
  onError(error: Error): void;
  /** A race that the code does not provide for has violated a key: the transaction is about to start again. */
  onViolation?(violated: Violation): void;
}

/** What a command waits for a connection, in ms: on a busy machine one may be long in coming. */
export const patientMs = 15_000;

/** Opens a pool on PostgreSQL 15 or newer; connects lazily. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    ...(options.name !== undefined && { fallback_application_name: options.name }),
    ...(options.settings !== undefined && { options: options.settings }),
    max: options.connections,
    connectionTimeoutMillis: options.connectMs ?? 2_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    pipeline: options.copies !== true,
    ...sessionBounds,
    // The server's statement_timeout cannot help on a black-holed socket.
    query_timeout: options.silenceMs ?? 7_000,
    types: typeParsers,
    onConnect: inspectClient,
  });
  // Without listeners, a client whose server restarts ends the whole process. A lost connection is reported once: by the
  // client, idle or not, and no longer while the pool closes, when the server may close the connection first.
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
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => createDriver(pool),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  sendBy(db, { send: (text, values, isPrepared) => sendAlone(pool, text, values, isPrepared) });
  return {
    db,
    pool,
    ...(options.keyHash !== undefined && { keyHash: options.keyHash }),
    transaction(work, { tries, lockMs } = {}) {
      const prepared = async (tx: Tx) => {
        tx.unit.keyHash = options.keyHash;
        if (lockMs === undefined) return work(tx);
        const bounded = sql.raw(`set local lock_timeout = ${lockMs}`).execute(tx);
        const done = work(tx);
        await Promise.allSettled([bounded, done]);
        await bounded;
        return done;
      };
      return transact(db, prepared, options.onViolation, tries);
    },
    async close() {
      isClosing = true;
      await db.destroy();
      await pool.end();
    },
  };
}

async function transact<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  onViolation: DatabaseOptions['onViolation'],
  maxTries = 5,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactOnce(db, work);
    } catch (error) {
      const isStale = renameIfStale(error);
      const violated = violationOf(error);
      if (attempt === maxTries || !(isStale || violated !== null || isWorthAnotherTry(error))) throw error;
      if (violated !== null) onViolation?.(violated);
      await sleep(Math.random() * 20 * attempt);
    }
  }
}

/** A transaction that is not tried again. */
export async function transactOnce<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  settings: TransactionSettings = {},
): Promise<T> {
  const tx = await beginTransaction(db, settings);
  const result = await endIn(tx, work);
  tx.unit.committed();
  return result;
}

async function endIn<T>(tx: OpenTx, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    const result = await work(tx);
    if (!tx.unit.isFinal) await tx.unit.end(tx);
    await commit(tx);
    return result;
  } catch (error) {
    // This also gives the connection back. When it is gone the rollback fails too; the first error is the cause.
    await tx
      .rollback()
      .execute()
      .catch(() => undefined);
    throw error;
  }
}

/**
 * Runs `work` in one REPEATABLE READ transaction and commits it: all its statements see the same moment, whatever
 * others commit while it runs. To change a row that another transaction has changed since raises SQLSTATE 40001; it is not
 * tried again.
 */
export function inSnapshot<T>({ db }: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transactOnce(db, work, { isolationLevel: 'repeatable read' });
}

/** A transaction that the caller ends, on a connection of its own. */
export async function beginTransaction(db: Db, settings: TransactionSettings = {}): Promise<OpenTx> {
  let builder = db.startTransaction();
  if (settings.isolationLevel !== undefined) builder = builder.setIsolationLevel(settings.isolationLevel);
  if (settings.accessMode !== undefined) builder = builder.setAccessMode(settings.accessMode);
  const tx = await builder.execute();
  await sendBySession(tx);
  return Object.assign(tx, { unit: new Unit() });
}

/** A part of a transaction: what it leaves to the end is kept apart, and written together with that of the others. */
export function splitTransaction(tx: Tx): Tx {
  const unit = new Unit();
  unit.keyHash = tx.unit.keyHash;
  const part: Tx = Object.assign(tx.$extendTables<Record<never, never>>(), { unit });
  sendLike(part, tx);
  tx.unit.add(part);
  return part;
}

/** A statement on whichever connection is free. */
async function sendAlone<Row>(
  pool: pg.Pool,
  text: string,
  values: readonly unknown[],
  isPrepared?: boolean,
): Promise<Result<Row>> {
  const session = new Session(await pool.connect());
  try {
    return await session.send<Row>(text, values, isPrepared).catch((error) => {
      if (!renameIfStale(error)) throw error;
      return session.send<Row>(text, values, isPrepared);
    });
  } finally {
    session.release();
  }
}

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

/**
 * Sends the last writes and COMMIT. The server rolls back where one of the writes fails: its error is raised. Raises
 * `CommitUnknown` where the server's answer leaves the outcome of the transaction open.
 */
async function commit(tx: OpenTx): Promise<void> {
  let committing: Promise<void> | null = null;
  const decided = new Promise<void>((resolve) => {
    process.nextTick(() => {
      // A write that could not be sent has failed already; those that were have not left yet.
      if (!last.hasFailed) committing = tx.commit().execute();
      resolve();
    });
  });
  const last = tx.unit.sendLast(tx);
  await decided;
  if (committing === null) return last.answered;
  const [committed, written] = await Promise.allSettled([committing as Promise<void>, last.answered]);
  if (committed.status === 'fulfilled') {
    if (written.status === 'fulfilled') return;
    throw new Error('a write has failed behind COMMIT', { cause: written.reason });
  }
  const error: unknown = committed.reason;
  if (error instanceof RolledBack && written.status === 'rejected') throw written.reason;
  if (error instanceof RolledBack || error instanceof ShardMoved || !isCommitUnknown(error)) throw error;
  throw new CommitUnknown(error);
}

/** A lock time-out is not: it has waited long enough already. */
function isWorthAnotherTry(error: unknown): boolean {
  return error instanceof LostRace || ['40001', '40P01'].includes(sqlState(error) ?? '');
}

/**
 * The unique or foreign key that an error names. All operations look before they write, so that another transaction's commit has
 * come in between: the next try sees it, and refuses as it is documented.
 */
function violationOf(error: unknown): Violation | null {
  return ['23505', '23503'].includes(sqlState(error) ?? '') ? violationIn(error) : null;
}

function isBusy(client: pg.PoolClient): boolean {
  return 'readyForQuery' in client && client.readyForQuery === false;
}

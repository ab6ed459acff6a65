import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';
import type pg from 'pg';
import { lostRaceIn } from './database-errors.ts';
import { type Result, Statement } from './statement.ts';

/** The server has ended a transaction that was to be committed by rolling it back. */
export class RolledBack extends Error {}

/** The shard was not on the node that the statements were sent to: the transaction is rolled back. */
export class ShardMoved extends Error {}

/** The shard that statements are about. */
export interface ShardTarget {
  /** Rewrites a statement for this shard; unchanged where it is about other tables. */
  rename(text: string, values: readonly unknown[]): string;
  /** The first statements of a transaction: they keep the shard in place, and return a row at the end if it is there. */
  readonly opening: string;
}

/**
 * A connection that was taken from the pool. Statements that are sent before the first of them is awaited leave in one write,
 * and are answered in their order; BEGIN goes with the first of a transaction.
 */
export class Session implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  /** Whether statements may be sent before the answer to the one before. */
  readonly #pipelines: boolean;
  #target: ShardTarget | null = null;
  /** Set once the shard is found to have moved: it is then the cause of every failure. */
  #shardMoved: ShardMoved | null = null;
  #begin: string | null = null;
  #begun: Promise<void> = Promise.resolve();
  #hasBegun = false;
  /** COMMIT was sent: a statement behind it would be a transaction of its own. */
  #hasEnded = false;
  /** The last error in the transaction, except for refusals that it caused. */
  #failure: Error | null = null;
  #isCorked = false;
  #isBroken = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    this.#pipelines = 'pipeline' in client && client.pipeline === true;
  }

  /** Sends later statements to a shard. Until `commit` has answered it is unknown whether the shard is there. */
  routeTo(target: ShardTarget): void {
    this.#target = target;
    if (this.#begin !== null) this.#begin += `; ${target.opening}`;
  }

  /** Sends a statement in the turn of its call; a prepared one by its name, once the connection knows it. */
  send<Row>(text: string, values: readonly unknown[], isPrepared = false): Promise<Result<Row>> {
    const sent = new Promise<Result<Row>>((resolve, reject) => {
      const isNamed = isPrepared && directClients.has(this.#client);
      const fail = (error: Error) => reject(this.#causeOf(error));
      const statement = new Statement(this.#textOf(text, values), values, isNamed, resolve, fail);
      this.#beforeSending();
      this.#client.query(statement);
    });
    return sent.catch(withOwnStack);
  }

  /** The same for statements that Kysely has built. */
  async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    this.#beforeSending();
    const { command, rowCount, rows } = await this.#client
      .query<Row & pg.QueryResultRow>(this.#textOf(text, parameters), [...parameters])
      .catch((error) => {
        throw this.#causeOf(error);
      });
    const changes = command !== 'SELECT' && rowCount !== null;
    return { rows: rows ?? [], ...(changes && { numAffectedRows: BigInt(rowCount) }) };
  }

  streamQuery(): never {
    throw new Error('rows are not streamed');
  }

  async begin({ isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const modes = [isolationLevel && `isolation level ${isolationLevel}`, accessMode];
    this.#failure = null;
    this.#begin = ['begin', ...modes.filter((mode) => mode !== undefined)].join(' ');
    if (!this.#pipelines) this.#beforeSending();
  }

  /** Raises `RolledBack` where the server answers so: an error of a statement was passed over. */
  async commit(): Promise<void> {
    if (this.#isStillEmpty()) return;
    // With what was sent in this turn, unless it is unknown yet whether there is a transaction.
    if (!this.#hasBegun) await this.#begun;
    this.#hasEnded = true;
    const { command } = await this.#client.query('commit');
    if (command === 'ROLLBACK') throw new RolledBack('a transaction that had failed was to be committed');
  }

  async rollback(): Promise<void> {
    if (this.#isStillEmpty()) return;
    try {
      await this.#client.query('rollback');
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  /** Whether no statement has followed `begin`: the server does not know of the transaction. */
  #isStillEmpty(): boolean {
    const isEmpty = this.#begin !== null;
    this.#begin = null;
    return isEmpty;
  }

  #textOf(text: string, values: readonly unknown[]): string {
    return this.#target === null ? text : this.#target.rename(text, values);
  }

  /** Returns the first error: statements that were sent behind a failed one are refused because of it. */
  #causeOf(error: Error): Error {
    if (this.#shardMoved !== null) return this.#shardMoved;
    const code = 'code' in error ? String(error.code) : '';
    if (code === '25P02' || (code === unknownName && this.#failure !== null)) return this.#failure ?? error;
    this.#failure = lostRaceIn(error) ?? error;
    return this.#failure;
  }

  #beforeSending(): void {
    if (this.#hasEnded) throw new Error('a statement was sent behind the COMMIT of its transaction');
    this.#cork();
    if (this.#begin === null) return;
    const text = this.#begin;
    this.#begin = null;
    this.#begun = new Promise((resolve, reject) => {
      // Before the answers to what was sent behind it, which may fail because of it.
      this.#client.query(text, (error: Error | null, result: pg.QueryResult | pg.QueryResult[]) => {
        if (error === null && Array.isArray(result) && result.at(-1)?.rows.length === 0)
          this.#shardMoved = new ShardMoved();
        this.#failure = this.#shardMoved ?? error;
        this.#hasBegun = this.#failure === null;
        if (this.#failure === null) resolve();
        else reject(this.#failure);
      });
    });
    // Said by `commit`, unless the statement behind it says so first.
    this.#begun.catch(() => undefined);
  }

  /** Until this turn of the event loop and all that it resolves are through. */
  #cork(): void {
    if (!this.#pipelines || this.#isCorked) return;
    const { stream } = (this.#client as unknown as { connection: { stream: Corkable } }).connection;
    this.#isCorked = true;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }
}

/** The reader of the socket makes the error of a server; its stack should lead to the sender of the statement. */
function withOwnStack(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}

/** The SQLSTATE of a prepared statement that is not there: the one that was to prepare it has failed. */
const unknownName = '26000';

/** Connections that lead to one server process until they are closed. */
const directClients = new WeakSet<pg.ClientBase>();

/**
 * Finds out whether statements may be prepared on a new connection. A pooler such as PgBouncer in transaction mode gives
 * each transaction to any server process, and reports a process number of its own. Dates are sent in the form in which
 * we read them, whatever the database is set to; a pooler keeps that for the client.
 */
export async function inspectClient(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>(
    "select pg_backend_pid() as pid, set_config('DateStyle', 'ISO, YMD', false)",
  );
  if ('processID' in client && rows[0]?.pid === client.processID) directClients.add(client);
}

/** Whether a connection leads to one server process until it is closed. */
export function isDirect(client: pg.ClientBase): boolean {
  return directClients.has(client);
}

interface Corkable {
  cork(): void;
  uncork(): void;
}

/** What Kysely gets its connections from: the pool, wrapped in sessions. */
export function createDriver(pool: pg.Pool): Driver {
  return {
    init: async () => undefined,
    acquireConnection: async () => new Session(await pool.connect()),
    releaseConnection: async (session) => (session as Session).release(),
    beginTransaction: (session, settings) => (session as Session).begin(settings),
    commitTransaction: (session) => (session as Session).commit(),
    rollbackTransaction: (session) => (session as Session).rollback(),
    destroy: async () => undefined,
  };
}

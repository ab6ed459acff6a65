import pg from 'pg';
import { inspectSessions } from '../../src/kit/db/inspect-sessions.ts';
import { startTcpProxy } from '../../tools/fakes/tcp-proxy.ts';
import { createBareDatabase, createTestDatabase, dropTestDatabase } from '../harness.ts';
import { ignoringBounds, PgBouncer } from './pgbouncer.ts';

/** Fewer than a single process would open: the transactions of all share them. */
const connections = 8;

interface Options {
  /** Whether it is migrated; true by default. */
  readonly migrated?: boolean;
  /** Whether its account has the bounds that PgBouncer drops; true by default. */
  readonly bounded?: boolean;
  /** Settings of PgBouncer; by default it ignores the bounds. */
  readonly settings?: Record<string, string>;
}

export interface PooledDatabase {
  /** Past PgBouncer. */
  readonly databaseUrl: string;
  readonly pooler: PgBouncer;
  /** Ends PgBouncer, and drops the database. */
  close(): Promise<void>;
}

/** A database of its own behind PgBouncer. */
export async function startPooledDatabase({
  migrated = true,
  bounded = true,
  settings = ignoringBounds,
}: Options = {}): Promise<PooledDatabase> {
  const databaseUrl = await (migrated ? createTestDatabase() : createBareDatabase());
  if (bounded) await boundSessions(databaseUrl);
  // PgBouncer runs as another account, which may not reach the socket file of an embedded server.
  const tcp = await startTcpProxy(databaseUrl);
  const pooler = await PgBouncer.start(tcp.url, connections, settings);
  return {
    databaseUrl,
    pooler,
    async close() {
      await pooler.close();
      await tcp.close();
      await dropTestDatabase(databaseUrl);
    },
  };
}

/** Follows docs/SCALING.md for the operator, for this database alone. */
async function boundSessions(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const { unbounded } = await inspectSessions(pool);
  const [, remedy = ''] = /connect anew: (.*)$/.exec(unbounded ?? '') ?? [];
  await pool.query(remedy).finally(() => pool.end());
}

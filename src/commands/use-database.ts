import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { migrationsFolder } from '../app.ts';
import { ConfigError, readConfig } from '../config.ts';
import { type Database, openDatabase, patientMs } from '../kit/db/database.ts';
import { pendingMigrations } from '../kit/db/migrate.ts';
import { findRunningServer, startEmbeddedPostgres } from '../kit/embedded-postgres/start.ts';

/**
 * Runs a command on the database of the configuration, in sessions of that name. Raises `ConfigError` where there is none, or an older one,
 * and `MigrationRefused` where it is newer.
 */
export async function useDatabase<T>(name: string, work: (database: Database) => Promise<T>): Promise<T> {
  return useServer(async (url) => {
    const database = openDatabase({
      url,
      name,
      connections: 2,
      connectMs: patientMs,
      onError: () => undefined,
    });
    try {
      const pending = await pendingMigrations(database.pool, migrationsFolder);
      if (pending.length > 0) {
        throw new ConfigError(
          `The database lacks ${pending.join(', ')}. Start the service, or run: punchcard migrate`,
        );
      }
      return await work(database);
    } finally {
      await database.close();
    }
  });
}

/**
 * Runs a command where the database of the configuration is. The embedded one is that of the running service, or is
 * started for as long as the command takes. Raises `ConfigError` where there is none.
 */
export async function useServer<T>(work: (url: string) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir } = readConfig();
  const server = databaseUrl === null ? await embeddedServer(dataDir) : { url: databaseUrl };
  try {
    return await work(server.url);
  } finally {
    await server.stop?.();
  }
}

async function embeddedServer(dataDir: string): Promise<{ url: string; stop?: () => Promise<void> }> {
  if (!existsSync(join(dataDir, 'postgres'))) {
    throw new ConfigError(
      `There is no database in ${dataDir}. Set DATABASE_URL or DATA_DIR as the service has them`,
    );
  }
  const url = await findRunningServer(dataDir);
  return url === null ? startEmbeddedPostgres({ dataDir }) : { url };
}

import { join } from 'node:path';
import pg from 'pg';
import { migrationsFolder } from '../src/app.ts';
import { migrate } from '../src/kit/db/migrate.ts';
import { startEmbeddedPostgres } from '../src/kit/embedded-postgres/start.ts';
import { loadOrCreateDevelopmentIdentity } from '../src/wallet/apple/certificates/development-ca.ts';

/** What every test file shares: a migrated template database, and signing certificates. */
export interface TestServer {
  /** Variables that tell the test files where it is. */
  readonly environment: Record<string, string>;
  stop(): Promise<void>;
}

const template = 'punchcard_test_template';

/** Prepares it below `folder`, on the given server or on an embedded one. */
export async function prepareTestServer(folder: string, given: string | undefined): Promise<TestServer> {
  const embedded =
    given === undefined ? await startEmbeddedPostgres({ dataDir: join(folder, 'data') }) : null;
  const url = given ?? embedded?.url ?? '';
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`drop database if exists ${template}`);
  await admin.query(`create database ${template}`);
  await admin.end();
  const pool = new pg.Pool({ connectionString: databaseUrl(url, template), max: 1 });
  await migrate(pool, migrationsFolder);
  await pool.end();
  const apple = join(folder, 'apple-development');
  await makeDevelopmentIdentity(apple);
  return {
    environment: {
      PUNCHCARD_TEST_SERVER: url,
      PUNCHCARD_TEST_TEMPLATE: template,
      PUNCHCARD_TEST_APPLE: apple,
    },
    stop: async () => embedded?.stop(),
  };
}

/** Signing certificates in `folder`. */
export async function makeDevelopmentIdentity(folder: string): Promise<void> {
  await loadOrCreateDevelopmentIdentity(folder, {
    passTypeIdentifier: 'pass.dev.punchcard.local',
    teamIdentifier: 'PUNCHCARD0',
    organizationName: 'Punchcard development',
    now: new Date(),
  });
}

/** The URL of another database on the same server. */
export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

import { migrationsFolder } from '../app.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { distributeTables, isCitus } from '../kit/citus/citus.ts';
import { type BackupHeader, BackupProblem, type BackupTotals } from '../kit/db/backup/format.ts';
import { loadBackup } from '../kit/db/backup/load-backup.ts';
import { type BackupFile, openBackupFile, readThrough } from '../kit/db/backup/open-file.ts';
import { analyzeTables } from '../kit/db/backup/table-catalog.ts';
import { inLongTransaction } from '../kit/db/long-transaction.ts';
import { startEmbeddedPostgres } from '../kit/embedded-postgres/start.ts';
import { printable } from '../kit/text/printable.ts';
import { placement } from '../start/placement.ts';
import { backupFormats, fileKey } from './back-up.ts';
import { printSettled, settleWhatMayBeSent } from './settle-restored.ts';

interface Options {
  /** Only looks whether the file is whole. */
  readonly check?: boolean;
  /** Goes on with another key than that of the backup. */
  readonly otherKey?: boolean;
  /** Goes on with a file that any person could have written. */
  readonly unsealed?: boolean;
}

/**
 * Loads a backup into an empty database, or into a new embedded one, and settles what may have been sent since it was
 * made: all of it or nothing. The file is read to its end before the database is touched.
 */
export async function restoreBackup(
  path: string,
  { check = false, otherKey = false, unsealed = false }: Options,
): Promise<void> {
  const began = performance.now();
  const config = readConfig();
  const key = await fileKey(config);
  const backup = await openBackupFile(path, backupFormats, key?.seal ?? null);
  const { isSealed, header } = backup;
  if (!check && !otherKey) refuseOtherKey(header, key?.fingerprint ?? null);
  if (!check && !otherKey && !unsealed && !isSealed)
    throw new BackupProblem(
      `${path} is not sealed with the configured key: a former version has written it, or one without a key, or another program has changed it. If you know that the file was only in your hands since it was written, --unsealed goes on`,
    );
  printChecked(path, header, await readThrough(backup), key?.fingerprint ?? null);
  if (!isSealed) console.log('! It is not sealed with the configured key: nothing proves who has written it');
  if (check) return;
  const { loaded, settled } = await onEmptyServer(config, (url) => load(url, backup));
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`✓ Restored ${loaded.rows} rows of ${loaded.tables} tables in ${seconds} s`);
  for (const table of loaded.leftOut)
    console.log(`! ${printable(table)} is no table of this program: it was left out`);
  printSettled(settled);
  console.log('Start the service.');
}

async function load(url: string, backup: BackupFile) {
  const mode = { name: 'punchcard restore', isolation: 'read committed', access: 'read write' } as const;
  const done = await inLongTransaction(url, mode, async ({ tx, client }) => {
    const loaded = await loadBackup(client, migrationsFolder, backup);
    const settled = await settleWhatMayBeSent(tx);
    const isCluster = await isCitus(client);
    await (isCluster ? distributeTables(client, placement) : analyzeTables(client));
    return { loaded, settled, isCluster };
  });
  // By itself: nodes analyze nothing in the transaction that has filled them.
  if (done.isCluster) await inLongTransaction(url, mode, ({ client }) => analyzeTables(client));
  return done;
}

function refuseOtherKey({ facts }: BackupHeader, key: string | null): void {
  const known = facts.key ?? null;
  if (known === null || known === key) return;
  const which = key === null ? 'no key is configured' : `the configured key is ${key}`;
  throw new ConfigError(
    `The backup belongs to the encryption key ${known}, and ${which}. Set ENCRYPTION_KEY, or put secrets.json of that installation into DATA_DIR. Without the key stores have to be connected anew, web cards take no pushes until they are added again, repeating a call that made a key fails, and people who have unsubscribed are written to again: where it is lost for good, --other-key continues`,
  );
}

function printChecked(
  path: string,
  { createdAt, server, migrations, facts }: BackupHeader,
  { tables, rows }: BackupTotals,
  key: string | null,
): void {
  const schema = migrations.at(-1)?.name.slice(0, 4) ?? 'none';
  const whose =
    facts.key == null ? 'not given' : facts.key === key ? `${facts.key}, as configured` : facts.key;
  console.log(`✓ ${path} is whole: ${rows} rows of ${tables} tables`);
  console.log(`  made ${createdAt} from PostgreSQL ${server}, schema ${schema}, key ${whose}`);
}

/** The database of DATABASE_URL; else the embedded one, which is made where there is none. */
async function onEmptyServer<T>(
  { databaseUrl, dataDir }: Config,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== null) return work(databaseUrl);
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

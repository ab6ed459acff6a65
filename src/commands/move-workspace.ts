import { admitArrival, suspendArrival } from '../administration/create-workspace.ts';
import { findAnyWorkspace } from '../administration/update-workspace.ts';
import { ConfigError, readConfig } from '../config.ts';
import { enterArrived } from '../delivery/apple/device-workspaces.sql.ts';
import { restampArrived } from '../delivery/apple/devices.sql.ts';
import { keepToOneConnection } from '../kit/citus/citus.ts';
import { BackupProblem } from '../kit/db/backup/format.ts';
import { loadShare } from '../kit/db/backup/load-share.ts';
import { type BackupFile, openBackupFile, readThrough } from '../kit/db/backup/open-file.ts';
import { writeBackup } from '../kit/db/backup/write-backup.ts';
import { inLongTransaction } from '../kit/db/long-transaction.ts';
import { decodeId } from '../kit/ids.ts';
import { printable } from '../kit/text/printable.ts';
import { clampArrived } from '../passes/pool.sql.ts';
import { addArrivedPeople } from '../people/people.sql.ts';
import { fileKey } from './back-up.ts';
import { useDatabase, useServer } from './use-database.ts';

/** A backup of one workspace; distinguished, since neither is loaded as the other. */
const workspaceFormat = 'punchcard-workspace-2';

/**
 * Writes all rows of a workspace into a file, for another installation. Raises `ConfigError` for one that is not suspended,
 * unless a copy is asked for.
 */
export async function exportWorkspace(
  publicId: string,
  path: string,
  { copy = false }: { readonly copy?: boolean },
): Promise<void> {
  const key = await fileKey(readConfig());
  if (key === null)
    throw new ConfigError('No encryption key is configured here: set it as the service has it');
  // An unknown id is known before a file is begun.
  const { workspaceId } = await useDatabase('punchcard workspaces', ({ db }) =>
    findAnyWorkspace(db, publicId),
  );
  const { rows, tables } = await useServer((url) =>
    writeBackup(url, path, {
      name: 'punchcard workspaces',
      format: workspaceFormat,
      workspaceId,
      seal: key.seal,
      async facts(tx) {
        const { name, suspendedAt } = await findAnyWorkspace(tx, publicId);
        if (suspendedAt === null && !copy)
          throw new ConfigError(
            `${publicId} is not suspended: it goes on changing while it is moved. Suspend it first, or add --copy for a copy of this moment`,
          );
        return { key: key.fingerprint, workspace: publicId, name };
      },
    }),
  );
  console.log(`✓ ${path}: ${rows} rows of ${tables} tables of ${publicId}, key ${key.fingerprint}`);
}

/**
 * Loads an exported workspace next to those that are there: all of it or nothing. The file must have the seal of the key that
 * both installations have, and is read to its end before the database is touched. The workspace is suspended afterwards.
 */
export async function importWorkspace(path: string): Promise<void> {
  const key = await fileKey(readConfig());
  const file = await openBackupFile(path, [workspaceFormat], key?.seal ?? null);
  const { workspaceId, publicId } = workspaceOf(path, file);
  refuseOtherKey(file, key?.fingerprint ?? null);
  if (!file.isSealed)
    throw new BackupProblem(
      `${path} is not sealed with the key of this installation: it was not written by \`workspaces export\`, or was changed since. Export the workspace again`,
    );
  await readThrough(file);
  const { rows, tables } = await useServer((url) =>
    inLongTransaction(
      url,
      { name: 'punchcard workspaces', isolation: 'read committed', access: 'read write' },
      async ({ tx, client }) => {
        await keepToOneConnection(client);
        await admitArrival(tx, workspaceId);
        return loadShare(client, workspaceId, file, ['memberships'], async () => {
          await suspendArrival(tx, workspaceId, new Date());
          // The tags that devices got there mean nothing here: they get all of its cards anew when they ask next.
          await enterArrived(tx, workspaceId);
          await restampArrived(tx, workspaceId, new Date());
          await addArrivedPeople(tx, workspaceId);
          await clampArrived(tx, workspaceId);
        });
      },
    ),
  );
  const name = printable(JSON.stringify(file.header.facts.name));
  console.log(`✓ ${publicId} ${name}: ${rows} rows of ${tables} tables`);
  console.log(`  It is suspended here. Look at it, then: punchcard workspaces resume ${publicId}`);
}

function workspaceOf(path: string, { header: { facts } }: BackupFile) {
  const publicId = facts.workspace ?? '';
  const workspaceId = decodeId('ws', publicId);
  if (workspaceId === null) throw new BackupProblem(`${path} does not say whose it is`);
  return { workspaceId, publicId };
}

/** Hashes of addresses that are not kept cannot be made anew, so that nothing but the same key will do. */
function refuseOtherKey({ header: { facts } }: BackupFile, key: string | null): void {
  if (facts.key === key) return;
  const which = key === null ? 'no key is configured here' : `that of this installation is ${key}`;
  throw new ConfigError(
    `The workspace belongs to the encryption key ${facts.key}, and ${which}. Import it into an installation with the same ENCRYPTION_KEY, or secrets.json: with another one its stores could not be read, and who has unsubscribed would be written to again`,
  );
}

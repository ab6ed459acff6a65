import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { emptyDatabase } from '../../../../test/restored.ts';
import { inLongTransaction } from '../long-transaction.ts';
import type { BackupPart } from './format.ts';
import { loadBackup } from './load-backup.ts';

const folder = await mkdtemp(join(tmpdir(), 'no-migrations-'));
after(() => rm(folder, { recursive: true }));
const target = await emptyDatabase();

it('a load that fails lets go of the file', async () => {
  let isOpen = false;
  async function* parts(): AsyncGenerator<BackupPart> {
    isOpen = true;
    try {
      for (;;) yield { kind: 'rows', bytes: Buffer.from('of no table') };
    } finally {
      isOpen = false;
    }
  }
  const header = { format: 'test-1', createdAt: '', server: '', migrations: [], facts: {} };
  const loading = inLongTransaction(
    target.url,
    { name: 'test', isolation: 'read committed', access: 'read write' },
    ({ client }) => loadBackup(client, folder, { header, parts }),
  );
  await assert.rejects(loading, /rows of no table/);
  assert.equal(isOpen, false);
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { migrationsFolder } from '../../src/app.ts';
import { createBareDatabase } from '../harness.ts';
import { Installation } from './installation.ts';

describe('five processes that start at once on an empty database', async () => {
  const installation = await Installation.prepare({ databaseUrl: await createBareDatabase() });
  await installation.startAll('at once');

  it('apply each migration once', async () => {
    const applied = await installation.sql<{ name: string }>('select name from schema_migrations order by 1');
    const files = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql'));
    assert.deepEqual(
      applied.map(({ name }) => name),
      files.toSorted(),
    );
    // A process that applies a migration again ends with an error.
    for (const process of installation.processes) {
      assert.ok(process.isRunning, process.said);
      const errors = process.printed.split('\n').filter((line) => /"level":[56]0/.test(line));
      // On a busy machine background work may wait too long for its first connections: its turns are tried again.
      assert.deepEqual(
        errors.filter((line) => !line.includes('timeout exceeded when trying to connect')),
        [],
      );
    }
  });

  it('make one workspace, and print no key', async () => {
    const workspaces = await installation.sql('select name from workspaces');
    assert.deepEqual(workspaces, [{ name: 'Default' }]);
    const file = join(installation.dataDir, 'first-run.json');
    assert.ok(existsSync(file));
    const { apiKey } = JSON.parse(await readFile(file, 'utf8'));
    for (const { said } of installation.processes) assert.doesNotMatch(said, /pk_live_/);
    const keys = await installation.sql<{ count: number }>('select count(*)::int from api_keys');
    assert.deepEqual(keys, [{ count: 1 }], 'no other key was ever made');
    for (const one of installation.atEach(installation.operator.as(apiKey)))
      assert.equal((await one.get('/me')).status, 200);
  });
});

describe('three processes that generate their secrets into one directory', async () => {
  const installation = await Installation.prepare({
    databaseUrl: await createBareDatabase(),
    workers: 0,
    settings: { OPERATOR_TOKEN: '', ENCRYPTION_KEY: '' },
  });
  await installation.startAll('at once');

  it('end with the same ones', async () => {
    const secrets = JSON.parse(await readFile(join(installation.dataDir, 'secrets.json'), 'utf8'));
    const { client } = await installation.newWorkspace(secrets.operatorToken);
    // A cursor of one process is good at the others.
    const [first, ...others] = installation.atEach(client);
    for (let turn = 0; turn < 3; turn++) await first?.post('/passes', { title: 'Card', type: 'coupon' });
    const { nextCursor } = (await first?.get('/passes?limit=1'))?.body ?? {};
    assert.equal(typeof nextCursor, 'string');
    for (const other of others)
      assert.equal((await other.get(`/passes?limit=1&cursor=${nextCursor}`)).status, 200);
  });
});

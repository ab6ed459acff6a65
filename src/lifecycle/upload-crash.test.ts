import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Client, type Json } from '../../test/client.ts';
import { createTestDatabase, dropTestDatabase, temporaryDataDir } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { freePort, ServiceProcess } from '../../test/service-process.ts';
import { makePool, numbered, poolOf, uploadCsv } from '../passes/pool.fixture.ts';

const kills = 4;
const codesEach = 10_000;

it(`${kills} kills during uploads: all of a file or nothing, and no temporary file`, async () => {
  const databaseUrl = await createTestDatabase();
  const dataDir = await temporaryDataDir();
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, DRAIN_MS: '0' };
  const service = new ServiceProcess(await freePort(), environment);
  const database = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  database.on('error', () => undefined);
  const sql = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await database.query<Row>(text, values)).rows;
  after(async () => {
    await service.end('SIGKILL');
    await database.end();
    await dropTestDatabase(databaseUrl);
  });
  await service.start();
  const { apiKey } = JSON.parse(await readFile(`${dataDir}/first-run.json`, 'utf8'));
  const client = new Client(service.url, service.url, apiKey);
  const pass = await makePool(client);
  const send = (turn: number): Promise<Json | null> => {
    const file = numbered(codesEach, `TURN${turn}`).join('\n');
    return uploadCsv(client, pass, file, { 'idempotency-key': `turn ${turn}` }).then(
      ({ body }) => body,
      () => null,
    );
  };

  const met = new Set<string>();
  for (let turn = 0; turn < kills; turn++) {
    const sent = send(turn);
    // From the arrival of the file to the commit, and beyond.
    await sleep(20 + turn * 150);
    await service.end('SIGKILL');
    const acknowledged = (await sent) !== null;
    assert.deepEqual(
      (await readdir(dataDir)).filter((name) => name.startsWith('.spool')),
      [],
    );
    const [left] = await sql<{ count: number }>(
      'select count(*)::int as count from pool_barcodes where barcode like $1',
      [`TURN${turn}-%`],
    );
    assert.ok(left?.count === 0 || left?.count === codesEach, `${left?.count} codes were left`);
    if (acknowledged) assert.equal(left.count, codesEach);
    met.add(`${left.count}`);
    await service.start();
    const repeat = await send(turn);
    assert.deepEqual([repeat?.received, repeat?.added], [codesEach, codesEach]);
  }
  assert.ok(met.has('0'), 'no kill came before the commit');
  assert.equal((await poolOf(client, pass)).total, kills * codesEach);
  await assertInvariants(sql);
});

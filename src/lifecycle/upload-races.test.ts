import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, Reply } from '../../test/client.ts';
import { inParallel, makeCard, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { RawClient } from '../kit/http/server/raw-client.fixture.ts';
import { decodeId } from '../kit/ids.ts';
import {
  barcodesPath,
  fill,
  makePool,
  namesOf,
  numbered,
  poolOf,
  uploadCsv,
  uploadJson,
} from '../passes/pool.fixture.ts';

const app = await startTestApp();
const { client } = await app.newWorkspace();

const totalOf = (replies: readonly Reply[], key: string) =>
  replies.reduce((sum, { body }) => sum + body[key], 0);

/** An upload whose body the caller sends himself, in chunks. */
function openUpload(pass: Json): RawClient & { line(text: string): void } {
  const raw = new RawClient(Number(new URL(app.url).port));
  raw.send(
    `POST ${barcodesPath(pass)} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.secret}\r\n` +
      'Content-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  return Object.assign(raw, {
    line: (text: string) => raw.send(`${(text.length + 1).toString(16)}\r\n${text}\n\r\n`),
  });
}

const leftovers = async () => (await readdir(app.config.dataDir)).filter((name) => name.startsWith('.spool'));

describe('uploads at the same time', () => {
  it('of overlapping codes add each code once', async () => {
    const pass = await makePool(client);
    const twin = await app.twin();
    const codes = numbered(9_000);
    const parts = [codes.slice(0, 6_000), codes.slice(3_000), codes.slice(1_000, 8_000).reverse()];
    const replies = await Promise.all(
      parts.flatMap((part) => [
        uploadCsv(client, pass, part.join('\n')),
        uploadJson(twin.as(client.secret), pass, part),
      ]),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { '200': 6 });
    assert.equal(totalOf(replies, 'added'), 9_000);
    assert.equal(totalOf(replies, 'received'), 2 * 19_000);
    assert.equal(totalOf(replies, 'duplicates'), 2 * 19_000 - 9_000);
    const pool = await poolOf(client, pass);
    assert.deepEqual([pool.total, pool.available], [9_000, 9_000]);
    assert.deepEqual((await namesOf(client, pass)).sort(), codes);
  });

  it('with one key take effect once', async () => {
    const pass = await makePool(client);
    const key = { 'idempotency-key': 'one of many' };
    const replies = await inParallel(8, () => uploadCsv(client, pass, numbered(2_000).join('\n'), key));
    for (const { status, body } of replies) assert.deepEqual([status, body], [200, replies[0]?.body]);
    assert.equal(replies.filter(({ headers }) => headers.get('idempotent-replayed')).length, 7);
    assert.equal((await poolOf(client, pass)).total, 2_000);
  });

  it('to many passes leave connections for all other calls', async () => {
    const passes = await inParallel(12, () => makePool(client));
    const uploads = passes.map((pass) => uploadCsv(client, pass, numbered(5_000).join('\n')));
    const ended = Promise.all(uploads);
    let reads = 0;
    for (let isOver = false; !isOver; reads++) {
      assert.equal((await client.get('/workspace')).status, 200);
      isOver = await Promise.race([ended.then(() => true), sleep(5).then(() => false)]);
    }
    assert.ok(reads > 1);
    assert.deepEqual(tally((await ended).map(({ body }) => body.added)), { '5000': 12 });
  });
});

describe('an upload while cards are issued', () => {
  it('delays no call, and every code is issued once', { timeout: 120_000 }, async () => {
    const pass = await makePool(client, { lowAt: 500 });
    await fill(client, pass, numbered(600, 'FIRST'));
    let uploading = true;
    const uploads = (async () => {
      for (let turn = 0; turn < 4; turn++) await fill(client, pass, numbered(5_000, `TURN${turn}`));
      uploading = false;
    })();
    const issued = await inParallel(20, async () => {
      const codes: string[] = [];
      while (uploading || codes.length < 10) codes.push((await makeCard(client, pass.passId)).barcode);
      return codes;
    });
    await uploads;
    const codes = issued.flat();
    assert.equal(new Set(codes).size, codes.length);
    const pool = await poolOf(client, pass);
    assert.deepEqual([pool.total, pool.assigned], [20_600, codes.length]);
    assert.equal(pool.available, pool.total - pool.assigned);
    await assertInvariants(app.sql);
  });

  it('never adds a code that comes on a card at the same time', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const pass = await makePool(client);
      await makeCard(
        client,
        (
          await makePool(client).then(async (other) => {
            await fill(client, other, ['A']);
            return other;
          })
        ).passId,
      );
      const codes = numbered(6_000, `T${turn}`);
      const upload = uploadCsv(client, pass, codes.join('\n'));
      const cards = await inParallel(30, async (index) => {
        await sleep(Math.random() * 150);
        const barcode = codes[(index * 197) % codes.length];
        const { body } = await client.post(`/passes/${pass.passId}/instances/import`, {
          instances: [{ barcode }],
        });
        return body.results[0].status;
      });
      assert.deepEqual(tally(cards), { '201': 30 });
      const { body } = await upload;
      assert.equal(body.added + body.rejected.length, 6_000);
      const pool = await poolOf(client, pass);
      assert.equal(pool.total, body.added);
      const carried = await app.sql(
        `select b.barcode from instances i join pool_barcodes b using (workspace_id, pass_id, barcode)
         where b.instance_id is null`,
      );
      assert.deepEqual(carried, []);
      await assertInvariants(app.sql);
    }
  });

  it('goes on while the pass is changed', async () => {
    const pass = await makePool(client);
    const upload = uploadCsv(client, pass, numbered(20_000).join('\n'));
    let changes = 0;
    for (let isOver = false; !isOver; changes++) {
      const { status } = await client.patch(`/passes/${pass.passId}`, { title: `Tea ${changes}` });
      assert.equal(status, 200);
      isOver = await Promise.race([upload.then(() => true), sleep(10).then(() => false)]);
    }
    assert.equal((await upload).body.added, 20_000);
    assert.ok(changes > 1);
  });

  it('adds nothing when the pass takes another mode, or goes, before it is through', async () => {
    const [changed, deleted] = [await makePool(client), await makePool(client)];
    const uploads = [changed, deleted].map((pass) => openUpload(pass));
    for (const upload of uploads) for (const code of numbered(3_000)) upload.line(code);
    await sleep(100);
    await client.patch(`/passes/${changed.passId}`, { barcode: { mode: 'unique' } });
    assert.equal((await client.delete(`/passes/${deleted.passId}`)).status, 204);
    for (const upload of uploads) upload.send('0\r\n\r\n');
    assert.equal((await uploads[0]?.answer())?.status, 400);
    assert.equal((await uploads[1]?.answer())?.status, 404);
    for (const upload of uploads) upload.destroy();
    assert.equal((await poolOf(client, changed)).total, 0);
  });

  it('and a deletion of the pass come one after the other', async () => {
    const outcomes = await inParallel(6, async (index) => {
      const pass = await makePool(client);
      const upload = uploadCsv(client, pass, numbered(4_000).join('\n'));
      await sleep(index * 40);
      const [added, gone] = await Promise.all([upload, client.delete(`/passes/${pass.passId}`)]);
      const { length } = await app.sql('select 1 from pool_barcodes where pass_id = $1', [
        decodeId('pass', pass.passId),
      ]);
      return `${added.status} ${gone.status} ${length}`;
    });
    for (const outcome of outcomes) assert.match(outcome, /^(200|404) 204 0$/);
  });
});

describe('an upload that breaks off', () => {
  it('adds nothing, locks nothing and leaves no file', async () => {
    const pass = await makePool(client);
    const upload = openUpload(pass);
    for (const code of numbered(10_000, 'SLOW'.repeat(20))) upload.line(code);
    await sleep(150);
    // Of the service: autovacuum may be at work on them.
    const locks = await app.sql(
      `select * from pg_locks
       where database = (select oid from pg_database where datname = current_database())
         and relation in ('pool_barcodes'::regclass, 'passes'::regclass)
         and pid in (select pid from pg_stat_activity where backend_type = 'client backend')`,
    );
    assert.deepEqual(locks, []);
    assert.deepEqual(await leftovers(), []);
    await fill(client, pass, ['A']);
    assert.equal((await client.patch(`/passes/${pass.passId}`, { title: 'Tea' })).status, 200);
    upload.socket.resetAndDestroy();
    await sleep(100);
    const pool = await poolOf(client, pass);
    assert.equal(pool.total, 1);
    assert.deepEqual(await leftovers(), []);
    assert.deepEqual(
      await app.sql("select 1 from operation_claims where operation = 'uploadBarcodes' and status is null"),
      [],
    );
  });
});

it('leaves counts, marks and codes in agreement', () => assertInvariants(app.sql));

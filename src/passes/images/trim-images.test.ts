import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, it } from 'node:test';
import pg from 'pg';
import { makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { decodeId } from '../../kit/ids.ts';
import { trimImages } from './trim-images.job.ts';

const day = 24 * 3_600_000;

const app = await startTestApp({ WORKERS: 'off' });

/** Files of a workspace, as many as there are texts; their hashes. */
async function store(passId: string, texts: readonly string[]): Promise<string[]> {
  const hashes = texts.map((text) => createHash('sha256').update(text).digest('hex'));
  await app.sql(
    `insert into image_files (workspace_id, hash, bytes, width, height, kept_at)
     select p.workspace_id, f.hash, convert_to(f.text, 'UTF8'), 1, 1, $4
     from passes p, unnest($2::text[], $3::text[]) as f(hash, text) where p.pass_id = $1`,
    [decodeId('pass', passId), hashes, texts, app.running.app.now()],
  );
  return hashes;
}

/** The pass shows one of them as its own image, another as a file of it. */
async function show(passId: string, shown: string, file: string): Promise<void> {
  const image = (hash: string) => ({ hash, width: 1, height: 1 });
  await app.sql('update passes set images = $2 where pass_id = $1', [
    decodeId('pass', passId),
    JSON.stringify({
      logoUrl: { url: 'https://a.test', shown: image(shown), files: { 'logo.png': image(file) } },
    }),
  ]);
}

async function stored(hashes: readonly string[]): Promise<boolean[]> {
  const rows = await app.sql<{ hash: string }>('select hash from image_files');
  return hashes.map((hash) => rows.some((row) => row.hash === hash));
}

const trim = () => trimImages({ app: app.running.app, requestId: 'test' });

it('removes what no pass has shown for a month, and nothing else', async () => {
  const { client } = await app.newWorkspace();
  const [pass, other] = [await makePass(client), await makePass((await app.newWorkspace()).client)];
  const [shown, file, unshown] = (await store(pass.passId, ['shown', 'file', 'unshown'])) as [
    string,
    string,
    string,
  ];
  // Another workspace shows the same bytes, and has a row of its own.
  await store(other.passId, ['unshown']);
  await show(other.passId, unshown, unshown);
  await show(pass.passId, shown, file);
  app.advance(29 * day);
  assert.equal(await trim(), false);
  assert.deepEqual(await stored([shown, file, unshown]), [true, true, true]);
  app.advance(2 * day);
  await trim();
  const rows = await app.sql('select from image_files where hash = $1', [unshown]);
  assert.equal(rows.length, 1, 'the other workspace keeps it');
  assert.deepEqual(await stored([shown, file]), [true, true]);
  await show(pass.passId, shown, shown);
  await trim();
  assert.deepEqual(
    await stored([shown, file]),
    [true, true],
    'what was shown is looked at again after a month',
  );
  app.advance(31 * day);
  await trim();
  assert.deepEqual(await stored([shown, file]), [true, false]);
});

it('passes over a file that a pass takes up at this moment', async () => {
  const pass = await makePass((await app.newWorkspace()).client);
  const [hash = ''] = await store(pass.passId, ['taken up']);
  app.advance(31 * day);
  const other = new pg.Client({ connectionString: app.databaseUrl });
  await other.connect();
  after(() => other.end());
  await other.query('begin');
  await other.query('update image_files set kept_at = $2 where hash = $1', [hash, app.running.app.now()]);
  await trim();
  await other.query('commit');
  await trim();
  assert.deepEqual(await stored([hash]), [true]);
});

it('takes turns: more than one turn can look at is looked at by the next', async () => {
  const pass = await makePass((await app.newWorkspace()).client);
  const hashes = await store(
    pass.passId,
    Array.from({ length: 250 }, (_, at) => `many ${at}`),
  );
  app.advance(31 * day);
  assert.equal(await trim(), true);
  await trim();
  assert.ok((await stored(hashes)).every((is) => !is));
});

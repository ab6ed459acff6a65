import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { plain } from '../src/passes/images/pictures.fixture.ts';
import type { Reply } from './client.ts';
import { startTestApp } from './harness.ts';
import { mountSmallDisk } from './small-disk.ts';

/** Of the service alone: the database has another one. */
const disk = mountSmallDisk(16);

describe('the disk of temporary files fills up', {
  skip: disk === null && 'mounting a disk needs root',
}, async () => {
  after(() => disk?.unmount());
  const app = await startTestApp({ DATA_DIR: join(disk?.path ?? '', 'data'), WORKERS: 'off' });
  const { client } = await app.newWorkspace();
  const picture = await plain(600, 600).png().toBuffer();
  const pass = await client.post('/passes', { title: 'Pooled', type: 'coupon', barcode: { mode: 'pool' } });
  const codes = Array.from({ length: 10_000 }, () => randomBytes(12).toString('hex'));
  const csv = { headers: { 'content-type': 'text/csv' } };
  const uploads: readonly (readonly [what: string, send: () => Promise<Reply>, status: number])[] = [
    ['an image', () => client.post('/images', picture, { headers: { 'content-type': 'image/png' } }), 201],
    [
      'codes of a CSV file',
      () => client.post(`/passes/${pass.body.passId}/barcodes`, Buffer.from(codes.join('\n')), csv),
      200,
    ],
    ['a list of codes', () => client.post(`/passes/${pass.body.passId}/barcodes`, { barcodes: codes }), 200],
  ];

  for (const [what, send, status] of uploads)
    it(`${what} is refused with what is the matter, and taken as soon as there is room`, async () => {
      disk?.fill();
      const { status: refused, body } = await send();
      assert.deepEqual([refused, body.code, body.retryable], [500, 'internal_error', true], body.error);
      assert.match(body.error, /no room on its disk/);
      disk?.free();
      const attempt = await send();
      assert.equal(attempt.status, status, attempt.text);
    });
});

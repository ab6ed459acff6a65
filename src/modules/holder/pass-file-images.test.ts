import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Json } from '../../../test/client.ts';
import { makeCard, makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { validatePkpass } from '../../wallet/apple/validator/validate-pkpass.ts';
import { extractZip, listZip } from '../../wallet/apple/validator/zip-reader.ts';
import { allSlots, imageSettings, startImageHost } from '../images/images.fixture.ts';

const host = await startImageHost();
const app = await startTestApp(imageSettings);
const { client } = await app.newWorkspace();
const root = new X509Certificate(readFileSync(join(app.config.dataDir, 'apple-development', 'root.pem')));

const atAllScales = (...names: string[]) =>
  names.flatMap((name) => [`${name}.png`, `${name}@2x.png`, `${name}@3x.png`]);

/** The images of a pass file by their names. */
function imagesIn(file: Buffer): Map<string, Buffer> {
  const silent = () => undefined;
  const entries = (listZip(file, silent) ?? []).filter(({ name }) => name.endsWith('.png'));
  return extractZip(file, entries, { entries: 100, bytes: 64 * 1024 * 1024 }, silent) ?? new Map();
}

async function download(card: Json): Promise<Buffer> {
  const reply = await app.anyone.get(card.links.apple);
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.headers.get('content-length'), String(reply.body.length));
  return reply.body;
}

/** What is stored of the images of a pass: name → bytes. */
async function storedFiles(): Promise<Map<string, Buffer>> {
  const rows = await app.sql<{ hash: string; bytes: Buffer }>('select hash, bytes from image_files');
  return new Map(rows.map(({ hash, bytes }) => [hash, bytes]));
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('the images of a pass file', () => {
  const shown: Record<string, string[]> = {
    loyalty: ['icon', 'logo', 'strip'],
    giftCard: ['icon', 'logo', 'strip'],
    coupon: ['icon', 'logo', 'strip'],
    eventTicket: ['icon', 'logo', 'strip'],
    generic: ['icon', 'logo', 'thumbnail'],
  };
  for (const [type, names] of Object.entries(shown)) {
    it(`are those that Wallet shows of a ${type}, byte for byte as they are stored`, async () => {
      const pass = await makePass(client, { type, ...(await host.urls()) });
      const card = await makeCard(client, pass.passId);
      const file = await download(card);
      const images = imagesIn(file);
      assert.deepEqual([...images.keys()].toSorted(), atAllScales(...names).toSorted());
      const stored = await storedFiles();
      for (const [name, bytes] of images) assert.deepEqual(stored.get(hashOf(bytes)), bytes, name);
      const findings = validatePkpass(file, { root, now: new Date() });
      // One strip does for all types; on a ticket, Wallet shows its middle.
      const serious = findings.filter(({ rule }) => !(type === 'eventTicket' && rule === 'image-size'));
      assert.deepEqual(serious, []);
    });
  }
});
assert.ok(allSlots);

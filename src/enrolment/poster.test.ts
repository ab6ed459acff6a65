import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { startTestApp } from '../../test/harness.ts';
import { loadSharp } from '../kit/pictures/sharp.ts';
import { readBarcodesIn } from '../rendering/read-barcode.fixture.ts';
import { makeJoinPass } from './join.fixture.ts';

const app = await startTestApp();
let client: Client;
let pass: Json;
before(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makeJoinPass(client, {
    headline: 'Ten stamps, and the eleventh coffee is on the house for you',
  });
});

describe('the poster', () => {
  for (const language of ['en', 'ar', 'ja', 'tlh']) {
    it(`has a code that leads to the page, in ${language}`, async () => {
      const picture = await app.anyone.get(
        `/join/${pass.passId}/poster.png?lang=${language}&utm_source=mail`,
      );
      assert.equal(picture.status, 200);
      assert.match(picture.headers.get('cache-control') ?? '', /^public/);
      assert.deepEqual(
        (await readBarcodesIn(picture.body)).map(({ text }) => text),
        [`https://cards.example.test/join/${pass.passId}`],
      );
    });
  }

  it('fills a page of A4 as PDF, sharp enough to print', async () => {
    const { status, headers, body } = await app.anyone.get(`/join/${pass.passId}/poster.pdf`);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/pdf');
    const text = body.toString('latin1');
    assert.match(text, /^%PDF-1\.4\n/);
    assert.match(text, /\/MediaBox \[0 0 595\.28 841\.89\]/);
    // Each object is where the table says, and the table where the end says.
    const at = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
    const places = [...text.slice(at).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
    assert.equal(places.length, 6);
    for (const [index, place] of places.entries()) assert.ok(text.startsWith(`${index + 1} 0 obj\n`, place));
    const begin = text.indexOf('\xff\xd8\xff');
    const sharp = await loadSharp();
    const jpeg = body.subarray(begin, text.indexOf('\nendstream', begin));
    const { width, height, format } = await sharp(jpeg).metadata();
    assert.deepEqual([width, height, format], [2480, 3508, 'jpeg']);
    assert.deepEqual(
      (await readBarcodesIn(jpeg)).map(({ text }) => text),
      [`https://cards.example.test/join/${pass.passId}`],
    );
  });
});

describe('GET /join/{passId}/qr.svg', () => {
  it('leads to the page, and is refused as the page is where enrolling is off', async () => {
    const { status, headers, body } = await app.anyone.get(`/join/${pass.passId}/qr.svg?utm_source=mail`);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'image/svg+xml; charset=utf-8');
    assert.match(headers.get('cache-control') ?? '', /^public/);
    const sharp = await loadSharp();
    const drawn = await sharp(body, { density: 600 }).png().toBuffer();
    assert.deepEqual(
      (await readBarcodesIn(drawn)).map(({ text }) => text),
      [`https://cards.example.test/join/${pass.passId}`],
    );
    const closed = await makeJoinPass(client, { enabled: false });
    assertRefused(await app.anyone.get(`/join/${closed.passId}/qr.svg`), 'pass_not_found');
    assertRefused(await app.anyone.get('/join/pass_nobody/qr.svg'), 'pass_not_found');
  });
});

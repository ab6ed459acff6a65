import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { GoogleShop, startGoogleApp } from '../src/delivery/google/google.fixture.ts';
import { checkDigit } from '../src/kit/anywhere/check-digit.ts';
import { poolOf, uploadCsv, uploadJson } from '../src/passes/pool.fixture.ts';
import { readBarcode } from '../src/rendering/read-barcode.fixture.ts';
import { readPassFile } from '../tools/fakes/phone-pass.ts';
import { assertRefused, type Json } from './client.ts';
import { makePass } from './factories.ts';

const { app, google } = await startGoogleApp();
let shop: GoogleShop;
before(async () => {
  shop = await GoogleShop.open(app, google);
});

interface Expected {
  /** A code that the format holds. */
  readonly code: string;
  /** What its own codes look like. */
  readonly own: RegExp;
  readonly apple: string;
  readonly google: string;
  /** How ZXing calls it. */
  readonly read: string;
  readonly name: string;
  /** What it does not hold: what is said, the rule that is broken, and what that asks for. */
  readonly bad: readonly (readonly [code: string, says: RegExp, rule: string, limit: unknown])[];
}

const misfits = (format: string, says: RegExp, codes: readonly string[]) =>
  codes.map((code) => [code, says, 'pattern', format] as const);

const formats: Readonly<Record<string, Expected>> = {
  ean13: {
    code: '4006381333931',
    own: /^2\d{12}$/,
    apple: 'EAN13',
    google: 'EAN_13',
    read: 'EAN13',
    name: 'EAN-13 barcode',
    bad: [
      [
        '400638133393',
        /must have 13 digits\. With the check digit, .* is 4006381333931\.$/,
        'check_digit',
        1,
      ],
      ['036000291452', /is 0360002914522, or 0036000291452 if that is a UPC-A\.$/, 'check_digit', 2],
      [
        '4006381333932',
        /must end with its check digit, which is 1 and not 2: 4006381333931\.$/,
        'check_digit',
        1,
      ],
      ...misfits('ean13', /must have 13 digits/, ['CARD-7', '40063813', '04006381333931', '٤٠٠٦٣٨١٣٣٣٩٣١']),
    ],
  },
  code39: {
    code: 'CARD 7-.$/+%',
    own: /^[0-9A-Z]{16}$/,
    apple: 'Code39',
    google: 'CODE_39',
    read: 'Code39',
    name: 'Code 39 barcode',
    bad: misfits('code39', /capital letters A–Z/, ['card-7', '*CARD*', 'É', 'A'.repeat(41)]),
  },
  codabar: {
    code: '40156-7',
    own: /^\d{16}$/,
    apple: 'Codabar',
    google: 'CODABAR',
    read: 'Codabar',
    name: 'Codabar barcode',
    bad: misfits('codabar', /Leave out the letters A–D/, ['A40156B', '4', '40 15', '1'.repeat(41)]),
  },
  itf: {
    code: '123456',
    own: /^\d{16}$/,
    apple: 'I2of5',
    google: 'CODE_128',
    read: 'ITF',
    name: 'ITF barcode',
    bad: misfits('itf', /even number of digits.*Put a 0 in front/, [
      '12345',
      '12',
      '1234567',
      '12345A',
      '1'.repeat(42),
    ]),
  },
};

/** What the card shows on both wallets and on its page. */
async function shown(card: Json) {
  const file = readPassFile((await app.anyone.get(card.links.apple)).body as Buffer, {
    verify: true,
    root: app.running.app.apple.root,
    now: app.running.app.now(),
  });
  await shop.press(card);
  const page = await app.anyone.get(card.links.add, { headers: { accept: 'text/html' } });
  const [drawing = ''] = page.text.match(/<svg[^>]* role="img"[\s\S]*?<\/svg>/) ?? [];
  const { type, value } = shop.object(card).barcode;
  return {
    apple: JSON.parse(file.passJson.toString()).barcodes.map(({ format, message }: Json) => [
      format.replace('PKBarcodeFormat', ''),
      message,
    ]),
    google: [type, value],
    page: await readBarcode(drawing),
    name: /<title>([^<]*)/.exec(drawing)?.[1],
  };
}

for (const [format, expected] of Object.entries(formats)) {
  const asShown = (code: string) => ({
    apple: [expected.apple, 'Code128', 'QR'].map((name) => [name, code]),
    google: [expected.google, code],
    page: [{ format: expected.read, text: code }],
    name: expected.name,
  });

  describe(`a card with ${format}`, () => {
    it('shows the code that all cards share', async () => {
      const pass = await shop.pass({ barcode: { mode: 'simple', format, value: expected.code } });
      assert.deepEqual(await shown(await shop.card(pass)), asShown(expected.code));
    });

    it('shows one of its own, made for it or brought along', async () => {
      const pass = await shop.pass({ barcode: { mode: 'unique', format } });
      const card = await shop.card(pass);
      assert.match(card.barcode, expected.own);
      assert.deepEqual(await shown(card), asShown(card.barcode));
      const brought = await shop.card(pass, { barcode: expected.code });
      assert.deepEqual(await shown(brought), asShown(expected.code));
    });

    it('shows one of a pool', async () => {
      const pass = await shop.pass({ barcode: { mode: 'pool', format } });
      await uploadJson(shop.client, pass, [expected.code]);
      assert.deepEqual(await shown(await shop.card(pass)), asShown(expected.code));
    });

    it('keeps its code when the format of the pass changes, and shows it as QR where it does not fit', async () => {
      const pass = await shop.pass({ barcode: { mode: 'unique' } });
      const card = await shop.card(pass, { barcode: 'Zoë 42' });
      const changed = await shop.client.patch(`/passes/${pass.passId}`, { barcode: { format } });
      assert.equal(changed.body.barcode.format, format);
      assert.deepEqual(await shown(card), {
        apple: [['QR', 'Zoë 42']],
        google: ['QR_CODE', 'Zoë 42'],
        page: [{ format: 'QRCode', text: 'Zoë 42' }],
        name: 'QR code',
      });
      const { body } = await shop.client.get(`/instances/${card.instanceId}`);
      assert.equal(body.barcode, 'Zoë 42');
      assert.match((await shop.card(pass)).barcode, expected.own);
    });

    it('has a code that no other card of a thousand has', async () => {
      const { passId } = await shop.pass({ barcode: { mode: 'unique', format } });
      const instances = Array.from({ length: 1_000 }, () => ({}));
      const { body } = await shop.client.post(`/passes/${passId}/instances/batch`, { instances });
      const codes: string[] = body.results.map(({ instance }: Json) => instance.barcode);
      assert.equal(new Set(codes).size, 1_000);
      for (const code of codes) assert.match(code, expected.own);
      if (format === 'ean13') assert.ok(codes.every((code) => code.endsWith(checkDigit(code.slice(0, -1)))));
    });
  });

  describe(`what ${format} cannot hold`, () => {
    for (const [code, says, rule, limit] of expected.bad) {
      const refusedAt = (path: string, answer: Json) => {
        assert.ok(answer.error.startsWith(`${path}: `), answer.error);
        assert.match(answer.error, says);
        const [{ message: _, ...problem }] = answer.problems;
        assert.deepEqual(problem, { path, rule, limit });
      };

      it(`is refused everywhere, and nothing is kept: ${code.slice(0, 20)}`, async () => {
        const { client } = shop;
        const value = { mode: 'simple', format, value: code };
        const made = await client.post('/passes', { title: 'Club', type: 'loyalty', barcode: value });
        assertRefused(made, 'invalid_request');
        refusedAt('barcode.value', made.body);

        const shared = await shop.pass({ barcode: { mode: 'simple', value: code } });
        const patched = await client.patch(`/passes/${shared.passId}`, { title: 'New', barcode: { format } });
        assertRefused(patched, 'invalid_request');
        refusedAt('barcode.value', patched.body);
        assert.deepEqual((await client.get(`/passes/${shared.passId}`)).body, shared);

        const unique = await shop.pass({ barcode: { mode: 'unique', format } });
        const path = `/passes/${unique.passId}/instances`;
        const issued = await client.post(path, { barcode: code });
        assertRefused(issued, 'invalid_request');
        refusedAt('barcode', issued.body);
        for (const kind of ['batch', 'import']) {
          const { body } = await client.post(`${path}/${kind}`, { instances: [{ barcode: code }] });
          assert.equal(body.results[0].error.code, 'invalid_request');
          refusedAt('barcode', body.results[0].error);
        }
        assert.equal((await client.get(`/passes/${unique.passId}`)).body.counts.issued, 0);

        const pool = await makePass(client, { barcode: { mode: 'pool', format } });
        const rejected = [{ line: 1, value: code, reason: 'unprintable' }];
        for (const upload of [uploadJson(client, pool, [code]), uploadCsv(client, pool, `${code}\n`)])
          assert.deepEqual((await upload).body.rejected, rejected);
        assert.equal((await poolOf(client, pool)).total, 0);
        const imported = await client.post(`/passes/${pool.passId}/instances/import`, {
          instances: [{ barcode: code }],
        });
        refusedAt('barcode', imported.body.results[0].error);
      });
    }
  });
}

describe('a file of codes', () => {
  it('says which numbers a spreadsheet has changed, rather than that they do not fit', async () => {
    const pool = await shop.pass({ barcode: { mode: 'pool', format: 'ean13' } });
    const file = 'barcode\n4006381333931\n4.00638E+12\n="0036000291452"\n400638133393\n';
    const { body } = await uploadCsv(shop.client, pool, file);
    assert.equal(body.added, 2);
    assert.deepEqual(
      body.rejected.map(({ line, reason }: Json) => [line, reason]),
      [
        [3, 'damaged'],
        [5, 'unprintable'],
      ],
    );
  });
});

describe('an ITF of 14 digits', () => {
  it('is an ITF-14 at Google where its check digit is right', async () => {
    const pass = await shop.pass({ barcode: { mode: 'unique', format: 'itf' } });
    for (const [barcode, type] of [
      ['04006381333931', 'ITF_14'],
      ['04006381333932', 'CODE_128'],
    ]) {
      const card = await shop.card(pass, { barcode });
      assert.deepEqual((await shown(card)).google, [type, barcode]);
    }
  });
});

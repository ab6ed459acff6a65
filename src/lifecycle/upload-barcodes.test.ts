import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../test/client.ts';
import { makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
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

const threeLeft = { available: 3, assigned: 0, lowAt: 100, lowSince: null };

describe('POST /passes/{passId}/barcodes', () => {
  it('adds codes in their order, and cards get them in that order', async () => {
    const pass = await makePool(client);
    const { status, body } = await uploadJson(client, pass, ['C', 'A', 'B']);
    assert.equal(status, 200);
    const pool = { total: 3, ...threeLeft };
    assert.deepEqual(body, { received: 3, added: 3, duplicates: 0, rejected: [], pool });
    assert.deepEqual(await poolOf(client, pass), pool);
    await fill(client, pass, ['9', '1']);
    const cards = [];
    for (let count = 0; count < 5; count++) cards.push((await makeCard(client, pass.passId)).barcode);
    assert.deepEqual(cards, ['C', 'A', 'B', '9', '1']);
  });

  const files: [what: string, text: string, codes: string[]][] = [
    ['lines that end in LF', 'A\nB\nC\n', ['A', 'B', 'C']],
    ['lines that end in CRLF', 'A\r\nB\r\nC\r\n', ['A', 'B', 'C']],
    ['lines that end in CR', 'A\rB\rC', ['A', 'B', 'C']],
    ['a header', 'barcode\nA\nB', ['A', 'B']],
    ['a header in capitals and quotes', '"Barcode"\r\nA\r\nB', ['A', 'B']],
    ['a header with a byte order mark', '\ufeffbarcode\nA\nB', ['A', 'B']],
    ['a byte order mark', '\ufeffA\nB', ['A', 'B']],
    ['the header word as a code', 'A\nbarcode\nB', ['A', 'barcode', 'B']],
    ['blank lines', '\n\nA\n\n\nB\n\n', ['A', 'B']],
    ['quotes', '"A,1"\n"B ""two"""\nC 3\n', ['A,1', 'B "two"', 'C 3']],
    ['other scripts', 'カード１\nПропуск-2\n🎟️-3\n', ['カード１', 'Пропуск-2', '🎟️-3']],
    ['nothing but a header', 'barcode\n', []],
    ['one code', 'A', ['A']],
  ];
  for (const [what, text, codes] of files) {
    it(`reads a CSV file with ${what}`, async () => {
      const pass = await makePool(client);
      const { status, body } = await uploadCsv(client, pass, text);
      assert.equal(status, 200);
      assert.deepEqual([body.received, body.added, body.rejected], [codes.length, codes.length, []]);
      assert.deepEqual(await namesOf(client, pass), codes);
    });
  }

  it('reports what it rejects, and adds the rest', async () => {
    const pass = await makePool(client);
    await fill(client, pass, ['OLD', 'ISSUED']);
    const instances = [{ barcode: 'ISSUED' }, { barcode: 'BROUGHT' }];
    await client.post(`/passes/${pass.passId}/instances/import`, { instances });
    const long = 'x'.repeat(256);
    const text = [
      'barcode',
      'NEW-1',
      '   ',
      '""',
      'a,b',
      long,
      '"two\nlines"',
      'tab\tbed',
      'OLD',
      'ISSUED',
      'BROUGHT',
      'NEW-1',
      'NEW-2',
      'OLD',
    ].join('\n');
    const { status, body } = await uploadCsv(client, pass, text);
    assert.equal(status, 200);
    const { pool: _, ...report } = body;
    assert.deepEqual(report, {
      received: 13,
      added: 2,
      duplicates: 5,
      rejected: [
        { line: 3, value: '   ', reason: 'empty' },
        { line: 4, value: '', reason: 'empty' },
        { line: 5, value: 'a,b', reason: 'too_many_cells' },
        { line: 6, value: 'x'.repeat(255), reason: 'too_long' },
        { line: 7, value: 'two\nlines', reason: 'unprintable' },
        { line: 9, value: 'tab\tbed', reason: 'unprintable' },
        { line: 10, value: 'OLD', reason: 'already_in_pool' },
        { line: 11, value: 'ISSUED', reason: 'already_issued' },
        { line: 12, value: 'BROUGHT', reason: 'already_issued' },
        { line: 13, value: 'NEW-1', reason: 'duplicate_in_upload' },
        { line: 15, value: 'OLD', reason: 'duplicate_in_upload' },
      ],
    });
    assert.deepEqual(await namesOf(client, pass), ['OLD', 'ISSUED', 'NEW-1', 'NEW-2']);
    assert.deepEqual(body.pool, await poolOf(client, pass));
    assert.deepEqual([body.pool.total, body.pool.available, body.pool.assigned], [4, 3, 1]);
  });

  const tables: readonly (readonly [what: string, text: string, codes: string[]])[] = [
    ['a line that names the delimiter', 'sep=,\r\nbarcode\r\nA\r\n', ['A']],
    ['a heading next to another', 'barcode;valid until\nA;2027-01-01\nB;\n', ['A', 'B']],
    ['a heading in another place, and tabs', 'No\tBARCODE\n1\tA\n2\tB', ['A', 'B']],
    ['a heading of several lines next to it', '"valid\nuntil",Code\n"1,5",A\n', ['A']],
    ['sep= in quotes, and bars', '"sep=|"\nvalid|Barcode\n1|A', ['A']],
    ['blanks around codes', '  A \n\tB\t', ['A', 'B']],
    ['texts that look like numbers', '="0012345"\n"=""0012346"""', ['0012345', '0012346']],
    ['our own apostrophe', "'-A1\n'@ada\n'A\n''=1", ['-A1', '@ada', "'A", "'=1"]],
    ['a semicolon that is of the code', 'A;1\nB;2', ['A;1', 'B;2']],
  ];
  for (const [what, text, codes] of tables)
    it(`reads ${what}`, async () => {
      const pass = await makePool(client);
      const { body } = await uploadCsv(client, pass, text);
      assert.deepEqual([body.rejected, await namesOf(client, pass)], [[], codes]);
    });

  it('takes no number that a spreadsheet has changed, nor two codes for one', async () => {
    const pass = await makePool(client);
    const changed = ['4.00638E+12', '"4,00638E+12"', '1E+15', '########', '#NAME?', '#WERT!'];
    const { body } = await uploadCsv(client, pass, [...changed, '4006381333931', '4E2', '#12'].join('\n'));
    assert.deepEqual(
      body.rejected.map(({ line, reason }: { line: number; reason: string }) => [line, reason]),
      changed.map((_, at) => [at + 1, 'damaged']),
    );
    assert.deepEqual(await namesOf(client, pass), ['4006381333931', '4E2', '#12']);
    assert.equal((await uploadJson(client, pass, ['4.00638E+12'])).body.added, 1);
  });

  it('says what a file is that is none', async () => {
    const pass = await makePool(client);
    for (const [text, message] of [
      ['PK\u0003\u0004 and so on', /a workbook/],
      ['%PDF-1.7\n1 0 obj', /a PDF/],
      ['<!DOCTYPE html>\n<p>A', /a page of HTML/],
      ['{\n  "barcodes": ["A"]\n}', /JSON/],
      ['["A","B"]', /JSON/],
      ['{\\rtf1 A}', /a text document/],
    ] as const)
      assertRefused(await uploadCsv(client, pass, text), 'invalid_request', message);
  });

  it('reports the same of JSON, by place', async () => {
    const pass = await makePool(client);
    const { body } = await uploadJson(client, pass, ['A', '', 'A', 'a\nb', 'é'.repeat(256), 'B']);
    assert.deepEqual(
      body.rejected.map(({ line, reason }: { line: number; reason: string }) => [line, reason]),
      [
        [2, 'empty'],
        [3, 'duplicate_in_upload'],
        [4, 'unprintable'],
        [5, 'too_long'],
      ],
    );
    assert.deepEqual([body.received, body.added, body.duplicates], [6, 2, 1]);
    assert.deepEqual(await namesOf(client, pass), ['A', 'B']);
  });

  it('compares in NFC, and reports a code as it was sent', async () => {
    const pass = await makePool(client);
    const nfc = 'caf\u00e9';
    const nfd = 'cafe\u0301';
    const { body } = await uploadJson(client, pass, [nfd, nfc]);
    assert.deepEqual(body.rejected, [{ line: 2, value: nfc, reason: 'duplicate_in_upload' }]);
    const repeat = (await uploadCsv(client, pass, nfd)).body;
    assert.deepEqual(repeat.rejected, [{ line: 1, value: nfd, reason: 'already_in_pool' }]);
    assert.deepEqual(await namesOf(client, pass), [nfc]);
  });

  it('measures length in characters', async () => {
    const pass = await makePool(client);
    const { body } = await uploadJson(client, pass, [
      '🎟'.repeat(255),
      '🎟'.repeat(256),
      'e\u0301'.repeat(255),
    ]);
    assert.equal(body.added, 2);
    assert.deepEqual(body.rejected, [{ line: 2, value: '🎟'.repeat(255), reason: 'too_long' }]);
  });

  it('takes what Code 128 can hold where the pass draws that', async () => {
    const pass = await makePool(client, { format: 'code128' });
    const { body } = await uploadJson(client, pass, ['A~ 1', 'é', 'x'.repeat(80), 'x'.repeat(81)]);
    assert.equal(body.added, 2);
    assert.deepEqual(
      body.rejected.map(({ value, reason }: { value: string; reason: string }) => [value.length, reason]),
      [
        [1, 'unprintable'],
        [81, 'unprintable'],
      ],
    );
  });

  it('takes 50,000 codes, in both forms, and not one more', async () => {
    const pass = await makePool(client);
    const codes = numbered(50_001);
    const list = await uploadJson(client, pass, codes);
    assertRefused(list, 'invalid_request', /barcodes/);
    const file = await uploadCsv(client, pass, `barcode\n${codes.join('\n')}\n`);
    assertRefused(file, 'invalid_request', /line 50002: at most 50000/);
    assert.deepEqual(await poolOf(client, pass), { total: 0, ...threeLeft, available: 0 });
    const half = codes.slice(0, 50_000);
    const added = (await uploadCsv(client, pass, `barcode\r\n${half.join('\r\n')}\r\n`)).body;
    assert.deepEqual([added.received, added.added, added.rejected], [50_000, 50_000, []]);
    const repeated = (await uploadJson(client, pass, half)).body;
    assert.deepEqual([repeated.received, repeated.added, repeated.duplicates], [50_000, 0, 50_000]);
    assert.deepEqual(repeated.rejected[49_999], {
      line: 50_000,
      value: half[49_999],
      reason: 'already_in_pool',
    });
    assert.equal(repeated.pool.total, 50_000);
  });

  it('takes a file of 16 MiB, and not a byte more', async () => {
    const pass = await makePool(client);
    const line = `${'x'.repeat(1_023)}\n`;
    const whole = (await uploadCsv(client, pass, line.repeat(16 * 1_024))).body;
    assert.deepEqual([whole.received, whole.added], [16 * 1_024, 0]);
    const more = await uploadCsv(client, pass, `${line.repeat(16 * 1_024)}y`);
    assertRefused(more, 'request_too_large');
  });

  it('adds nothing of a file that is broken anywhere', async () => {
    const pass = await makePool(client);
    const good = numbered(3_000).join('\n');
    const broken: [string, RegExp][] = [
      [`${good}\n"A`, /line 3001: a quote is opened and not closed/],
      [`${good}\nA"B`, /line 3001: a quote stands within/],
      [`${good}\n"A"B`, /line 3001: a quote within/],
      [`${good}\n${'x'.repeat(70_000)}`, /line 3001: the row is longer/],
      [`${good}\n"${'x\n'.repeat(70_000)}"`, /the row is longer/],
      [`${good}\n${','.repeat(1_001)}`, /line 3001: at most 1000 cells/],
      [`${good}\nA\u0000`, /NUL/],
    ];
    for (const [text, message] of broken)
      assertRefused(await uploadCsv(client, pass, text), 'invalid_request', message);
    const latin1 = await fetch(`${app.url}${barcodesPath(pass)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.secret}`, 'content-type': 'text/csv' },
      body: Buffer.from(`${good}\ncaf\u00e9`, 'latin1'),
    });
    assert.equal(latin1.status, 400);
    assert.match(await latin1.text(), /not valid UTF-8/);
    assert.equal((await poolOf(client, pass)).total, 0);
  });

  it('refuses what is no list of texts', async () => {
    const pass = await makePool(client);
    for (const body of [{}, [], { barcodes: 'A' }, { barcodes: [1] }, { barcodes: [null] }, { codes: ['A'] }])
      assertRefused(await client.post(barcodesPath(pass), body), 'invalid_request');
    assertRefused(await client.post(barcodesPath(pass)), 'invalid_request', /no body/);
    assertRefused(await uploadCsv(client, pass, ''), 'invalid_request', /no body/);
    const plain = { headers: { 'content-type': 'text/plain' } };
    assertRefused(await client.post(barcodesPath(pass), 'A', plain), 'unsupported_media_type');
    const utf16 = { headers: { 'content-type': 'text/csv; charset=utf-16' } };
    assertRefused(await client.post(barcodesPath(pass), 'A', utf16), 'unsupported_media_type');
    assert.equal((await uploadJson(client, pass, [])).body.received, 0);
  });

  for (const mode of ['unique', 'none', 'simple']) {
    it(`refuses a pass of mode ${mode}, and says so`, async () => {
      const value = mode === 'simple' ? { value: 'SHARED' } : {};
      const pass = await makePass(client, { barcode: { mode, ...value } });
      const keys: Record<string, string>[] = [{}, { 'idempotency-key': `other mode ${mode}` }];
      for (const key of keys) {
        const reply = await uploadJson(client, pass, ['A'], key);
        assertRefused(reply, 'invalid_request', new RegExp(`barcode.mode: the pass has the mode "${mode}"`));
        assertRefused(await uploadCsv(client, pass, 'A', key), 'invalid_request', /barcode.mode/);
      }
    });
  }

  it('works in every state of the pass', async () => {
    for (const status of ['draft', 'published', 'archived'])
      await fill(client, await makePool(client, {}, status), ['A']);
  });

  it('keeps its pool while the mode changes to and fro', async () => {
    const pass = await makePool(client, { lowAt: 1 });
    await fill(client, pass, numbered(3));
    await client.patch(`/passes/${pass.passId}`, { barcode: { mode: 'unique' } });
    assertRefused(await uploadJson(client, pass, ['A']), 'invalid_request');
    await client.patch(`/passes/${pass.passId}`, { barcode: { mode: 'pool' } });
    assert.equal((await makeCard(client, pass.passId)).barcode, 'CODE-000000');
    assert.equal((await poolOf(client, pass)).available, 2);
  });

  it('is kept from other accounts, other passes and keys that only read', async () => {
    const pass = await makePool(client);
    const { client: stranger } = await app.newWorkspace();
    assertRefused(await uploadCsv(stranger, pass, 'A'), 'forbidden');
    const other = await makeKey(client, { passIds: [(await makePool(client)).passId] });
    assertRefused(await uploadJson(other.client, pass, ['A']), 'insufficient_scope');
    const reader = await makeKey(client, { access: 'read' });
    assertRefused(await uploadCsv(reader.client, pass, 'A'), 'insufficient_scope');
    const own = await makeKey(client, { passIds: [pass.passId] });
    assert.equal((await uploadCsv(own.client, pass, 'A')).body.added, 1);
  });

  it('is harmless to repeat without a key', async () => {
    const pass = await makePool(client);
    await fill(client, pass, numbered(300));
    const { body } = await uploadCsv(client, pass, numbered(300).join('\n'));
    assert.deepEqual([body.received, body.added, body.duplicates], [300, 0, 300]);
    assert.deepEqual(await namesOf(client, pass), numbered(300));
  });

  it('answers a repeat with a key as the first time, in either form', async () => {
    const pass = await makePool(client);
    const key = { 'idempotency-key': 'delivery-17' };
    const first = await uploadCsv(client, pass, 'barcode\nA\nB\nA\n', key);
    assert.equal(first.body.added, 2);
    const replays = [
      await uploadCsv(client, pass, 'barcode\nA\nB\nA\n', key),
      await uploadJson(client, pass, ['A', 'B', 'A'], key),
    ];
    for (const replay of replays) {
      assert.deepEqual(replay.body, first.body);
      assert.equal(replay.headers.get('idempotent-replayed'), 'true');
    }
    assertRefused(await uploadCsv(client, pass, 'A\nB\n', key), 'external_ref_reused');
    assertRefused(await uploadCsv(client, await makePool(client), 'A\nB\nA\n', key), 'external_ref_reused');
    // A refused upload leaves its key free.
    const fresh = { 'idempotency-key': 'delivery-18' };
    assertRefused(await uploadCsv(client, pass, '"A', fresh), 'invalid_request');
    assert.equal((await uploadCsv(client, pass, 'C', fresh)).body.added, 1);
  });

  it('is in the audit log when it added something', async () => {
    const pass = await makePool(client);
    await fill(client, pass, ['A', 'B']);
    await uploadCsv(client, pass, 'A');
    const audited = await app.sql(
      `select detail from audit_log where action = 'uploadBarcodes' and target = $1`,
      [pass.passId],
    );
    assert.deepEqual(audited, [{ detail: { received: 2, added: 2 } }]);
  });

  it('leaves counts, marks and codes in agreement', () => assertInvariants(app.sql));
});

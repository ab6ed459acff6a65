import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CsvRow, csvOf, csvRows, readCsv, textOfCell } from './csv.ts';

const rowsOf = async (text: string) => (await readCsv(text, 100)).map(({ line, cells }) => [line, ...cells]);

const tables: readonly (readonly [what: string, text: string, rows: unknown[][]])[] = [
  ['nothing', '', []],
  ['blank lines', '\n\r\n\n', []],
  [
    'lines that end in LF',
    'a,b\n1,2\n',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  [
    'lines that end in CRLF',
    'a,b\r\n1,2\r\n',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  [
    'lines that end in CR',
    'a,b\r1,2\r',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  [
    'a last line without an end',
    'a,b\n1,2',
    [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ],
  ],
  ['a byte order mark', '\ufeffa,b', [[1, 'a', 'b']]],
  ['a byte order mark before a quote', '\ufeff"a",b', [[1, 'a', 'b']]],
  [
    'blank lines between',
    'a\n\n\nb\n',
    [
      [1, 'a'],
      [4, 'b'],
    ],
  ],
  [
    'rows of different lengths',
    'a,b\n1\n1,2,3',
    [
      [1, 'a', 'b'],
      [2, '1'],
      [3, '1', '2', '3'],
    ],
  ],
  [
    'empty cells',
    ',\n"",""',
    [
      [1, '', ''],
      [2, '', ''],
    ],
  ],
  ['quotes', '"a ""b"" c","d,e"', [[1, 'a "b" c', 'd,e']]],
  [
    'line breaks in cells',
    'a,b\r\n"1\r\n\r\n2",3\r\n4,5\r\n',
    [
      [1, 'a', 'b'],
      [2, '1\n\n2', '3'],
      [5, '4', '5'],
    ],
  ],
  ['spaces, which belong to the cells', ' a , b ', [[1, ' a ', ' b ']]],
  ['other scripts', 'Café,退款,🎁', [[1, 'Café', '退款', '🎁']]],
];

for (const [what, text, rows] of tables) {
  test(`reads ${what}`, async () => assert.deepEqual(await rowsOf(text), rows));
}

/** What is read of bytes that arrive so many at a time. */
async function arriving(bytes: Buffer, size: number): Promise<CsvRow[]> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const rows: CsvRow[] = [];
  for await (const some of csvRows(pieces, 100)) rows.push(...some);
  return rows;
}

test('reads the same wherever the pieces in which a text arrives are cut', async () => {
  for (const [what, text, rows] of tables) {
    for (const size of [1, 2, 3, 5]) {
      const found = await arriving(Buffer.from(text), size);
      assert.deepEqual(
        found.map(({ line, cells }) => [line, ...cells]),
        rows,
        `${what}, ${size} bytes at a time`,
      );
    }
  }
});

const unreadable: readonly (readonly [what: string, bytes: Buffer, message: RegExp])[] = [
  ['another charset', Buffer.from('a\ncaf\u00e9\nb', 'latin1'), /not valid UTF-8/],
  ['half a character', Buffer.from('a\n🎁').subarray(0, -1), /not valid UTF-8/],
  ['half a surrogate pair', Buffer.from([0x61, 0xed, 0xa0, 0x80]), /not valid UTF-8/],
  ['UTF-16', Buffer.from('\ufeffa\nb', 'utf16le'), /not valid UTF-8/],
  ['NUL', Buffer.from('a\n\0b'), /NUL/],
];

for (const [what, bytes, message] of unreadable) {
  test(`refuses ${what}, however it arrives`, async () => {
    for (const size of [1, 2, bytes.length])
      await assert.rejects(arriving(bytes, size), { code: 'invalid_request', message });
  });
}

test('gives rows out before the whole has arrived, and raises what its source raises', async () => {
  const seen: number[] = [];
  async function* source() {
    for (let piece = 0; piece < 3; piece++) yield Buffer.from('a\n'.repeat(10));
    throw new Error('broken off');
  }
  const read = async () => {
    for await (const rows of csvRows(source(), 100)) seen.push(rows.length);
  };
  await assert.rejects(read, /broken off/);
  assert.equal(seen.length, 3);
});

test('separates cells at the delimiter that a file names, or that most of its headings have', async () => {
  const known = (cell: string) => ['name', 'code', 'e-mail'].includes(cell);
  for (const [text, cells] of [
    ['sep=;\na;b', ['a', 'b']],
    ['"sep=\t"\r\na\tb', ['a', 'b']],
    ['SEP=|\na|b', ['a', 'b']],
    ['name, first;code;e-mail\n', ['name, first', 'code', 'e-mail']],
    ['"name, first";"code"\n1;2', ['name, first', 'code']],
    ['"a\n;b"\tcode\tname\n', ['a\n;b', 'code', 'name']],
    ['\n\ncode|x\n', ['code', 'x']],
    ['a;b,c', ['a;b', 'c']],
  ] as const)
    for (const size of [1, 7, 100]) {
      const bytes = Buffer.from(text);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const rows: CsvRow[] = [];
      for await (const some of csvRows(pieces, 100, known)) rows.push(...some);
      assert.deepEqual(rows[0]?.cells, cells, text);
    }
});

test('says on which line a quote was opened', async () => {
  await assert.rejects(readCsv('a\n"b\nc"\n"d\ne\nf', 100), {
    message: 'line 4: a quote is opened and not closed.',
  });
  await assert.rejects(readCsv('sep=,\na\n"d\ne\nf', 100), {
    message: 'line 3: a quote is opened and not closed.',
  });
});

const malformed: readonly (readonly [what: string, text: string, message: RegExp])[] = [
  ['a quote that is not closed', 'a,b\n1,2\n"3,4\n', /^line \d: a quote is opened and not closed\.$/],
  ['text behind a quote', 'a,b\r\n"1"2,3\r\n', /^line 2: a quote within a quoted cell is not doubled\.$/],
  ['a quote within a cell', 'a,b\n\n1"2,3\n', /^line 3: a quote stands within a cell that is not quoted\.$/],
  ['an endless row', `a\n${'x'.repeat(70_000)}`, /^line 2: the row is longer than 65536 bytes/],
  ['an endless quoted row', `a\n"${'x\n'.repeat(70_000)}`, /^line \d+: the row is longer than 65536 bytes/],
  ['a row of too many cells', `a\n${','.repeat(1_000)}`, /^line 2: at most 1000 cells/],
  ['too many rows', 'a\n'.repeat(101), /^line 101: at most 99 lines are taken at once\.$/],
];

for (const [what, text, message] of malformed) {
  test(`refuses ${what}`, () => assert.rejects(readCsv(text, 100), { code: 'invalid_request', message }));
}

test('reads what was written, formulas and apostrophes included', async () => {
  const texts = [
    '=1+1',
    "'=1+1",
    "''@a",
    "'",
    "''",
    "'a",
    '-',
    '\t=1',
    ' ＝1',
    '＇=1',
    'a,"b"',
    'Zoe\u0308',
    '',
    "it's",
    '\ufeff',
  ];
  const [row] = await readCsv(`x\n${csvOf([texts])}`.slice(2), 1);
  assert.deepEqual(row?.cells.map(textOfCell), texts);
});

test('cells that cross the pieces in which a text is read', async () => {
  const cell = 'ü"\n,'.repeat(9_000);
  const [, row] = await readCsv(`a\n${csvOf([[cell]])}`, 2);
  assert.equal(row?.cells[0], cell);
});

test('gives others their turn while it reads a long text', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await readCsv('a,b,c\n'.repeat(50_000), 50_000);
  clearInterval(timer);
  assert.ok(turns > 5, `${turns} turns`);
});

const cases: readonly (readonly [what: string, cell: string | number | null, written: string])[] = [
  ['plain text', 'Café ☕', 'Café ☕'],
  ['no text', '', ''],
  ['nothing', null, ''],
  ['a comma', 'Bean, Blue', '"Bean, Blue"'],
  ['quotes', 'the "best"', '"the ""best"""'],
  ['several lines', 'one\r\ntwo', '"one\r\ntwo"'],
  ['a formula', '=1+1', "'=1+1"],
  [
    'a formula with a comma',
    '=HYPERLINK("https://example.test","x")',
    `"'=HYPERLINK(""https://example.test"",""x"")"`,
  ],
  ['a plus', '+1', "'+1"],
  ['a minus', '-1', "'-1"],
  ['an at', '@SUM(A1)', "'@SUM(A1)"],
  ['a tab', '\t=1', "'\t=1"],
  ['a carriage return', '\r=1', `"'\r=1"`],
  ['a formula behind blanks', '  =1', "'  =1"],
  ['a formula behind invisible characters', '\u200b\ufeff\u00a0=1', "'\u200b\ufeff\u00a0=1"],
  ['a formula in full width', '＝1', "'＝1"],
  ['a plus in full width', '＋1', "'＋1"],
  ['a minus in full width, behind blanks', '\u3000－1', "'\u3000－1"],
  ['an at in full width', '＠A1', "'＠A1"],
  ['a small equals sign', '﹦1', "'﹦1"],
  ['a formula that is not at the beginning', 'a=1', 'a=1'],
  ['a formula behind an apostrophe', "'=1", "''=1"],
  ['an apostrophe', "'a", "'a"],
  ['a number', 12, '12'],
  ['a number below zero', -12, '-12'],
];

for (const [what, cell, written] of cases) {
  test(what, () => assert.equal(csvOf([[cell]]), `${written}\r\n`));
}

test('rows of cells', () => {
  const rows = [
    ['name', 'points'],
    ['Ada', 5],
  ];
  assert.equal(csvOf(rows), 'name,points\r\nAda,5\r\n');
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Instance } from '../sdk/typescript/src/types.ts';
import { csvLine } from '../src/kit/anywhere/csv-text.ts';
import { cardHeads, cardRow } from '../web/console/cards/export-rows.ts';
import {
  asItStands,
  type CheckedRow,
  type Choices,
  checkRows,
  guess,
  questionsOf,
  readCsv,
  sampleText,
} from '../web/console/cards/import-file.ts';
import { codesOf, guessReading } from '../web/console/passes/pool/pool-file.ts';
import { losesZeros } from '../web/shared/csv-table.ts';
import { de as cardsDe } from '../web/texts/de/cards.ts';
import { de } from '../web/texts/de/import.ts';
import { en as cardsEn } from '../web/texts/en/cards.ts';
import { en } from '../web/texts/en/import.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** The lines of a file as the page checks it. */
function checked(text: string, choices: Partial<Choices> = {}): CheckedRow[] {
  const file = readCsv(bytes(text));
  return checkRows(file, guess(file.heads, file), { ...asItStands, ...choices });
}

/** What a column of balances is read as: the figures, or what is wrong with them. */
const balancesOf = (column: readonly string[], choices?: Partial<Choices>) =>
  checked(`Punkte;x\n${column.map((cell) => `${cell};\n`).join('')}`, choices).map(
    ({ problem, values }) => problem ?? values.balance,
  );

describe('a file of cards', () => {
  it('is read with commas, semicolons and tabs, with quotes and without', () => {
    for (const separator of [',', ';', '\t']) {
      const text = `${['Name', 'E-Mail'].join(separator)}\r\n"Ada ""A"" Lovelace"${separator} ada@example.com \r\n\r\n`;
      const { heads, rows } = readCsv(bytes(text));
      assert.deepEqual([heads, rows], [['Name', 'E-Mail'], [['Ada "A" Lovelace', 'ada@example.com']]]);
    }
  });

  it('is read as spreadsheets on Windows save it, and with the mark of UTF-8', () => {
    const windows = Uint8Array.from([...'Name\nJ'].map((c) => c.charCodeAt(0)).concat([0xfc, 0x72, 0x67]));
    assert.deepEqual(readCsv(windows).rows, [['Jürg']]);
    assert.deepEqual(readCsv(bytes('\ufeffName\nJürg')).heads, ['Name']);
  });

  it('is read as Excel saves it, by any name', () => {
    const rows = [['Grüße', '0012']];
    const text = 'Name\tCode\r\nGrüße\t="0012"\r\n';
    const bigEndian = (all: string) => Buffer.from(all, 'utf16le').swap16();
    for (const file of [
      Buffer.from(`\ufeff${text}`, 'utf16le'),
      Buffer.from(text, 'utf16le'),
      bigEndian(`\ufeff${text}`),
      bigEndian(text),
      Buffer.from(text, 'latin1'),
      bytes(text.replaceAll('\r\n', '\r')),
      bytes(`sep=\t\r\n${text}`),
      bytes('Name|Code\nGrüße|"=""0012"""\n'),
      bytes('"Name" ; "Code"\n"Grüße" ; "0012"\n'),
      bytes('Name, first;Code\nGrüße;0012\n'),
      bytes('"Name\n(first)",Code\nGrüße,0012,,\n'),
    ])
      assert.deepEqual(readCsv(file).rows, rows);
    assert.deepEqual(readCsv(bytes('"Name\n(first)",Code\n')).heads, ['Name (first)', 'Code']);
    assert.deepEqual(guess(['E-MAIL', 'first_name', 'Last Name', 'Prénom', 'CÓDIGO']), [
      'email',
      'firstName',
      'lastName',
      null,
      null,
    ]);
  });

  it('survives its own export', () => {
    const texts = ['@ada', '-A1', '+49 151 2345', "'ada", "'=1", ' =1', '＝1'];
    const file = readCsv(bytes(csvLine(['Code']) + texts.map((text) => csvLine([text])).join('')));
    assert.deepEqual(file.rows.flat(), texts);
  });

  it('is refused as what it is', () => {
    for (const [file, kind] of [
      [Buffer.from('PK\x03\x04'), 'workbook'],
      [Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'workbook'],
      [Buffer.from('%PDF-1.7'), 'pdf'],
      [Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff', 'latin1'), 'binary'],
      [Buffer.from(`${'a'.repeat(600)}\0`), 'binary'],
      [Buffer.from('\x89PNG\r\n', 'latin1'), 'image'],
      [bytes('\ufeff<html><table>'), 'html'],
      [bytes('[{"name":"Ada"}]'), 'json'],
    ] as const)
      assert.throws(() => readCsv(file), { kind });
    assert.throws(() => readCsv(bytes('Name\nAda\n"Bob\nCy\n')), { kind: 'quotes', line: 3 });
  });

  it('has names joined, balances without decimals, and numbers refused that a spreadsheet has changed', () => {
    const file = readCsv(
      bytes(
        'First name;Last name;Code;Points\nAda;Lovelace;A1;"5,00"\nBo;;A2;1.234\n;Cy;4,00638E+12;1\nDi;;4.00638E+12;1\nEd;;12-Mar;1\nFlo;;A3;7.0\n\n"G\ng";;A4;########\n;;A5;2\n',
      ),
    );
    const found = checkRows(file, guess(file.heads));
    assert.deepEqual(
      found.map(({ line, problem, values }) => [line, problem, values.name]),
      [
        [2, null, 'Ada Lovelace'],
        [3, 'balance', 'Bo'],
        [4, 'damaged', 'Cy'],
        [5, 'damaged', 'Di'],
        [6, 'damaged', 'Ed'],
        [7, null, 'Flo'],
        [9, 'damaged', 'G\ng'],
        [11, null, undefined],
      ],
    );
    assert.deepEqual([found[0]?.values.balance, found[5]?.values.balance], ['5', '7']);
  });

  it('of codes is distinguished from what a spreadsheet made of it', () => {
    const of = (text: string) => {
      const file = readCsv(bytes(text));
      return codesOf(file, guessReading(file)).map(({ line, code, problem }) => [line, code, problem]);
    };
    assert.deepEqual(of('sep=,\nbarcode\nMAR12\nMar-12\nB7'), [
      [3, 'MAR12', null],
      [4, 'Mar-12', 'damaged'],
      [5, 'B7', null],
    ]);
    assert.deepEqual(of('barcode;valid until\nA;1'), [[2, 'A', null]]);
    // A list that is of such codes alone.
    assert.deepEqual(
      of('Mar-12\nApr-13').map(([, , problem]) => problem),
      [null, null],
    );
    const cut = of('code\n1234567890123450\n1234567890123460\n7').map(([, , problem]) => problem);
    assert.deepEqual(cut, ['damaged', 'damaged', null]);
    assert.equal(losesZeros(['123456', '12345', '654321', '777777']), true);
    assert.equal(losesZeros(['012345', '12345', '654321']), false);
  });

  it('is distinguished from other files, and known again', () => {
    assert.equal(readCsv(bytes('a\n1')).key, readCsv(bytes('a\n1')).key);
    assert.notEqual(readCsv(bytes('a\n1')).key, readCsv(bytes('a\n2')).key);
  });

  it('has its columns guessed in English and German, each once', () => {
    assert.deepEqual(
      guess(['Full name', 'Email address', 'Mobile', 'Member ID', 'Barcode', 'Points', 'Shoe size']),
      ['name', 'email', 'phone', 'identifier', 'barcode', 'balance', null],
    );
    assert.deepEqual(guess(['Name', 'Vorname', 'Kundennummer', 'Kartennummer', 'Punktestand', 'Telefon']), [
      'lastName',
      'firstName',
      'identifier',
      'barcode',
      'balance',
      'phone',
    ]);
  });

  it('has each line checked', () => {
    const file = readCsv(
      bytes(
        'code,email,points\nA,a@example.com,5\nA,b@example.com,1\n,c@example.com,1\nB,nobody,1\nC,,-1\nD,,\nE\n,,\n',
      ),
    );
    assert.deepEqual(
      checkRows(file, ['barcode', 'email', 'balance']).map(({ line, problem }) => [line, problem]),
      [
        [2, null],
        [3, 'twice'],
        [4, 'code'],
        [5, 'email'],
        [6, 'balance'],
        [7, null],
        [8, 'columns'],
        [9, 'nothing'],
      ],
    );
  });

  it('has balances read in the notation of their column', () => {
    for (const [column, expected] of [
      [
        ['3,00', '1.200,00', '1.200'],
        ['3', '1200', '1200'],
      ],
      [
        ['3.00', '1,200.00', '1,200'],
        ['3', '1200', '1200'],
      ],
      [
        ['1 200', '1\u00a0200,00', '1\u202f200', '12'],
        ['1200', '1200', '1200', '12'],
      ],
      [
        ['1’200', "1'200.00", '1.500'],
        ['1200', '1200', 'fraction'],
      ],
      [
        ['1.200.000', '1.200'],
        ['1200000', '1200'],
      ],
      [
        ['2,50', '2,00', '0,500'],
        ['fraction', '2', 'fraction'],
      ],
      [
        ['1,234', '12,5'],
        ['fraction', 'fraction'],
      ],
      [
        ['5,00', '7.0', '1.234'],
        ['5', '7', 'balance'],
      ],
      [
        ['007', '0', '-1', '1.2.3', '12 3', '1e3', '1234567890'],
        ['7', '0', 'balance', 'balance', 'balance', 'balance', 'balance'],
      ],
    ] as const)
      assert.deepEqual(balancesOf(column), expected, String(column));
  });

  it('asks what 1.200 is where no balance says it', () => {
    const ask = (column: readonly string[]) => {
      const file = readCsv(bytes(`Punkte;x\n${column.map((cell) => `${cell};\n`).join('')}`));
      return questionsOf(file, guess(file.heads, file)).balance;
    };
    assert.deepEqual([ask(['3', '1.200']), ask(['3,0', '1.200']), ask(['3', '4'])], ['1.200', null, null]);
    assert.deepEqual(balancesOf(['3', '1.200', '3.000']), ['3', '1200', '3000']);
    assert.deepEqual(balancesOf(['3', '1.200', '3.000'], { hasDecimals: true }), ['3', 'fraction', '3']);
  });

  it('has numbers of telephones noticed that have lost their zero', () => {
    const read = (phones: readonly string[], choices?: Partial<Choices>) => {
      const text = `Name;Telefon\n${phones.map((phone) => `Ada;${phone}\n`).join('')}`;
      const file = readCsv(bytes(text));
      return {
        asked: questionsOf(file, guess(file.heads, file)).phones,
        phones: checked(text, choices).map(({ problem, values }) => problem ?? values.phone),
      };
    };
    const lost = [
      '15110000000',
      '',
      '+49 151 10000001',
      '015110000002x',
      '15110000003',
      '4,91511E+12',
      '#NUM!',
    ];
    assert.deepEqual(read(lost).asked, { count: 2, example: '15110000000' });
    assert.deepEqual(read(lost, { phonePrefix: '0' }).phones, [
      '015110000000',
      undefined,
      '+49 151 10000001',
      '015110000002x',
      '015110000003',
      'damaged',
      'damaged',
    ]);
    assert.equal(read(lost, { phonePrefix: '+' }).phones[0], '+15110000000');
    assert.equal(read(lost).phones[0], '15110000000');
    assert.equal(read(['15110000000', '015110000001']).asked, null);
    assert.equal(read(['(212) 555-0100', '2125550101']).asked, null);
  });

  it('has what a spreadsheet has damaged refused with its line and what is there', () => {
    const text =
      'Code;Name\nA1;Ada\n01.Mrz;Bo\n4,91511E+12;Cy\n#REF!;Di\n01.03.2024;Ed\nA2;Flo\nA3;\nA4;\nA5;\n';
    assert.deepEqual(
      checked(text).flatMap(({ line, problem, cell }) => (problem === null ? [] : [[line, problem, cell]])),
      [
        [3, 'damaged', '01.Mrz'],
        [4, 'damaged', '4,91511E+12'],
        [5, 'damaged', '#REF!'],
        [6, 'damaged', '01.03.2024'],
      ],
    );
  });

  it('has lines of one card refused, and lines of one person named', () => {
    const text =
      'Code,Customer number,E-mail,Phone\nA,1,a@example.com,+49 151 1\nB,2,A@Example.com,\nA,3,,\nC,1,,\nD,4,,0049151-1\n';
    const twins = (choices?: Partial<Choices>) =>
      checked(text, choices).map(({ line, problem, cell, twin }) => [line, problem, cell, twin]);
    assert.deepEqual(twins(), [
      [2, null, null, null],
      [3, null, 'A@Example.com', 2],
      [4, 'twice', 'A', 2],
      [5, 'twice', '1', 2],
      [6, null, '0049151-1', 2],
    ]);
    assert.deepEqual(
      twins({ onlyFirst: true }).map(([, problem]) => problem),
      [null, 'shared', 'twice', 'twice', 'shared'],
    );
  });

  it("has the pass's own fields among its columns", () => {
    const fields = [
      { key: 'seat', label: 'Sitzplatz' },
      { key: 'since', label: 'Dabei seit' },
    ];
    const file = readCsv(bytes('Name;SITZPLATZ;since;Extra\nAda;4a;2019;\n'));
    const mapping = guess(file.heads, { rows: file.rows, fields });
    assert.deepEqual(mapping, ['name', 'field:seat', 'field:since', null]);
    const [row] = checkRows(file, mapping);
    assert.deepEqual(row?.values, { name: 'Ada', 'field:seat': '4a', 'field:since': '2019' });
    assert.equal(
      checkRows({ ...file, rows: [['Ada', 'x'.repeat(1_001), '', '']] }, mapping)[0]?.problem,
      'tooLong',
    );
  });

  it('is the sample in each language, which is imported as it is', () => {
    for (const { sample } of [de, en]) {
      const file = readCsv(bytes(`\ufeff${sampleText(sample)}`));
      assert.deepEqual(guess(file.heads, file), [
        'firstName',
        'lastName',
        'email',
        'phone',
        'identifier',
        'balance',
      ]);
      const rows = checkRows(file, guess(file.heads, file));
      assert.deepEqual(
        rows.map(({ problem, twin, values }) => [problem, twin, values.name, values.balance]),
        [
          [null, null, 'Ada Lovelace', '3'],
          [null, null, 'Grace Hopper', '12'],
        ],
      );
    }
  });

  it('is what the list of cards exports, without void cards', () => {
    const rest = [null, 'https://cards.example.com/p/x', 'news: agreed'];
    const cards = [
      [
        'inst_1',
        'active',
        '\'Søren; "S" O’Neil',
        'a@example.com',
        '+4915110000000',
        '@7',
        '-0012',
        1200,
        0,
        '2026-11-01',
        ...rest,
      ],
      ['inst_2', 'voided', 'Ada', null, null, '8', 'B2', 5, 0, '2026-11-01', ...rest],
      ['inst_3', 'active', 'Ada', null, null, '8', 'B3', 7, 0, '2026-11-01', ...rest],
    ];
    for (const { columns } of [cardsDe, cardsEn]) {
      const text = `\ufeff${[columns, ...cards].map((row) => csvLine(row)).join('')}`;
      assert.deepEqual(
        checked(text).map(
          ({ problem, values: { name, email, phone, identifier, barcode, balance } }) =>
            problem ?? [name, email, phone, identifier, barcode, balance],
        ),
        [
          ['\'Søren; "S" O’Neil', 'a@example.com', '+4915110000000', '@7', '-0012', '1200'],
          'voided',
          ['Ada', undefined, undefined, '8', 'B3', '7'],
        ],
      );
      // Cards of a pass without codes.
      assert.deepEqual(
        checked(text.replace(/'-0012|B2|B3/g, '')).map(({ problem }) => problem),
        [null, 'voided', null],
      );
    }
  });

  it('is what the list of cards exports now, with fields, links and consents, whatever separates its cells', () => {
    const fields = [{ key: 'drink', label: 'Favourite drink' }];
    const card = {
      instanceId: 'inst_1',
      status: 'active',
      holder: { name: 'Šimić; Ana', email: 'a@example.com', phone: '+4915110000000', identifier: '0012' },
      barcode: '-0012',
      loyalty: { balance: 12 },
      wallets: { apple: 1, google: 0, web: 0 },
      createdAt: '2026-11-01T23:30:00.000Z',
      fields: { drink: '=Flat white' },
      links: { add: 'https://cards.example.com/p/x' },
      details: {
        lastAwardAt: '2026-11-02T23:30:00.000Z',
        consents: [
          { key: 'news', text: 'Send me news', agreed: true, createdAt: '2026-11-01T23:30:00.000Z' },
        ],
      },
    } as unknown as Instance;
    const row = cardRow(card, fields, { t: cardsEn, timeZone: 'Europe/Berlin' });
    assert.deepEqual(row.slice(9, 13), [
      '2026-11-02 00:30:00',
      '2026-11-03 00:30:00',
      'https://cards.example.com/p/x',
      'news: agreed, 2026-11-02 00:30:00',
    ]);
    for (const separator of [',', ';'] as const) {
      const file = readCsv(
        Buffer.from(`\ufeff${csvLine(cardHeads(fields, cardsEn), separator)}${csvLine(row, separator)}`),
      );
      const mapping = guess(file.heads, { rows: file.rows, fields });
      const [read] = checkRows(file, mapping, asItStands);
      assert.deepEqual(
        [read?.problem, read?.values],
        [
          null,
          {
            name: 'Šimić; Ana',
            email: 'a@example.com',
            phone: '+4915110000000',
            identifier: '0012',
            barcode: '-0012',
            balance: '12',
            'field:drink': '=Flat white',
          },
        ],
      );
    }
  });

  it('is read the same in whatever notation and encoding it was written', () => {
    const separators = [',', ';', '\t', '|'] as const;
    const notations = {
      plain: (value: number) => String(value),
      german: (value: number) => `${grouped(value, '.')},00`,
      english: (value: number) => `${grouped(value, ',')}.00`,
      swiss: (value: number) => grouped(value, '’'),
      french: (value: number) => `${grouped(value, '\u00a0')},0`,
      germanWhole: (value: number) => grouped(value, '.'),
      englishWhole: (value: number) => grouped(value, ','),
    };
    const encodings = {
      utf8: (text: string) => Buffer.from(text),
      utf8Mark: (text: string) => Buffer.from(`\ufeff${text}`),
      utf16: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
      utf16Big: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    };
    const letter = fc.constantFrom(...'aZéß€字, ;|"\n1');
    const name = fc.string({ unit: letter, minLength: 1, maxLength: 12 }).map((text) => `N${text}n`);
    const table = fc.array(fc.record({ name, balance: fc.nat(999_999_999) }), { minLength: 1, maxLength: 8 });
    const pick = <T extends object>(all: T) => fc.constantFrom(...(Object.keys(all) as (keyof T)[]));
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(...separators),
        pick(notations),
        pick(encodings),
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        (cards, separator, notation, encoding, saysSeparator, end) => {
          const cell = (text: string) => (/[",;|\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
          const lines = cards.map((card, at) =>
            [card.name, notations[notation](card.balance), `K-${at}`].map(cell).join(separator),
          );
          const head = ['Name', 'Punkte', 'Code'].join(separator);
          const text = [...(saysSeparator ? [`sep=${separator}`] : []), head, ...lines, ''].join(end);
          const file = readCsv(encodings[encoding](text));
          assert.deepEqual(
            checkRows(file, guess(file.heads, file)).map(({ problem, values }) => [
              problem,
              values.name,
              values.balance,
              values.barcode,
            ]),
            cards.map((card, at) => [null, card.name, String(card.balance), `K-${at}`]),
          );
        },
      ),
    );
  });
});

/** A number with a sign between its thousands. */
function grouped(value: number, sign: string): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, sign);
}

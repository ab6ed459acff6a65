import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvLine } from '../src/kit/anywhere/csv-text.ts';
import { checkRows, guess, readCsv } from '../web/console/cards/import-file.ts';
import { codesOf, guessReading } from '../web/console/passes/pool/pool-file.ts';
import { losesZeros } from '../web/shared/csv-table.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

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
});

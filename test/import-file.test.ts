import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkRows, guess, readCsv } from '../web/console/cards/import-file.ts';

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

  it('is told from other files, and known again', () => {
    assert.equal(readCsv(bytes('a\n1')).key, readCsv(bytes('a\n1')).key);
    assert.notEqual(readCsv(bytes('a\n1')).key, readCsv(bytes('a\n2')).key);
  });

  it('has its columns guessed in English and German, each once', () => {
    assert.deepEqual(
      guess(['Full name', 'Email address', 'Mobile', 'Member ID', 'Barcode', 'Points', 'Shoe size']),
      ['name', 'email', 'phone', 'identifier', 'barcode', 'balance', null],
    );
    assert.deepEqual(guess(['Name', 'Vorname', 'Kundennummer', 'Kartennummer', 'Punktestand', 'Telefon']), [
      'name',
      null,
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

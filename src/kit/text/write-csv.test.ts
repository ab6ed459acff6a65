import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from './write-csv.ts';

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

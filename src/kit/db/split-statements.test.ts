import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { migrationsFolder } from '../../app.ts';
import { splitStatements } from './split-statements.ts';

describe('splitStatements', () => {
  const cases: [string, string, string[]][] = [
    ['two', 'select 1;\nselect 2;\n', ['select 1', 'select 2']],
    ['a last one without an end', 'select 1; select 2', ['select 1', 'select 2']],
    ['nothing', '-- only words; of mine\n/* and; more */', []],
    [
      'comments before and within',
      '-- a;\n/* b; */ select 1, -- c;\n 2 /* d; */;',
      ['select 1, -- c;\n 2 /* d; */'],
    ],
    ['strings', "select 'a;''b;', E'c\\';d;'; select 1", ["select 'a;''b;', E'c\\';d;'", 'select 1']],
    [
      'a string after a name that ends with an e',
      "select date'2020-01-01\\'; select 1",
      ["select date'2020-01-01\\'", 'select 1'],
    ],
    ['quoted names', 'select ";""a;"; select 1', ['select ";""a;"', 'select 1']],
    [
      'dollar quotes',
      'do $$ begin; end $$; do $x$ $$; $y$ $x$; select $1',
      ['do $$ begin; end $$', 'do $x$ $$; $y$ $x$', 'select $1'],
    ],
    ['signs', 'select 1 - -1 / 2; select a$b', ['select 1 - -1 / 2', 'select a$b']],
  ];
  for (const [name, text, expected] of cases)
    it(`knows ${name}`, () => assert.deepEqual(splitStatements(text), expected));

  it('loses nothing of the migrations but comments', () => {
    for (const name of readdirSync(migrationsFolder)) {
      const text = readFileSync(`${migrationsFolder}/${name}`, 'utf8');
      const bare = (sql: string) => sql.replaceAll(/--.*|[\s;]+/g, '');
      assert.equal(bare(splitStatements(text).join(';')), bare(text), name);
    }
  });
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { mutations } from '../ledger/mutations.ts';
import { type SeededBug, seededBugs } from './bugs.ts';
import { plant, unplantable } from './plant.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => (existsSync(root + path) ? readFileSync(root + path, 'utf8') : '');

const bug: SeededBug = {
  suite: 'sums',
  bug: 'adds where it should subtract',
  file: 'src/sum.ts',
  replace: 'a - b',
  by: 'a + b',
  command: ['npm', 'test', '--', 'src/sum.test.ts'],
  fails: 'subtracts',
};

describe('the list of seeded bugs', () => {
  test('each of them can be planted', () => {
    const faults = unplantable(seededBugs, read);
    assert.ok(faults.length === 0, ['', ...faults].join('\n'));
  });

  test('those of the ledger, too', () => {
    const edits = mutations.flatMap((mutation) => mutation.edits);
    assert.deepEqual(
      edits.filter(({ file, text }) => read(file).split(text).length !== 2),
      [],
    );
  });

  test('a bug stands where it was planted, whatever signs it holds', () => {
    assert.equal(plant('return a - b;', { ...bug, by: '$& $1' }), 'return $& $1;');
  });

  const files: Record<string, string> = { 'src/sum.ts': 'return a - b;', 'src/sum.test.ts': 'test()' };
  const faultsOf = (changed: Partial<SeededBug>) =>
    unplantable([{ ...bug, ...changed }], (path) => files[path] ?? '');
  for (const [what, changed, says] of [
    ['a text that is gone', { replace: 'a / b' }, /src\/sum\.ts does not say: a \/ b/],
    ['a file that is gone', { file: 'src/gone.ts' }, /src\/gone\.ts does not say/],
    ['a text that stands twice', { replace: 'r' }, /says it 2 times/],
    ['a suite that is gone', { command: ['node', 'test/gone.ts'] }, /test\/gone\.ts, which does not exist/],
    ['a bug that is none', { by: 'a - b' }, /changes nothing/],
    ['no test that must fail', { fails: '' }, /names no test/],
  ] as const)
    test(`can fail: ${what}`, () => {
      assert.deepEqual(faultsOf({}), []);
      assert.match(faultsOf(changed).join('\n'), says);
    });

  test('can fail: two bugs of one name', () => {
    assert.match(unplantable([bug, bug], (path) => files[path] ?? '').join('\n'), /same name/);
  });
});

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { testsOfChange } from './changed-files.ts';
import { allTestFiles, filesOf, hasEveryStatement, isDeep, noteCaptured } from './tiers.ts';

describe('the tiers of tests', () => {
  const usual = filesOf('usual');
  const deep = filesOf('deep', true);

  it('run every test file between them', () => {
    assert.deepEqual(
      allTestFiles().filter((path) => !usual.includes(path) && !deep.includes(path)),
      [],
    );
  });

  it('share the walks with axe alone, which the deep one runs in every theme and width', () => {
    const shared = usual.filter((path) => deep.includes(path));
    assert.ok(shared.length > 15);
    assert.deepEqual(
      shared.filter((path) => isDeep(path) || !path.endsWith('.browser.test.ts')),
      [],
    );
  });

  it('have every statement when both have run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'punchcard-tiers-'));
    try {
      assert.equal(hasEveryStatement(folder), false);
      noteCaptured(folder, 'usual');
      assert.equal(hasEveryStatement(folder), false);
      noteCaptured(folder, 'deep');
      assert.equal(hasEveryStatement(folder), true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the tests of a change', () => {
  const chosen = (...changed: string[]) => testsOfChange(filesOf('usual'), changed);
  for (const [changed, test] of [
    ['src/kit/text/csv.ts', 'src/kit/text/csv.test.ts'],
    ['src/kit/text/csv.ts', 'src/loyalty/import-balances.test.ts'],
    ['src/loyalty/earn-points.ts', 'src/loyalty/reverse-entry.test.ts'],
    ['src/loyalty/earn-points.ts', 'test/access-matrix.test.ts'],
    ['test/source-text.ts', 'test/architecture.test.ts'],
    ['web/scanner/scanner.tsx', 'test/scanner.browser.test.ts'],
    ['README.md', 'test/readme.test.ts'],
  ] as const)
    it(`of ${changed} are among others ${test}`, () => {
      assert.ok(chosen(changed).includes(test), chosen(changed).join('\n'));
    });

  it('leave out those that reach the file only because they start the whole service', () => {
    assert.ok(!chosen('src/loyalty/earn-points.ts').includes('src/webhooks/claims.test.ts'));
    assert.ok(!chosen('web/scanner/scanner.tsx').includes('test/console.browser.test.ts'));
  });

  it('are none where documents alone were changed that no test names', () => {
    assert.deepEqual(chosen(`docs/${'no-such-page'}.md`), []);
  });
});

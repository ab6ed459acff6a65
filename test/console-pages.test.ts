import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { pictureOf, shots } from '../scripts/console-shots.ts';

/** What the pattern finds in the files that the glob names. */
function found(glob: string, pattern: RegExp): string[] {
  return globSync(glob).flatMap((file) => readFileSync(file, 'utf8').match(pattern) ?? []);
}

describe('the pages of the console', () => {
  const pages = found('web/console/*/pages.ts', /(?<=path: ')[^']+/g);

  it('have each a picture and a sentence in the documents', () => {
    const shown = new Set(shots.map(({ path }) => path.replace(/\?.*/, '')));
    assert.deepEqual([...shown].toSorted(), pages.toSorted());
    for (const shot of shots) assert.ok(existsSync(`docs/${pictureOf(shot)}`), shot.name);
  });

  it('are each held against WCAG, in both themes and widths, by a test of their area', () => {
    const checks = found('test/*.browser.test.ts', /(?<=checksPages\()[^)]+/g);
    const checked = checks.flatMap((paths) => paths.match(/(?<=')\/console[^']*/g) ?? []);
    assert.ok(pages.length > 20);
    assert.deepEqual(checked.toSorted(), pages.toSorted());
  });

  it('are all that links lead to', () => {
    const links = found('web/console/**/*.{ts,tsx}', /(?<=['"`])\/console(?:\/[^'"`?#]*)?(?=['"`?#])/g);
    const parts = (path: string) => path.replaceAll(/\$\{.*?\}+|:\w+/g, ':any').split('/');
    const isPage = (link: string) =>
      pages.some((page) => {
        const [wanted, given] = [parts(page), parts(link)];
        return (
          wanted.length === given.length &&
          wanted.every((part, at) => [part, ':any'].includes(given[at] ?? '') || part === ':any')
        );
      });
    assert.ok(links.length > 30);
    assert.deepEqual(
      [...new Set(links)].filter((link) => !isPage(link)),
      [],
    );
  });
});

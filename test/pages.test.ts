import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mergedPages, type Pages } from '../web/shared/pages.ts';

interface Line {
  readonly createdAt: string;
}

/** A list as far as it was read, its moments as letters, and how often more of it was asked for. */
function read(moments: string, more?: () => void): Pages<Line> {
  const items = [...moments].map((createdAt) => ({ createdAt }));
  return { items, error: undefined, isLoading: false, more, reload: () => undefined };
}
const shown = ({ items }: Pages<Line>) => items?.map(({ createdAt }) => createdAt).join('');

it('two lists are one, the newest first, each in its own order', () => {
  const merged = mergedPages(read('feeb'), read('gedca'));
  assert.deepEqual([shown(merged), merged.more], ['gfeeedcba', undefined]);
});

it('no line is shown that may stand below one that is not loaded, and what is missing is read', () => {
  const asked: string[] = [];
  const ask = (name: string) => () => void asked.push(name);
  const first = mergedPages(read('zy', ask('first')), read('xwa', ask('second')));
  assert.equal(shown(first), 'zy');
  first.more?.();
  assert.deepEqual(asked, ['first']);
  // The other one is whole: it ends where the first does.
  assert.equal(shown(mergedPages(read('zc', ask('first')), read('da'))), 'zdc');
  // Of the same moment there may be more.
  const second = mergedPages(read('b', ask('first')), read('b', ask('second')));
  assert.equal(shown(second), 'b');
  assert.equal(shown(mergedPages(read('zb'), read('c', ask('second')))), 'zc');
});

it('both are read on at once where both end', () => {
  const asked: string[] = [];
  const merged = mergedPages(
    read('', () => asked.push('first')),
    read('', () => asked.push('second')),
  );
  merged.more?.();
  assert.deepEqual([shown(merged), asked], ['', ['first', 'second']]);
});

it('nothing is shown before both are there, and either may fail', () => {
  const error = new Error('refused');
  const failed = { ...read(''), items: undefined, error };
  const merged = mergedPages(read('ba'), failed);
  assert.deepEqual([merged.items, merged.error, merged.more], [undefined, error, undefined]);
});

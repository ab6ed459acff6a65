import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reordered, textAt, translatable, withText } from '../web/console/passes/designer/translating.ts';

const own = {
  title: 'Bean',
  details: null,
  terms: null,
  fields: [],
  locations: [],
  beacons: [],
  actions: [],
};

test('heading and text of each offer are translated, and taken away again', () => {
  const modules = [{ header: 'Menu' }, { header: 'Shop', body: 'New' }];
  const paths = translatable({ ...own, modules }).map(({ path }) => path.join('.'));
  assert.deepEqual(paths, ['title', 'modules.0.header', 'modules.1.header', 'modules.1.body']);
  const written = withText(withText({}, ['modules', 1, 'header'], 'Laden'), ['modules', 1, 'body'], 'Neu');
  assert.deepEqual(written, { modules: [null, { header: 'Laden', body: 'Neu' }] });
  assert.equal(textAt(written, ['modules', 1, 'body']), 'Neu');
  const less = withText(written, ['modules', 1, 'body'], '');
  assert.deepEqual(less, { modules: [null, { header: 'Laden' }] });
  assert.deepEqual(withText(less, ['modules', 1, 'header'], ''), {});
  assert.deepEqual(withText({}, ['beacons', 1], 'Da'), { beacons: [null, 'Da'] });
});

test('translations of offers stay with them when one is removed or added', () => {
  const de = { title: 'Bohne', modules: [{ header: 'Karte' }, { header: 'Laden' }] };
  const after = reordered({ de, fr: { title: 'Haricot' } }, 'modules', [1, -1]);
  assert.deepEqual(after, {
    de: { title: 'Bohne', modules: [{ header: 'Laden' }, null] },
    fr: { title: 'Haricot' },
  });
});

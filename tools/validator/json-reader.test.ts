import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readJson } from './json-reader.ts';

function kinds(text: string | Buffer): string[] {
  return readJson(Buffer.from(text)).problems.map(({ kind }) => kind);
}

describe('readJson', () => {
  it('reads any JSON like JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const { value, problems } = readJson(Buffer.from(text));
        assert.deepEqual(value, JSON.parse(text));
        assert.deepEqual(
          problems.filter(({ kind }) => kind !== 'duplicate-key'),
          [],
        );
      }),
    );
  });

  it('finds duplicate keys, however they are written, in the same object only', () => {
    assert.deepEqual(kinds('{"a":1,"a":2}'), ['duplicate-key']);
    assert.deepEqual(kinds('{"a":1,"\\u0061":2}'), ['duplicate-key']);
    assert.deepEqual(kinds('[{"x":{"k":[1,{"k":1,"k":2}]}}]'), ['duplicate-key']);
    assert.deepEqual(kinds('{"a":{"a":[{"a":"a"},{"a":"\\"a\\":"}]},"b":["a","a"],"c":"a"}'), []);
    assert.match(
      readJson(Buffer.from('{"x\\n":1,"x\\n":2}')).problems[0]?.message ?? '',
      /"x\n" occurs twice/,
    );
  });

  it('refuses wrong encodings, but reads past a byte order mark', () => {
    assert.deepEqual(readJson(Buffer.from('\uFEFF{"a":1}')).value, { a: 1 });
    assert.deepEqual(kinds('\uFEFF{"a":1}'), ['byte-order-mark']);
    for (const swap of [false, true]) {
      const wide = Buffer.from('\uFEFF{"a":1}', 'utf16le');
      const { value, problems } = readJson(swap ? wide.swap16() : wide);
      assert.deepEqual([value, problems.map(({ kind }) => kind)], [{ a: 1 }, ['encoding']]);
    }
    assert.deepEqual(kinds(Buffer.from('{"a":"é"}', 'latin1')), ['encoding']);
    assert.deepEqual(kinds(Buffer.from('{}', 'utf16le')), ['syntax']);
  });

  it('refuses what is no JSON, and nesting without end', () => {
    for (const text of ['', '{', '{"a":1,}', "{'a':1}", '{} x', 'undefined'])
      assert.deepEqual(kinds(text), ['syntax'], text);
    for (const depth of [65, 200_000]) {
      const { value, problems } = readJson(Buffer.from('['.repeat(depth) + ']'.repeat(depth)));
      assert.equal(value, undefined);
      assert.deepEqual(
        problems.map(({ kind }) => kind),
        ['syntax'],
      );
    }
    assert.deepEqual(kinds('['.repeat(64) + ']'.repeat(64)), []);
  });
});

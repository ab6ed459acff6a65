import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptOutcomes } from './kept-outcomes.ts';

test('outcomes are made once, also for callers at the same time, until newer ones push them out', async () => {
  const kept = keptOutcomes<Buffer>(10, ({ length }) => length);
  const made: string[] = [];
  const make = (name: string) =>
    kept(name, async () => {
      made.push(name);
      return Buffer.alloc(4);
    });
  const [one, same] = await Promise.all([make('a'), make('a')]);
  assert.equal(one, same);
  await make('b');
  assert.equal(await make('a'), one);
  await make('c');
  await make('b');
  assert.deepEqual(made, ['a', 'b', 'c', 'b']);
});

test('what fails is raised to all callers, and not kept', async () => {
  const kept = keptOutcomes<Buffer>(10, ({ length }) => length);
  const fail = () => kept('a', () => Promise.reject(new Error('no')));
  const outcomes = await Promise.allSettled([fail(), fail()]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.deepEqual(await kept('a', async () => Buffer.of(1)), Buffer.of(1));
});

test('what is larger than all that is kept is answered', async () => {
  const kept = keptOutcomes<Buffer>(10, ({ length }) => length);
  assert.equal((await kept('a', async () => Buffer.alloc(20))).length, 20);
});

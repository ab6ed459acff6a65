import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingCodes } from '../src/diagnosis/card-finding.ts';
import { de } from '../web/texts/de/doctor.ts';
import { en } from '../web/texts/en/doctor.ts';

test('the console has words for all that can be found out about a card', () => {
  for (const { findings } of [en, de]) assert.deepEqual(Object.keys(findings), [...findingCodes]);
});

test('in both languages each finding says when, of which wallet, and what to do, or in none', () => {
  for (const code of findingCodes) {
    const [one, other] = [en, de].map(({ findings }) => findings[code]);
    const holes = (text: typeof one) =>
      JSON.stringify(text)
        .match(/\{\w+\}/g)
        ?.sort() ?? [];
    assert.deepEqual(holes(one), holes(other), code);
    assert.equal(one?.advice === undefined, other?.advice === undefined, code);
  }
});

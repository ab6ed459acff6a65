import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { languages } from './languages.ts';

/** Every text of a language by its place, such as `card.ready.coupon`. */
function textsOf(words: object, at = ''): Map<string, string> {
  const texts = Object.entries(words).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[`${at}${name}`, value]] : [...textsOf(value, `${at}${name}.`)],
  );
  return new Map(texts);
}

const english = textsOf(languages.en);
/** What is the same word in another language. */
const shared: Readonly<Record<string, readonly string[]>> = {
  de: ['join.name', 'people.passkeys.title'],
  fr: [
    'program.nouns.POINTS.label',
    'program.nouns.POINTS.one',
    'program.nouns.POINTS.other',
    'people.account.invitations',
  ],
  nl: ['card.details', 'card.code.aztec'],
};
const placesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe('the words of pages and mails', () => {
  it('are there in eleven languages', () => {
    assert.deepEqual(Object.keys(languages).sort(), 'ar de en es fr it ja nl pl pt tr'.split(' '));
  });

  for (const [language, words] of Object.entries(languages)) {
    const texts = textsOf(words);

    it(`have the same texts in ${language}, with the same names in them`, () => {
      // Languages have other plural forms of a noun than English.
      const places = [...texts.keys()].filter((place) => !/nouns\..*\.(?:zero|two|few|many)$/.test(place));
      assert.deepEqual(places.sort(), [...english.keys()].sort());
      for (const [place, text] of texts) {
        assert.ok(text.trim() === text && text !== '', place);
        // A sentence of two may name the shop in one of them.
        assert.deepEqual(
          new Set(placesIn(text)),
          new Set(placesIn(english.get(place) ?? '')),
          `${place}: ${text}`,
        );
      }
    });

    if (language !== 'en')
      it(`leave no English in ${language}`, () => {
        const same = [...texts].flatMap(([place, text]) =>
          text === english.get(place) && /\p{L}/u.test(text.replace(/\{\w+\}/g, '')) ? [place] : [],
        );
        assert.deepEqual(
          same.filter((place) => shared[language]?.includes(place) !== true),
          [],
        );
        const words = /\b(?:the|and|your|you|this|with|please|card|again|back)\b/i;
        for (const [place, text] of texts) assert.doesNotMatch(text, words, place);
      });
  }
});

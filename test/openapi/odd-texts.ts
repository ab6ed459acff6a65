import fc from 'fast-check';

/** Characters that dialects of regular expressions, and careless patterns, disagree about. */
const oddCharacters = [
  ...'aZ09_-./ \t\n\r@"\\()+:,;#$^|',
  ...'\u0000\u000b\u001c\u001f\u007f\u0085\u009f\u00a0\u00ad\u0130\u0660\u1680\u180e\u2003\u200b\u2028\u2029',
  ...'\u202e\u202f\u205f\u212a\u3000\u3002\uff0e\uff10\ufeff\ufffd\uffffé日😀\u{10ffff}',
];

/** One text for each form that the API knows. */
const wellFormed = [
  '2027-01-31T23:59:59Z',
  '2027-01-31T23:59:59.123-05:30',
  '2026-11',
  '12.50',
  'EUR',
  'Europe/Berlin',
  'pt-BR',
  'zh_Hant-TW',
  '+49 (30) 123-45.67/8',
  'Ada.Lovelace+wallet@mail.example.com',
  ' ada@bücher.example ',
  '#10324a',
  'tier_2',
  '7Q4M-2X9K',
  '0e4f7a52-94b1-4f0e-9d3c-6f2f1f1f9a10',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b',
  '2f5c1e8a9d4b47c0',
  '100',
  'accessToken',
  'Blue Bean Café',
  'two\nlines\twith a tab',
  '..',
  '',
];

const anyCharacter = fc.constantFrom(...oddCharacters);

/** A well-formed text in which some characters were replaced by others, put in, or left out. */
const nearlyRight = fc
  .tuple(
    fc.constantFrom(...wellFormed),
    fc.array(fc.tuple(fc.nat(), fc.nat(1), fc.oneof(anyCharacter, fc.constant(''))), { maxLength: 2 }),
  )
  .map(([text, changes]) => {
    const characters = [...text];
    for (const [place, length, put] of changes)
      characters.splice(place % (characters.length + 1), length, ...put);
    return characters.join('');
  });

/** Texts that lie on the edges of patterns. */
export const oddTexts = fc.oneof(
  nearlyRight,
  fc.array(anyCharacter, { maxLength: 8 }).map((characters) => characters.join('')),
);

/**
 * A text as it is compared where only letter case does not matter: addresses, codes, numbers of one's own. Unicode's full case
 * folding, in every language alike: `ẞ`, `ß` and `SS` are the same, and all three sigmas; the dotless `ı` is no `i`.
 */
export function foldCase(text: string): string {
  return fullFold(text.normalize('NFC')).normalize('NFC');
}

/** What people put between the signs of a code, or leave out: blanks, hyphens and dashes. */
export const codeSeparators = ' -\u00a0\u202f\u2010\u2011\u2012\u2013\u2014\u2015\u2212';
const separators = new RegExp(`[${codeSeparators.replace('-', '\\-')}]`, 'g');

/** A code or a number of one's own as it is looked for: besides letter case, what stands between its signs does not matter. */
export function foldCode(text: string): string {
  return foldCase(text).replace(separators, '');
}

/** The number of an order as it is looked for: without the sign in front of it. */
export function foldNumber(text: string): string {
  return foldCode(text.trim().replace(/^#/, ''));
}

/**
 * A name as it is looked for: besides letter case, accents, width, apostrophes, hyphens and the number of blanks do not matter.
 * Marks that make another letter stay: vowel signs of India, voicing marks of Japan.
 */
export function foldName(text: string): string {
  const plain = fullFold(text.replace(apostrophes, '').normalize('NFKD'))
    .normalize('NFKD')
    .replace(marks, '')
    .replace(/[øłđðþæœħŧı]/g, (letter) => without[letter] ?? letter)
    .replace(unwritten, '')
    .replace(/[\p{Pd}\p{Zs}\s\u2212]+/gu, ' ');
  return plain.trim().normalize('NFC');
}

/** Folds through upper case, which splits letters that fold into several; `ı` would become an `I`. */
function fullFold(text: string): string {
  return text.replace(/[^ı]+/g, (run) => run.toLowerCase().toUpperCase().toLowerCase()).replaceAll('ς', 'σ');
}

/** Accents, and the vowel points of Arabic and Hebrew, which are written or left out at will. */
const marks =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]\p{M}*)\p{Mn}/gu;

/** Letters that Unicode does not take apart. */
const without: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
};

const apostrophes = /['`´\u2018\u2019\u201b\u02b9\u02bb-\u02bf\u2032\u055a\u05f3\ua78c\uff07]/g;
/** Apostrophes that came of other characters, marks of direction, the tatweel, joiners. */
const unwritten = /[\u02bc'\u0640\p{Cf}]/gu;

/**
 * A text that a terminal may be shown, wherever it comes from: what would move its cursor, change its colours or turn the
 * order of letters around is written as its number. Line breaks and tabs stay.
 */
export function printable(text: string): string {
  return text.replaceAll(
    /[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

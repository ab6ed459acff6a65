/**
 * The name that a mail may greet a person by; null where it is none. The person who signs up chooses it, perhaps with another
 * one's address: it is no place for an advertisement, a sentence, a number or a host, in whatever letters that look like one.
 */
export function greetable(name: string | null): string | null {
  const text = name?.normalize('NFKC').trim() ?? '';
  const words = text.split(/\s+/u);
  const isShort = text.length <= 40 && words.length <= 3;
  // A sentence goes on in small letters; a name of three words ends in a capital, or in a script that has none.
  const endsAsName = words.length < 3 || !/^\p{Ll}/u.test(words.at(-1) ?? '');
  return isShort && endsAsName && words.every((word) => nameWord.test(word)) ? text : null;
}

/** Letters with hyphens and apostrophes, or an initial or a short title with its dot. */
const nameWord = /^(?:\p{Lu}\p{L}{0,3}\.|[\p{L}\p{M}]+(?:[-\u2010'’‘ʼʻ`][\p{L}\p{M}]+)*)$/u;

/** The name before a sender's address. One that looks like an address or a link gives way to the product's. */
export function senderName(name: string): string {
  return /[@<>]|:\/\/|www\./iu.test(name.normalize('NFKC')) ? 'Punchcard' : name;
}

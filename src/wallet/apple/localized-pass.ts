import { type PassFile, passFile } from './archive-file.ts';
import type { AppleCard } from './card.ts';
import { passContent } from './pass-json.ts';

/** The languages of a card: that of its own texts, and the same card in others. */
export interface CardLanguages {
  readonly own: string;
  readonly others: readonly { readonly language: string; readonly card: AppleCard }[];
}

/**
 * `pass.json` in a card's own language with the `pass.strings` of all its languages, from which Wallet takes that of the
 * phone. The own one is among them: of the languages that a person reads, Wallet takes the first that there is a folder of.
 * Apple, "Wallet Passes", "Creating the Source for a Pass".
 */
export function localizedFiles(card: AppleCard, { own, others }: CardLanguages): PassFile[] {
  const content = passContent(card);
  const texts = textsIn(
    content,
    others.map((other) => passContent(other.card)),
  );
  const entries = keyed(texts);
  const files = [own, ...others.map(({ language }) => language)].map((language, at) =>
    passFile(`${language}.lproj/pass.strings`, stringsFile(entries, at)),
  );
  return [passFile('pass.json', Buffer.from(JSON.stringify(content))), ...(entries.size === 0 ? [] : files)];
}

/** What Wallet looks up in `pass.strings`. */
const localizable: ReadonlySet<string> = new Set([
  'description',
  'logoText',
  'label',
  'value',
  'attributedValue',
  'changeMessage',
  'relevantText',
]);

/** A text of a pass, first in the card's own language, then in the others. */
interface Text {
  readonly inAll: readonly string[];
  /** Where it is in the pass. */
  readonly owner: Record<string, unknown>;
  readonly member: string;
}

/** All texts of a pass. It is walked for each file: one list, and no copies. */
function textsIn(own: object, others: readonly unknown[], found: Text[] = []): Text[] {
  const owner = own as Record<string, unknown>;
  for (const member of Object.keys(owner)) {
    const value = owner[member];
    const isText = typeof value === 'string' && localizable.has(member);
    if (!isText && (typeof value !== 'object' || value === null)) continue;
    const peers = others.map((other) => (other as Record<string, unknown> | undefined)?.[member]);
    if (isText) {
      const inAll = [value, ...peers.map((peer) => (typeof peer === 'string' ? peer : value))];
      found.push({ inAll, owner, member });
    } else textsIn(value as object, peers, found);
  }
  return found;
}

/**
 * The translations by what `pass.json` says in their place: the text in the card's own language, so that a phone without
 * any of the languages shows that. Where one text is translated in two ways, or is not to be translated elsewhere, spaces
 * at the end keep them apart.
 */
function keyed(texts: readonly Text[]): Map<string, readonly string[]> {
  const isSame = ({ inAll }: Text) => inAll.every((text) => text === inAll[0]);
  const taken = new Map<string, string>();
  for (const text of texts) if (isSame(text)) taken.set(text.inAll[0] ?? '', nameOf(text));
  const entries = new Map<string, readonly string[]>();
  for (const text of texts) {
    if (isSame(text)) continue;
    const name = nameOf(text);
    let key = text.inAll[0] ?? '';
    while ((taken.get(key) ?? name) !== name) key += ' ';
    taken.set(key, name);
    entries.set(key, text.inAll);
    text.owner[text.member] = key;
  }
  return entries;
}

/** Texts have no zeros. */
function nameOf({ inAll }: Text): string {
  return inAll.join('\0');
}

function stringsFile(entries: ReadonlyMap<string, readonly string[]>, at: number): Buffer {
  let lines = '';
  for (const [key, inAll] of entries) lines += `"${escaped(key)}" = "${escaped(inAll[at] ?? key)}";\n`;
  return Buffer.from(lines);
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\r': '\\r',
  '\n': '\\n',
  '\t': '\\t',
};

function escaped(text: string): string {
  return text.replace(/[\\"\r\n\t]/g, (character) => escapes[character] ?? character);
}

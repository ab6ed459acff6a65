import type { GoogleResource } from './card.ts';

/** The same resource in another language, or the same part of it. */
interface Peer {
  readonly language: string;
  readonly value: unknown;
}

/**
 * A class or an object with its texts in other languages as well, of which Google shows that of the phone. Members of a
 * translation that it no longer has are null, but for those in lists, which Google takes as a whole. Google Wallet API v1: LocalizedString, and the `localized…` members.
 */
export function inLanguages(own: GoogleResource, language: string, others: readonly Peer[]): GoogleResource {
  return withTexts(own, language, others) as GoogleResource;
}

/** The members whose translations are in a member of their own. */
const localizedMembers: Readonly<Record<string, string>> = {
  programName: 'localizedProgramName',
  merchantName: 'localizedMerchantName',
  title: 'localizedTitle',
  details: 'localizedDetails',
  finePrint: 'localizedFinePrint',
  header: 'localizedHeader',
  body: 'localizedBody',
  label: 'localizedLabel',
  description: 'localizedDescription',
};

function withTexts(own: unknown, language: string, peers: readonly Peer[], isInList = false): unknown {
  if (typeof own !== 'object' || own === null) return own;
  if (Array.isArray(own)) return own.map((each, at) => withTexts(each, language, membersOf(peers, at), true));
  if ('defaultValue' in own) return withTranslations(own as LocalizedString, peers);
  const texts = Object.entries(own).flatMap(([name, value]): [string, unknown][] => {
    const member = localizedMembers[name];
    const other = membersOf(peers, name);
    // Some types have the text itself as a LocalizedString.
    if (member === undefined || (typeof value !== 'string' && value !== null))
      return [[name, withTexts(value, language, other, isInList)]];
    const differing = other.filter((peer) => typeof peer.value === 'string' && peer.value !== value);
    const isTranslated = value !== null && differing.length > 0;
    const all = isTranslated ? { defaultValue: { language, value }, translatedValues: differing } : null;
    return all === null && isInList
      ? [[name, value]]
      : [
          [name, value],
          [member, all],
        ];
  });
  return Object.fromEntries(texts);
}

interface LocalizedString {
  readonly defaultValue: { readonly language: string; readonly value: string };
}

function withTranslations(own: LocalizedString, peers: readonly Peer[]): object {
  const values = peers.flatMap(({ language, value }) => {
    const text = (value as LocalizedString | null)?.defaultValue.value;
    return text === undefined || text === own.defaultValue.value ? [] : [{ language, value: text }];
  });
  return { ...own, ...(values.length > 0 && { translatedValues: values }) };
}

function membersOf(peers: readonly Peer[], name: string | number): Peer[] {
  return peers.map(({ language, value }) => ({
    language,
    value: (value as Record<string | number, unknown> | null | undefined)?.[name],
  }));
}

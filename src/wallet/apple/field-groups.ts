import type { AppleCard, AppleField, AppleSection } from './card.ts';

/** The groups of fields of a card; empty ones are undefined. */
export function sections(card: AppleCard): Record<string, object[] | undefined> {
  return {
    headerFields: section(card, 'header'),
    primaryFields: section(card, 'primary'),
    secondaryFields: section(card, 'secondary'),
    auxiliaryFields: section(card, 'auxiliary'),
    backFields: backFields(card),
  };
}

/** So many fields a poster shows of a group. */
export const posterRoom = { header: 1, primary: 4, footer: 1 };

/** The same fields where a poster has a place for them: what its front has no room for is below the card. */
export function posterSections(card: AppleCard): Record<string, object[] | undefined> {
  const of = (...names: AppleSection[]) => names.flatMap((name) => section(card, name) ?? []);
  const [header, primary, footer] = [of('header'), of('primary'), of('secondary', 'auxiliary')];
  return {
    headerFields: filled(header.slice(0, posterRoom.header)),
    primaryFields: filled(primary.slice(0, posterRoom.primary)),
    footerFields: filled(footer.slice(0, posterRoom.footer)),
    backFields: backFields(card),
    additionalInfoFields: filled([
      ...header.slice(posterRoom.header),
      ...primary.slice(posterRoom.primary),
      ...footer.slice(posterRoom.footer),
    ]),
  };
}

function backFields(card: AppleCard): object[] | undefined {
  return section(card, 'back', [
    ...news(card),
    backText('details', card.words.details, card.details),
    backText('terms', card.words.terms, card.terms),
  ]);
}

function section(
  card: AppleCard,
  name: AppleSection,
  trailing: readonly AppleField[] = [],
): object[] | undefined {
  return filled([...card.fields.filter((each) => each.section === name), ...trailing].flatMap(field));
}

function filled(fields: object[]): object[] | undefined {
  return fields.length === 0 ? undefined : fields;
}

/**
 * A cleared field is left out. With an empty value Wallet would draw its label over nothing and let it take one
 * of the few visible places, and its change message would be shown with a hole where the value belongs.
 */
function field(each: AppleField): object[] {
  if (each.value === null) return [];
  return [
    {
      key: each.key,
      label: each.label === '' ? undefined : each.label,
      ...(each.typed ?? { value: each.value }),
      textAlignment: alignmentOf(each),
      changeMessage: each.changeMessage ?? undefined,
    },
  ];
}

/** Wallet takes none of primary and back fields. */
function alignmentOf({ align, section }: AppleField): string | undefined {
  if (align === undefined || section === 'primary' || section === 'back') return undefined;
  return { left: 'PKTextAlignmentLeft', center: 'PKTextAlignmentCenter', right: 'PKTextAlignmentRight' }[
    align
  ];
}

/**
 * The back field whose change puts a message on the lock screen: APNs carries no text for passes. It is there from the
 * beginning, since a device reports changes of fields that it knows; that there is no text now is not announced. Keys of a
 * pass's own fields have no hyphen.
 */
function news(card: AppleCard): AppleField[] {
  if (card.webServiceURL === null) return [];
  const { message, words } = card;
  const changeMessage = message === null ? null : '%@';
  return [
    { key: 'latest-news', label: words.message, value: message ?? '–', section: 'back', changeMessage },
  ];
}

function backText(key: string, label: string, value: string | null): AppleField {
  return { key, label, value, section: 'back', changeMessage: null };
}

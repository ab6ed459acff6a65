import type { GoogleDesign, GoogleField, GoogleSection } from './card.ts';
import { textModule } from './resource.ts';

/** What decides on the front of a card. */
type FrontDesign = Pick<GoogleDesign, 'type' | 'fields' | 'showsPoints'>;

/** Google shows so many text modules of a class, and as many of an object. */
export const mostTextModules = 10;

/** Google shows so many links of a class, and as many of an object. */
const mostLinks = 10;

/** The links of the card, and those on the back: fields whose values open something are no texts there. Null for none. */
export function linksModule(
  design: FrontDesign,
  uriOf: (field: GoogleField) => string | null,
  actions: GoogleDesign['actions'] = [],
): object | null {
  const buttons = actions.map(({ kind, uri, title }) => ({ id: `action-${kind}`, uri, description: title }));
  const links = design.fields.flatMap((field) => {
    const uri = isOnBack(field) ? uriOf(field) : null;
    return uri === null ? [] : [{ id: field.key, uri, description: field.label || uri }];
  });
  const uris = [...buttons, ...links].slice(0, mostLinks);
  return uris.length === 0 ? null : { uris };
}

function isOnBack({ section }: GoogleField): boolean {
  return section === 'back';
}

/** The front of a card has three rows, of three items at most. */
const rows: readonly (readonly GoogleSection[])[] = [['header', 'primary'], ['secondary'], ['auxiliary']];
const itemsPerRow = 3;

/**
 * The text modules of the fields that have a value, in the order of the sections. When there are more than `room`,
 * those of the front stay, then the first of the others.
 */
export function fieldModules(
  design: GoogleDesign,
  own: { text(field: GoogleField): string | null; uri(field: GoogleField): string | null },
  room: number,
): object[] {
  const front = new Set(frontRows(design).flat());
  const sections: readonly GoogleSection[] = [...rows.flat(), 'back'];
  const shown = sections.flatMap((section) =>
    design.fields.flatMap((field) => {
      const value = isOnBack(field) && own.uri(field) !== null ? null : own.text(field);
      return field.section === section && value !== null && value !== '' ? [{ field, value }] : [];
    }),
  );
  const byRank = [
    ...shown.filter(({ field }) => front.has(field)),
    ...shown.filter(({ field }) => !front.has(field)),
  ];
  const kept = new Set(byRank.slice(0, room));
  return shown
    .filter((each) => kept.has(each))
    .map(({ field, value }) => textModule(field.key, field.label, value));
}

/**
 * The front of the card, as Google's ClassTemplateInfo: a row for header and primary, one for secondary
 * and one for auxiliary fields, the first three of each. The others are found in the details. Null when the design
 * has nothing for the front, which leaves it to Google.
 */
export function cardTemplate(design: GoogleDesign): object | null {
  const cardRowTemplateInfos = frontRows(design).flatMap((fields, at) => {
    const points = at === 0 && hasPoints(design) ? ['object.loyaltyPoints.balance'] : [];
    const paths = [...points, ...fields.map(fieldPath)];
    return paths.length === 0 ? [] : [templateRow(paths)];
  });
  return cardRowTemplateInfos.length === 0 ? null : { cardTemplateOverride: { cardRowTemplateInfos } };
}

/** Points exist on loyalty cards only. */
export function hasPoints({ type, showsPoints }: FrontDesign): boolean {
  return type === 'loyalty' && showsPoints;
}

/** The fields of each row, besides the points that lead the first. */
export function frontRows(design: FrontDesign): GoogleField[][] {
  const fillable = design.fields.filter(
    ({ editable, value }) => editable || (value !== null && value !== ''),
  );
  return rows.map((sections, at) => {
    const room = at === 0 && hasPoints(design) ? itemsPerRow - 1 : itemsPerRow;
    return sections
      .flatMap((section) => fillable.filter((field) => field.section === section))
      .slice(0, room);
  });
}

function fieldPath(field: GoogleField): string {
  return `${field.editable ? 'object' : 'class'}.textModulesData['${field.key}']`;
}

function templateRow(paths: readonly string[]): object {
  const [first, second, third] = paths.map((path) => ({ firstValue: { fields: [{ fieldPath: path }] } }));
  if (second === undefined) return { oneItem: { item: first } };
  if (third === undefined) return { twoItems: { startItem: first, endItem: second } };
  return { threeItems: { startItem: first, middleItem: second, endItem: third } };
}

import { isJsonObject, type JsonObject } from '../validator/json-reader.ts';

/** A field as the phone shows it. */
export interface ShownField {
  readonly key: string;
  /** Empty when the field has none. */
  readonly label: string;
  readonly value: string;
  readonly section: (typeof sections)[number];
  readonly changeMessage: string | null;
}

/** A field whose value is another than before; null where the field did not exist. */
export interface FieldChange {
  readonly key: string;
  readonly label: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly changeMessage: string | null;
}

/** In the order in which Wallet draws them. */
const sections = [
  'headerFields',
  'primaryFields',
  'secondaryFields',
  'auxiliaryFields',
  'footerFields',
  'additionalInfoFields',
  'backFields',
] as const;

/** Each style, and what the lock screen calls a pass of it. */
const styles = {
  storeCard: 'Store card',
  coupon: 'Coupon',
  eventTicket: 'Event ticket',
  boardingPass: 'Boarding pass',
  generic: 'Pass',
  posterGeneric: 'Pass',
} as const;

/** All fields of a pass, section by section. */
export function fieldsOf(pass: JsonObject): ShownField[] {
  const style = pass[styleOf(pass)];
  if (!isJsonObject(style)) return [];
  return sections.flatMap((section) => {
    const list = style[section];
    return Array.isArray(list) ? list.filter(isJsonObject).map((field) => shownField(field, section)) : [];
  });
}

/** What differs between two versions of a pass, field by field. */
export function fieldChanges(before: JsonObject, after: JsonObject): FieldChange[] {
  const old = new Map(fieldsOf(before).map((field) => [field.key, field]));
  const now = fieldsOf(after);
  const changed = now.flatMap(({ key, label, value, changeMessage }) => {
    const from = old.get(key)?.value ?? null;
    old.delete(key);
    return from === value ? [] : [{ key, label, from, to: value, changeMessage }];
  });
  const gone = [...old.values()].map(({ key, label, value }) => {
    return { key, label, from: value, to: null, changeMessage: null };
  });
  return [...changed, ...gone];
}

/** Keys of pass.json outside the fields whose value differs, such as a colour or the barcodes. */
export function otherChanges(before: JsonObject, after: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter(
    (name) => !(name in styles) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/**
 * What the lock screen says about these changes; null when the card changes in silence. Apple, PassFieldContent: a
 * change speaks when its field has a changeMessage, with `%@` as the new value. Without `%@`, and for several such
 * fields at once, there is one generic text (as reported since iOS 9). A field that the card did not have before is
 * no change of a value: whether iOS speaks then is not documented, and an issuer had better not count on it.
 */
export function lockScreenText(after: JsonObject, changes: readonly FieldChange[]): string | null {
  const speaking = changes.filter(
    ({ from, to, changeMessage }) => from !== null && to !== null && changeMessage,
  );
  const [first, second] = speaking;
  if (first === undefined) return null;
  if (second !== undefined || !first.changeMessage?.includes('%@'))
    return `${styles[styleOf(after)]} changed`;
  return first.changeMessage.replace('%@', () => first.to ?? '');
}

function styleOf(pass: JsonObject): keyof typeof styles {
  const names = Object.keys(styles) as (keyof typeof styles)[];
  return names.find((name) => pass[name] !== undefined) ?? 'generic';
}

function shownField(field: JsonObject, section: ShownField['section']): ShownField {
  const { key, label, changeMessage } = field;
  return {
    key: String(key),
    label: typeof label === 'string' ? label : '',
    value: displayed(field),
    section,
    changeMessage: typeof changeMessage === 'string' ? changeMessage : null,
  };
}

/** Apple, PassFieldContent: attributedValue overrides value, and its only markup is links. */
function displayed({ value, attributedValue }: JsonObject): string {
  return attributedValue === undefined ? String(value) : String(attributedValue).replaceAll(/<[^>]*>/g, '');
}

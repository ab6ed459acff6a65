import { fieldsOf, type ShownField } from './fakes/phone-lock-screen.ts';
import { isJsonObject, type JsonObject } from './validator/json-reader.ts';

/** Columns between the borders. */
const width = 46;

/** The card of a pass.json as a phone shows it, in text of a fixed width; below it, the fields of its back. */
export function drawCard(pass: JsonObject): string {
  const fields = fieldsOf(pass);
  const section = (name: ShownField['section']) => fields.filter((field) => field.section === name);
  const header = section('headerFields').map(({ label, value }) => `${label} ${value}`.trim());
  const face = [
    [spread(plainText(pass.logoText ?? pass.organizationName), header.join('  '))],
    columns(section('primaryFields')),
    columns(section('secondaryFields')),
    columns(section('auxiliaryFields')),
    [barcodeOf(pass)],
    [pass.voided === true ? '*** VOID ***' : ''],
  ].filter((block) => block.some((line) => line !== ''));
  const lines = face.flatMap((block, at) => (at === 0 ? block : ['', ...block]));
  return [
    `╭${'─'.repeat(width + 2)}╮`,
    ...lines.map((line) => `│ ${fit(line, width)} │`),
    `╰${'─'.repeat(width + 2)}╯`,
    ...section('backFields').map(({ key, label, value }) =>
      fit(`  ${label || key}: ${value}`, width + 4).trimEnd(),
    ),
  ].join('\n');
}

/** Text without what could steer a terminal: cards may come from anywhere. */
export function plainText(value: unknown): string {
  return String(value ?? '').replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ');
}

/** Labels above values, side by side; nothing for no field. */
function columns(fields: readonly ShownField[]): string[] {
  if (fields.length === 0) return [];
  const each = Math.floor(width / fields.length);
  const row = (text: (field: ShownField) => string) =>
    fields.map((field) => fit(text(field), each - 1)).join(' ');
  return [row(({ label }) => label.toUpperCase()), row(({ value }) => value)];
}

function barcodeOf({ barcodes }: JsonObject): string {
  const [first] = Array.isArray(barcodes) ? barcodes : [];
  if (!isJsonObject(first)) return '';
  const format = plainText(first.format).replace('PKBarcodeFormat', '');
  return `[${format}] ${plainText(first.message)}`;
}

/** The left text and, as far to the right as it goes, the other. */
function spread(left: string, right: string): string {
  return `${fit(left, Math.max(0, width - widthOf(right) - 1))} ${right}`;
}

/** The text in exactly this many columns: padded, or cut off. */
function fit(text: string, columns: number): string {
  const plain = plainText(text);
  const missing = columns - widthOf(plain);
  if (missing >= 0) return plain + ' '.repeat(missing);
  let short = '';
  let taken = 0;
  for (const character of plain) {
    taken += widthOf(character);
    if (taken >= columns) break;
    short += character;
  }
  return `${short}…${' '.repeat(Math.max(0, columns - widthOf(short) - 1))}`;
}

/** Columns of a terminal: East Asian characters and emoji take two, combining marks none. */
function widthOf(text: string): number {
  return [...text].reduce(
    (sum, character) => sum + (isCombining.test(character) ? 0 : isWide.test(character) ? 2 : 1),
    0,
  );
}

const isCombining = /[\p{M}\u200d]/u;
const isWide =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

import { type TextStyle, textWidth } from '../../kit/fonts/measure-text.ts';
import type { PreviewItem } from './preview-card.ts';
import { type Align, linesOn, plainText, type Sheet, textAt } from './sheet.ts';

export interface RowLook {
  readonly label: TextStyle & { readonly fill: string };
  /** The first size in which all values have room is taken; in the last one they are cut. */
  readonly value: {
    readonly sizes: readonly number[];
    readonly weight: TextStyle['weight'];
    readonly fill: string;
  };
  /** Baselines, from the upper edge of the row. */
  readonly labelAt: number;
  readonly valueAt: number;
  /** Whether labels are written in capitals. */
  readonly capitals: boolean;
  readonly language: string | null;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const gap = 14;

/** Items side by side over the whole width: the first at its begin, the last at its end. */
export function fieldRow(sheet: Sheet, items: readonly PreviewItem[], place: Place, look: RowLook): string {
  const room = place.width - gap * (items.length - 1);
  const { texts, wanted, size } = sized(items, look, room);
  const widths = shares(wanted, room);
  const spare = (room - widths.reduce((sum, width) => sum + width, 0)) / Math.max(1, items.length - 1);
  let x = place.x;
  return texts
    .map((text, at) => {
      const width = widths[at] ?? 0;
      const isLast = at > 0 && at === texts.length - 1;
      const drawn = item(
        sheet,
        text,
        { x: isLast ? x + width : x, y: place.y, width },
        look,
        size,
        isLast ? 'end' : 'start',
      );
      x += width + gap + spare;
      return drawn;
    })
    .join('');
}

/** Items at the end of the width, as many as have room; and how wide they are together. */
export function fieldsAtEnd(sheet: Sheet, items: readonly PreviewItem[], place: Place, look: RowLook) {
  for (let count = items.length; count > 0; count--) {
    const room = place.width - gap * (count - 1);
    const { texts, wanted, size } = sized(items.slice(0, count), look, room);
    const needed = wanted.reduce((sum, width) => sum + width, 0);
    if (needed > room && count > 1) continue;
    for (const { key } of items.slice(count)) if (key !== undefined) sheet.cut?.add(key);
    const widths = shares(wanted, room);
    let x = place.x + place.width - widths.reduce((sum, width) => sum + width + gap, -gap);
    const drawn = texts.map((text, at) => {
      const width = widths[at] ?? 0;
      x += width + gap;
      return item(sheet, text, { x: x - gap, y: place.y, width }, look, size, 'end');
    });
    return { svg: drawn.join(''), width: widths.reduce((sum, width) => sum + width + gap, -gap) };
  }
  return { svg: '', width: 0 };
}

function sized(items: readonly PreviewItem[], look: RowLook, room: number) {
  const texts = items.map(({ label, value, ...item }) => ({
    ...item,
    label: look.capitals ? plainText(label).toLocaleUpperCase(look.language ?? 'en') : plainText(label),
    value: plainText(value),
  }));
  const widths = texts.map(({ label, value }) => ({
    label: textWidth(label, look.label),
    valueInSizeOne: textWidth(value, { ...look.value, size: 1 }),
  }));
  const wantedIn = (size: number) =>
    widths.map(({ label, valueInSizeOne }) => Math.ceil(Math.max(label, valueInSizeOne * size)));
  const last = look.value.sizes.at(-1) ?? 12;
  const size =
    look.value.sizes.find((each) => wantedIn(each).reduce((sum, width) => sum + width, 0) <= room) ?? last;
  return { texts, wanted: wantedIn(size), size };
}

/** What each gets of a room: those that want little get it all, the others the same. */
function shares(wanted: readonly number[], room: number): number[] {
  let left = room;
  let waiting = wanted.length;
  const byNeed = wanted.map((width, at) => ({ width, at })).sort((a, b) => a.width - b.width);
  const given = wanted.map(() => 0);
  for (const { width, at } of byNeed) {
    const share = Math.min(width, left / waiting);
    given[at] = share;
    left -= share;
    waiting -= 1;
  }
  return given;
}

function item(
  sheet: Sheet,
  { key, label, value }: PreviewItem,
  { x, y, width }: Place,
  look: RowLook,
  size: number,
  align: Align,
): string {
  const style = { ...look.value, size };
  const [labelLine = ''] = linesOn(sheet, { key, text: label }, look.label, width);
  const [valueLine = ''] = linesOn(sheet, { key, text: value }, style, width);
  return (
    textAt(sheet, labelLine, x, y + look.labelAt, { ...look.label, align }) +
    textAt(sheet, valueLine, x, y + look.valueAt, { ...style, align })
  );
}

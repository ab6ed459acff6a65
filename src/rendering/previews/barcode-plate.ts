import { textLines, textWidth } from '../../kit/fonts/measure-text.ts';
import { isLinear } from '../../wallet/barcode-format.ts';
import { barcodeSvg } from '../barcode-svg.ts';
import type { ApplePreview } from './preview-card.ts';
import { drawingIn, plainText, rectangle, type Sheet, textAt } from './sheet.ts';

type Barcode = NonNullable<ApplePreview['barcode']>;

/** A barcode on its white ground. */
export interface BarcodePlate {
  readonly width: number;
  readonly height: number;
  /** Draws it in the middle of the sheet, its upper edge at `y`. */
  draw(sheet: Sheet, y: number): string;
}

export interface PlateLook {
  readonly radius: number;
  /** The side of a square code, with its quiet zone. */
  readonly side: number;
  /** Whether the value is printed on the plate, below the code. */
  readonly captioned: boolean;
  /** Replaces the code, which is no longer to be scanned. */
  readonly ended: string | null;
}

const caption = { size: 13, weight: 400 } as const;
const captionHeight = 20;
const inset = 6;
const mostWidth = 335;
const mostHeightOfStack = 130;

/** The plate for a barcode. A value that the symbol cannot hold is printed alone: a clerk can type it. */
export function barcodePlate({ format, value }: Barcode, look: PlateLook): BarcodePlate {
  const code = drawn(format, value);
  const size = code === null ? { width: 300, height: 24 } : sizeOf(code, format, look.side);
  const [text = ''] = textLines(plainText(value), caption, mostWidth - 24, 1);
  const isCaptioned = text !== '' && (look.captioned || code === null);
  const textRoom = isCaptioned ? textWidth(text, caption) + 24 : 0;
  const width = Math.min(mostWidth, Math.max(size.width + 2 * inset, textRoom));
  const height = size.height + 2 * inset + (isCaptioned ? captionHeight : 0);
  return {
    width,
    height,
    draw(sheet, y) {
      const plate = { x: (sheet.width - width) / 2, y, width, height };
      const place = { ...size, x: (sheet.width - size.width) / 2, y: y + inset };
      return [
        rectangle(sheet, plate, look.radius, 'fill="#fff"'),
        code === null ? '' : faded(look.ended !== null, drawingIn(sheet, code, place)),
        isCaptioned
          ? textAt(sheet, text, sheet.width / 2, y + inset + size.height + 13, {
              ...caption,
              align: 'middle',
              fill: look.ended === null ? '#1c1c1e' : '#aeaeb2',
            })
          : '',
        look.ended === null ? '' : ending(sheet, look.ended, { ...place, width }),
      ].join('');
    },
  };
}

function drawn(format: Barcode['format'], value: string): string | null {
  try {
    return barcodeSvg(format, value);
  } catch {
    return null;
  }
}

/** Bars may be stretched; rows of PDF417 keep their proportion. */
function sizeOf(code: string, format: Barcode['format'], side: number) {
  if (format === 'qr' || format === 'aztec') return { width: side, height: side };
  if (isLinear(format)) return { width: mostWidth - 2 * inset, height: 74 };
  const [, across = '1', down = '1'] = /viewBox="0 0 (\d+) (\d+)"/.exec(code) ?? [];
  const shape = Number(across) / Number(down);
  const width = Math.min(mostWidth - 2 * inset, mostHeightOfStack * shape);
  return { width, height: width / shape };
}

function faded(isFaded: boolean, code: string): string {
  return isFaded ? `<g opacity=".14">${code}</g>` : code;
}

/** Over the code, so that no scanner reads it. */
function ending(sheet: Sheet, text: string, place: { y: number; width: number; height: number }): string {
  const style = { size: 14, weight: 600 } as const;
  const lines = textLines(plainText(text), style, Math.min(place.width - 28, 240), 3);
  const room = {
    width: Math.max(...lines.map((line) => textWidth(line, style))) + 20,
    height: lines.length * 19 + 14,
  };
  const top = place.y + (place.height - room.height) / 2;
  const ground = { ...room, x: (sheet.width - room.width) / 2, y: top };
  return [
    rectangle(sheet, ground, 8, 'fill="#fff"'),
    ...lines.map((line, at) =>
      textAt(sheet, line, sheet.width / 2, top + 21 + at * 19, {
        ...style,
        align: 'middle',
        fill: '#b3261e',
      }),
    ),
  ].join('');
}

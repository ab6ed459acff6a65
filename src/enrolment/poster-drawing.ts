import type { CardColors } from '../cards/card-colors.ts';
import { bundledFamilies } from '../kit/fonts/bundled-fonts.ts';
import { textLines } from '../kit/fonts/measure-text.ts';
import { escapeHtml } from '../kit/html.ts';
import { barcodeSvg } from '../rendering/barcode-svg.ts';
import {
  drawingIn,
  type Picture,
  pictureIn,
  plainText,
  rectangle,
  type Sheet,
  textAt,
} from '../rendering/previews/sheet.ts';

/** The content of a poster. */
export interface Poster {
  readonly language: string;
  readonly fromRight: boolean;
  readonly shop: string;
  readonly title: string;
  readonly logo: Picture | null;
  readonly headline: string;
  readonly text: string;
  readonly scan: string;
  readonly ways: string;
  readonly url: string;
  readonly colors: CardColors;
}

const [width, height] = [595.28, 841.89];
const margin = 52;
const code = 270;
const plate = code + 36;

/** A poster on A4 as an SVG document, complete in itself. Equal posters give equal text. */
export function posterDrawing(poster: Poster): string {
  const { colors, language, fromRight } = poster;
  const sheet: Sheet = { width, fromRight };
  const families = [...bundledFamilies.map((name) => `'${name}'`), 'system-ui', 'sans-serif'].join(', ');
  const corner = fromRight ? 0 : width;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${families}" xml:lang="${language}"><title>${escapeHtml(poster.headline)}</title><rect width="${width}" height="${height}" fill="${colors.background}"/><circle cx="${corner}" cy="0" r="300" fill="${colors.shade}" fill-opacity=".45"/><circle cx="${corner}" cy="0" r="172" fill="${colors.shade}"/>${[
    ...head(sheet, poster),
    ...plateWithCode(sheet, poster),
    ...foot(sheet, poster),
  ].join('')}</svg>`;
}

/** The shop and the headline, from the top down. */
function head(sheet: Sheet, { shop, title, logo, headline, text, colors }: Poster): string[] {
  const inner = width - 2 * margin;
  const mark =
    logo === null
      ? textAt(sheet, plainText(shop), margin, 86, { size: 20, weight: 600, fill: colors.foreground })
      : pictureIn(sheet, logo, { x: margin, y: 48, width: 190, height: 54 }, 'whole');
  const wide = { size: 52, weight: 600 } as const;
  const isOneLine = textLines(plainText(headline), wide, inner, 2).length === 1;
  const big = isOneLine ? wide : { ...wide, size: 42 };
  const lines = textLines(plainText(headline), big, inner, 2);
  const top = isOneLine ? 184 : 162;
  const step = big.size * 1.12;
  const after = top + (lines.length - 1) * step;
  const small = { size: 19, weight: 400 } as const;
  return [
    mark,
    ...lines.map((line, at) =>
      textAt(sheet, line, margin, top + at * step, { ...big, fill: colors.foreground }),
    ),
    textAt(
      sheet,
      textLines(plainText(title), { size: 19, weight: 600 }, inner, 1)[0] ?? '',
      margin,
      after + 38,
      {
        size: 19,
        weight: 600,
        fill: colors.label,
      },
    ),
    ...textLines(plainText(text), small, inner, 2).map((line, at) =>
      textAt(sheet, line, margin, after + 66 + at * 26, { ...small, fill: colors.foreground }),
    ),
  ];
}

/** The code on white, which every scanner reads whatever the colours are. */
function plateWithCode(sheet: Sheet, { url, scan }: Poster): string[] {
  const y = height - 490;
  const x = (width - plate) / 2;
  const look = { size: 17, weight: 600, fill: '#1a1b1e', align: 'middle' } as const;
  const [line = ''] = textLines(plainText(scan), look, plate + 70, 1);
  return [
    rectangle(sheet, { x: x - 44, y, width: plate + 88, height: plate + 46 }, 28, 'fill="#ffffff"'),
    drawingIn(sheet, barcodeSvg('qr', url), { x: x + 18, y: y + 12, width: code, height: code }),
    textAt(sheet, line, width / 2, y + code + 44, look),
  ];
}

function foot(sheet: Sheet, { ways, url, colors }: Poster): string[] {
  const look = { size: 15, weight: 400, align: 'middle' } as const;
  return [
    ...textLines(plainText(ways), look, width - 2 * margin, 1).map((line) =>
      textAt(sheet, line, width / 2, height - 96, { ...look, fill: colors.foreground }),
    ),
    textAt(sheet, url.replace(/^https?:\/\//, ''), width / 2, height - 66, {
      ...look,
      size: 11,
      fill: colors.label,
    }),
  ];
}

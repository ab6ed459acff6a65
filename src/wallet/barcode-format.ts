/** The formats of bars alone, which may be drawn as high as one likes, and what they are called everywhere. */
export const linearNames = {
  code128: 'Code 128',
  ean13: 'EAN-13',
  code39: 'Code 39',
  codabar: 'Codabar',
  itf: 'ITF',
} as const;

type LinearFormat = keyof typeof linearNames;

/** How the code of a card is drawn. */
export type BarcodeFormat = 'qr' | 'pdf417' | 'aztec' | LinearFormat;

/** Whether a format is of bars alone. */
export function isLinear(format: BarcodeFormat): format is LinearFormat {
  return Object.hasOwn(linearNames, format);
}

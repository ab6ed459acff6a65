import type { Static } from 'typebox';
import { cardColors, contrast } from '../../cards/card-colors.ts';
import type { Design } from '../../passes/design.ts';
import { imageSlots } from '../../passes/pass-row.ts';
import { incompleteTranslations } from '../../passes/warnings.ts';
import { posterRoom } from '../../wallet/apple/field-groups.ts';
import { hasOneRow } from '../apple-rows.ts';
import { placedImages } from '../card-view.ts';
import type { CardRow } from '../read-cards.ts';
import { stampsOf } from '../stamps-drawing.ts';
import { appleRoom, cutOnApple, titleKey } from './apple-drawing.ts';
import type { DesignWarning } from './design.schema.ts';
import type { ApplePreview } from './preview-card.ts';

type Warning = Static<typeof DesignWarning>;

/** What can be kept, but is not shown as one would expect. */
export function warningsOf(design: Design, card: CardRow): Warning[] {
  return [
    ...contrastWarnings(design),
    ...stampWarnings(design, card),
    ...fieldWarnings(design),
    ...imageWarnings(design, card),
    ...circleWarnings(design),
    ...languageWarnings(design, card),
  ];
}

/** WCAG 2.2, success criterion 1.4.3. Apple Wallet shows what it is given; the others choose another colour. */
function contrastWarnings({ colors }: Design): Warning[] {
  return (['foreground', 'label'] as const).flatMap((name) => {
    const color = colors[name];
    if (color === null || colors.background === null) return [];
    const ratio = contrast(color, colors.background);
    if (ratio >= 4.5) return [];
    const message = `The contrast with the background is ${ratio.toFixed(1)}, and text is readable from 4.5. Apple Wallet shows it as it is; Google Wallet and the web card take a readable colour.`;
    return [{ code: 'low_contrast', param: `colors.${name}`, message }];
  });
}

/** WCAG 2.2, success criterion 1.4.11: shapes. On a picture, a place is seen by its ring. */
function stampWarnings({ colors, stampLook }: Design, card: CardRow): Warning[] {
  if (stampsOf(card) === null) return [];
  const { shade, foreground } = cardColors(colors);
  const { over, color = foreground, markColor } = stampLook;
  const pairs = [
    ['color', over === 'image' ? undefined : stampLook.color, shade, 'the ground below them'],
    ['markColor', markColor, color, 'the stamps'],
  ] as const;
  return pairs.flatMap(([name, own, ground, what]) => {
    const ratio = own === undefined ? 21 : contrast(own, ground);
    if (ratio >= 3) return [];
    const message = `The contrast with ${what} is ${ratio.toFixed(1)}, and shapes are seen from 3. All wallets show it as it is.`;
    return [{ code: 'stamp_low_contrast', param: `stamps.${name}`, message }];
  });
}

function fieldWarnings({ fields, type, barcodeFormat, barcodeMode, images }: Design): Warning[] {
  const isOneRow = hasOneRow(type, barcodeMode === 'none' ? null : barcodeFormat);
  const used = { header: 0, primary: 0, secondary: 0, auxiliary: 0 };
  return fields.flatMap(({ section }, at) => {
    if (section === 'back') return [];
    const place = isOneRow && section === 'auxiliary' ? 'secondary' : section;
    used[place] += 1;
    if (used[place] <= appleRoom[place]) {
      if (images.posterUrl === undefined || place !== 'header' || used.header <= posterRoom.header) return [];
      const message = `The poster has room for ${posterRoom.header} field at its top: iPhones from iOS 27 on show this one below the card.`;
      return [{ code: 'field_below_poster', param: `fields[${at}].section`, message }];
    }
    const message = `Apple Wallet shows no more than ${appleRoom[place]} of these on the front of such a card, and leaves this field out. Move it to the back.`;
    return [{ code: 'field_not_shown', param: `fields[${at}].section`, message }];
  });
}

/** What is cut off, by the measure of the drawing: the title, fields of the pass, and those of its program. */
export function cutWarnings({ fields, title }: Design, apple: ApplePreview): Warning[] {
  return [...cutOnApple(apple)].map((key) => {
    const at = fields.findIndex((field) => field.key === key);
    const label = key === titleKey ? title : (apple.fields.find((field) => field.key === key)?.label ?? '');
    const param = key === titleKey ? 'title' : at === -1 ? 'program' : `fields[${at}].value`;
    const message = `Apple Wallet cuts off "${label}" on the front of such a card. Make it shorter, or move a field to the back.`;
    return { code: 'text_cut', param, message, label };
  });
}

function languageWarnings(design: Design, { program }: CardRow): Warning[] {
  return incompleteTranslations(design, program).map(({ language, ...warning }) => ({
    ...warning,
    param: `translations.${language}`,
  }));
}

/** From here on its letters are too small to be read. */
const widestInCircle = 2;

/** Google shows a logo in a circle, as a whole. */
function circleWarnings({ images: { logoUrl } }: Design): Warning[] {
  if (logoUrl === undefined || logoUrl.shown.width <= widestInCircle * logoUrl.shown.height) return [];
  const message =
    'Google Wallet shows the logo in a circle, where a wide one is tiny. Take a square one, or one of few letters.';
  return [{ code: 'logo_wide', param: 'logoUrl', message }];
}

function imageWarnings({ images, type }: Design, card: CardRow): Warning[] {
  const placed = new Set(Object.values(placedImages(card)));
  return imageSlots.flatMap((slot) => {
    const image = images[slot];
    if (image === undefined || placed.has(image)) return [];
    const message = `No card of type ${type} that looks like this has a place for it: another image or a drawing of stamps is there.`;
    return [{ code: 'image_not_shown', param: slot, message }];
  });
}

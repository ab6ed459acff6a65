import { isTradeNumber } from '../../kit/anywhere/check-digit.ts';
import {
  type GoogleBarcode,
  type GoogleCard,
  type GoogleDesign,
  type GoogleField,
  type GoogleResource,
  genericTypes,
  refuseBrokenCard,
} from './card.ts';
import { fieldModules, hasPoints, linksModule, mostTextModules } from './card-layout.ts';
import { image, localized, merchantLocations } from './resource.ts';

/**
 * The object of a card, complete: what the card lacks is null or empty in it, so that a PATCH with it clears what was
 * there before. A PATCH leaves messages alone, unless the text of the newest has left the card. Equal cards give equal JSON. When there
 * are too many fields, those of the front stay, then the first of the others. Throws an Error that names the property
 * and the fix when Google would refuse the object. Members: Google Wallet API v1, the …Object resources.
 */
export function walletObject(card: GoogleCard, design: GoogleDesign): GoogleResource {
  refuseBrokenCard(card, design);
  const own = {
    text: (field: GoogleField) => ownOf(card.values, field),
    uri: (field: GoogleField) => ownOf(card.uris, field),
  };
  const { options } = design;
  const hero = card.hero ?? (design.type === 'generic' ? design.hero : null);
  return {
    id: card.objectId,
    classId: design.classId,
    state: STATE[card.state],
    ...personal(card, design),
    barcode: card.barcode === null ? null : barcode(card.barcode),
    groupingInfo: options.group === undefined ? null : { groupingId: options.group },
    passConstraints:
      options.screenshots === undefined
        ? null
        : { screenshotEligibility: options.screenshots ? 'ELIGIBLE' : 'INELIGIBLE' },
    ...expiryNotice(design),
    validTimeInterval: card.expiresAt === null ? null : { end: { date: card.expiresAt.toISOString() } },
    heroImage: hero === null ? null : image(hero.url, design.language, hero.description),
    ...(card.hasNewsEnded && { messages: [] }),
    merchantLocations: card.locations && merchantLocations(card.locations),
    smartTapRedemptionValue: card.readerMessage,
    textModulesData: fieldModules(design, own, mostTextModules),
    linksModuleData: linksModule(design, own.uri),
  };
}

/** Google reminds holders of all but generic cards by itself. */
function expiryNotice({ type, options: { expiryNotice: wanted } }: GoogleDesign): object {
  if (type !== 'generic') return { disableExpirationNotification: wanted === undefined ? null : !wanted };
  return {
    notifications: wanted === undefined ? null : { expiryNotification: { enableNotification: wanted } },
  };
}

const STATE = { active: 'ACTIVE', voided: 'INACTIVE', expired: 'EXPIRED' } as const;

const BARCODE_TYPE = {
  qr: 'QR_CODE',
  pdf417: 'PDF_417',
  aztec: 'AZTEC',
  code128: 'CODE_128',
  ean13: 'EAN_13',
  code39: 'CODE_39',
  codabar: 'CODABAR',
  // Google knows no other ITF than that of 14 digits.
  itf: 'CODE_128',
} as const;

/** What differs from type to type. The objects of generic classes carry what other types have in their class. */
function personal(card: GoogleCard, design: GoogleDesign): object {
  const { organizationName, title, language, logoUrl } = design;
  switch (design.type) {
    case 'loyalty':
      return {
        accountId: card.accountId || null,
        accountName: card.holderName || null,
        loyaltyPoints: hasPoints(design) && card.points !== null ? points(card.points) : null,
      };
    case 'coupon':
      return {};
    case 'eventTicket':
      return { ticketHolderName: card.holderName || null };
    case 'giftCard':
      return {
        cardNumber: card.barcode?.value || card.accountId || suffixOf(card.objectId),
        balance: card.money,
      };
    case 'generic':
      return {
        cardTitle: localized(language, organizationName),
        header: localized(language, title),
        subheader: card.holderName ? localized(language, card.holderName) : null,
        logo: logoUrl === null ? null : image(logoUrl, language, organizationName),
        hexBackgroundColor: design.colors.background,
        genericType: design.options.purpose === undefined ? null : genericTypes[design.options.purpose],
      };
  }
}

/** Every member is named: a PATCH merges objects, and would keep a barcode's text after it was removed. */
function barcode(code: GoogleBarcode): object {
  return {
    type: code.format === 'itf' && isTradeNumber(code.value, 14) ? 'ITF_14' : BARCODE_TYPE[code.format],
    value: code.value,
    alternateText: code.altText || null,
    // Scanners expect Latin-1 unless a QR code says otherwise.
    renderEncoding: code.format === 'qr' && /[^\0-\x7f]/.test(code.value) ? 'UTF_8' : null,
  };
}

function points({ label, balance }: NonNullable<GoogleCard['points']>): object {
  return { label: label || null, balance: { string: balance } };
}

function ownOf(values: GoogleCard['values'], { key, editable }: GoogleField): string | null {
  return editable && Object.hasOwn(values, key) ? (values[key] ?? null) : null;
}

function suffixOf(objectId: string): string {
  return objectId.slice(objectId.indexOf('.') + 1);
}

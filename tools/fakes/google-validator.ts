import document from './google-schemas.json' with { type: 'json' };

/** How Google's API spells the types of passes. */
export const googleWords = [
  'eventTicket',
  'flight',
  'generic',
  'giftCard',
  'loyalty',
  'offer',
  'transit',
] as const;
export type GoogleWord = (typeof googleWords)[number];
export type Kind = 'Class' | 'Object';

type Members = Record<string, unknown>;

/** Each schema's members and their types, from Google's own description of the API. */
const schemas = new Map(
  Object.entries(document.schemas).map(([name, members]) => [
    name,
    new Map(members.split(' ').map((member) => member.split(':') as [name: string, type: string])),
  ]),
);

/** What must not be missing, as the descriptions of the members say. */
const required: Readonly<Record<string, readonly string[]>> = {
  GenericClass: ['id'],
  GenericObject: ['id', 'classId', 'cardTitle', 'header'],
  LoyaltyClass: ['id', 'issuerName', 'programName', 'programLogo', 'reviewStatus'],
  LoyaltyObject: ['id', 'classId', 'state'],
  OfferClass: ['id', 'issuerName', 'provider', 'title', 'redemptionChannel', 'reviewStatus'],
  OfferObject: ['id', 'classId', 'state'],
  GiftCardClass: ['id', 'issuerName', 'reviewStatus'],
  GiftCardObject: ['id', 'classId', 'state', 'cardNumber'],
  EventTicketClass: ['id', 'issuerName', 'eventName', 'reviewStatus'],
  EventTicketObject: ['id', 'classId', 'state'],
  FlightClass: ['id', 'issuerName', 'destination', 'origin', 'flightHeader', 'reviewStatus'],
  FlightObject: ['id', 'classId', 'state', 'passengerName', 'reservationInfo'],
  TransitClass: ['id', 'issuerName', 'logo', 'transitType', 'reviewStatus'],
  TransitObject: ['id', 'classId', 'state', 'tripType'],
  EventVenue: ['name', 'address'],
  LocalizedString: ['defaultValue'],
  TranslatedString: ['language', 'value'],
  Barcode: ['type'],
  TextModuleData: ['body'],
  ImageUri: ['uri'],
  Uri: ['uri'],
  ValueAddedModuleData: ['header', 'uri'],
  DateTime: ['date'],
  MerchantLocation: ['latitude', 'longitude'],
  LoyaltyPoints: ['balance'],
  FieldReference: ['fieldPath'],
  AddMessageRequest: ['message'],
  Message: ['header', 'body'],
};

/** The most items of a list. Google refuses some of these and silently hides others; here all are refused. */
const most: Readonly<Record<string, number>> = {
  textModulesData: 10,
  uris: 10,
  messages: 10,
  merchantLocations: 10,
  imageModulesData: 1,
  valueAddedModuleData: 10,
  cardRowTemplateInfos: 3,
};

/** Only the platform writes these. */
const readOnly = new Set(['hasUsers', 'hasLinkedDevice', 'classReference', 'review']);

/** Exactly one of the members. */
const oneOf: Readonly<Record<string, readonly string[]>> = {
  Image: ['sourceUri', 'privateImageId'],
  CardRowTemplateInfo: ['oneItem', 'twoItems', 'threeItems'],
  LoyaltyPointsBalance: ['string', 'int', 'double', 'money'],
};

/** What a schema's members must look like beyond their type. */
const patterns: Readonly<Record<string, RegExp>> = {
  'TranslatedString.language': /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i,
  'TranslatedString.value': /./s,
  'TextModuleData.id': /^[\w-]+$/,
  'TextModuleData.body': /./s,
  'ImageUri.uri': /^[a-z][a-z0-9+.-]*:./i,
  'Uri.uri': /^[a-z][a-z0-9+.-]*:./i,
  'ValueAddedModuleData.uri': /^[a-z][a-z0-9+.-]*:./i,
  'CallbackOptions.url': /^https:\/\/./i,
  'DateTime.date': /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/,
  'FieldReference.fieldPath': /^(object|class)(\.[\w-]+|\['[\w-]+'\])+$/,
  'Barcode.value': /./s,
};

/** Problems of a resource that is written as a whole; empty when Google would take it. */
export function problemsOf(word: GoogleWord, kind: Kind, resource: unknown): string[] {
  const schema = `${word.charAt(0).toUpperCase()}${word.slice(1)}${kind}`;
  return [...shapeProblems(schema, resource, `${word}_${kind}`.toLowerCase()), ...rules(resource)];
}

/** The same for the body of addMessage. */
export function messageProblems(body: unknown): string[] {
  return shapeProblems('AddMessageRequest', body, 'add_message_request');
}

/** Names, types, required members, lengths and patterns, all the way down. */
function shapeProblems(schema: string, value: unknown, at: string): string[] {
  const members = schemas.get(schema);
  if (members === undefined) return scalarProblems(schema, value, at);
  if (!isObject(value)) return [`Invalid value at '${at}': an object is expected.`];
  const lacking = (required[schema] ?? [])
    .filter((name) => value[name] === undefined || value[name] === '')
    .map((name) => `Required field '${at}.${name}' is missing.`);
  const choices = oneOf[schema]?.filter((name) => value[name] !== undefined);
  const choice =
    choices === undefined || choices.length === 1 ? [] : [`Exactly one of ${oneOf[schema]} at '${at}'.`];
  const inside = Object.entries(value).flatMap(([name, member]) => {
    const type = members.get(name);
    if (type === undefined)
      return [`Invalid JSON payload received. Unknown name "${name}" at '${at}': Cannot find field.`];
    if (readOnly.has(name)) return [`'${at}.${name}' is written by the platform only.`];
    const pattern = patterns[`${schema}.${name}`];
    if (typeof member === 'string' && pattern?.test(member) === false)
      return [`Invalid value at '${at}.${name}': ${JSON.stringify(member)}`];
    return memberProblems(type, name, member, `${at}.${name}`);
  });
  return [...lacking, ...choice, ...inside];
}

function memberProblems(type: string, name: string, value: unknown, at: string): string[] {
  if (!type.endsWith('[]')) return shapeProblems(type, value, at);
  if (!Array.isArray(value)) return [`Invalid value at '${at}': a list is expected.`];
  const limit = most[name];
  if (limit !== undefined && value.length > limit) return [`'${at}' has more than ${limit} items.`];
  return value.flatMap((item, index) => shapeProblems(type.slice(0, -2), item, `${at}[${index}]`));
}

function scalarProblems(type: string, value: unknown, at: string): string[] {
  return isScalar(type, value) ? [] : [`Invalid value at '${at}' (${type}): ${JSON.stringify(value)}`];
}

function isScalar(type: string, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number';
    case 'int32':
      return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
    case 'int64':
      return /^-?\d{1,19}$/.test(String(value));
    default:
      return typeof value === 'string' && type.split('|').includes(value);
  }
}

/** What concerns several members, or the meaning of one. */
function rules(resource: unknown): string[] {
  if (!isObject(resource)) return [];
  const { hexBackgroundColor, reviewStatus, eventId, barcode, validTimeInterval } = resource;
  const { enableSmartTap, redemptionIssuers } = resource;
  const locations = Array.isArray(resource.merchantLocations) ? resource.merchantLocations : [];
  return [
    ...(hexBackgroundColor === undefined || /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(String(hexBackgroundColor))
      ? []
      : ['hexBackgroundColor is no #rrggbb or #rgb.']),
    ...(reviewStatus === undefined || ['DRAFT', 'UNDER_REVIEW'].includes(String(reviewStatus))
      ? []
      : ['reviewStatus can be set to DRAFT or UNDER_REVIEW only.']),
    ...(String(eventId ?? '').length <= 64 ? [] : ['eventId has more than 64 characters.']),
    ...(isObject(barcode) && barcode.renderEncoding !== undefined && barcode.type !== 'QR_CODE'
      ? ['renderEncoding is for QR codes only.']
      : []),
    ...(isObject(barcode) && typeof barcode.value === 'string' && !fits(String(barcode.type), barcode.value)
      ? [`Barcode value ${JSON.stringify(barcode.value)} is no ${barcode.type}.`]
      : []),
    ...intervalProblems(validTimeInterval),
    ...(enableSmartTap === true && !(Array.isArray(redemptionIssuers) && redemptionIssuers.length > 0)
      ? ['redemptionIssuers must be set where enableSmartTap is.']
      : []),
    ...locations
      .filter((place) => !(isObject(place) && inRange(place.latitude, 90) && inRange(place.longitude, 180)))
      .map((place) => `${JSON.stringify(place)} is not on Earth.`),
  ];
}

/** What bars of a type hold; GS1's numbers end with their check digit. */
const contents: Readonly<Record<string, RegExp>> = {
  EAN_8: /^\d{8}$/,
  UPC_A: /^\d{12}$/,
  EAN_13: /^\d{13}$/,
  ITF_14: /^\d{14}$/,
  CODE_39: /^[0-9A-Z \-.$/+%]+$/,
  CODABAR: /^[A-D]?[\d\-$:/.+]+[A-D]?$/,
};

function fits(type: string, value: string): boolean {
  if (contents[type]?.test(value) === false) return false;
  if (!/^(EAN|UPC|ITF)_/.test(type)) return true;
  const weighted = [...value].map(Number).reverse();
  return weighted.reduce((sum, digit, at) => sum + digit * (at % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

/** An offset at both ends or at none. */
function intervalProblems(interval: unknown): string[] {
  if (!isObject(interval)) return [];
  const offsets = [interval.start, interval.end]
    .filter(isObject)
    .map(({ date }) => /(Z|[+-]\d\d:\d\d)$/.test(String(date)));
  return new Set(offsets).size > 1 ? ['Both ends of validTimeInterval need an offset, or neither.'] : [];
}

function inRange(degrees: unknown, limit: number): boolean {
  return typeof degrees === 'number' && Math.abs(degrees) <= limit;
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a value must be. `date` is a W3C date-time with zone, `scalar` a string or number. */
export type ValueKind =
  | 'text'
  | 'texts'
  | 'number'
  | 'numbers'
  | 'scalar'
  | 'flag'
  | 'object'
  | 'list'
  | 'url'
  | 'color'
  | 'date';

export type KeyTable = Readonly<Record<string, ValueKind>>;

/** The styles a pass can have; posterGeneric may accompany one of the others. */
export const passStyles = [
  'boardingPass',
  'coupon',
  'eventTicket',
  'generic',
  'storeCard',
  'posterGeneric',
] as const;

export type PassStyle = (typeof passStyles)[number];

/** Top-level keys of pass.json, as Apple documents them up to iOS 27, and two seen in Apple's own passes. */
export const passKeys: KeyTable = {
  formatVersion: 'number',
  passTypeIdentifier: 'text',
  serialNumber: 'text',
  teamIdentifier: 'text',
  organizationName: 'text',
  description: 'text',
  logoText: 'text',
  logoSymbolName: 'text',
  appLaunchURL: 'url',
  associatedStoreIdentifiers: 'numbers',
  auxiliaryStoreIdentifiers: 'numbers',
  userInfo: 'object',
  expirationDate: 'date',
  voided: 'flag',
  sharingProhibited: 'flag',
  groupingIdentifier: 'text',
  suppressStripShine: 'flag',
  foregroundColor: 'color',
  backgroundColor: 'color',
  labelColor: 'color',
  footerBackgroundColor: 'color',
  stripColor: 'color',
  useAutomaticColors: 'flag',
  suppressHeaderDarkening: 'flag',
  eventLogoText: 'text',
  barcode: 'object',
  barcodes: 'list',
  relevantDate: 'date',
  relevantDates: 'list',
  locations: 'list',
  maxDistance: 'number',
  beacons: 'list',
  nfc: 'object',
  preferredStyleSchemes: 'texts',
  semantics: 'object',
  upcomingPassInformation: 'list',
  featuredActions: 'list',
  webServiceURL: 'text',
  authenticationToken: 'text',
  passLastModDate: 'scalar',
  boardingPass: 'object',
  coupon: 'object',
  eventTicket: 'object',
  generic: 'object',
  storeCard: 'object',
  posterGeneric: 'object',
  // Poster event tickets.
  accessibilityURL: 'url',
  addOnURL: 'url',
  bagPolicyURL: 'url',
  contactVenueEmail: 'text',
  contactVenuePhoneNumber: 'text',
  contactVenueWebsite: 'url',
  directionsInformationURL: 'url',
  merchandiseURL: 'url',
  orderFoodURL: 'url',
  parkingInformationURL: 'url',
  purchaseParkingURL: 'url',
  sellURL: 'url',
  transferURL: 'url',
  transitInformationURL: 'url',
  // Enhanced boarding passes.
  changeSeatURL: 'url',
  entertainmentURL: 'url',
  managementURL: 'url',
  purchaseAdditionalBaggageURL: 'url',
  purchaseLoungeAccessURL: 'url',
  purchaseWifiURL: 'url',
  registerServiceAnimalURL: 'url',
  reportLostBagURL: 'url',
  requestWheelchairURL: 'url',
  trackBagsURL: 'url',
  transitProviderEmail: 'text',
  transitProviderPhoneNumber: 'text',
  transitProviderWebsiteURL: 'url',
  upgradeURL: 'url',
};

const commonGroups: KeyTable = {
  headerFields: 'list',
  primaryFields: 'list',
  secondaryFields: 'list',
  auxiliaryFields: 'list',
  backFields: 'list',
};

/** Keys of each style dictionary; every `list` is a group of fields. */
export const styleKeys: Readonly<Record<PassStyle, KeyTable>> = {
  boardingPass: { ...commonGroups, transitType: 'text' },
  coupon: commonGroups,
  eventTicket: { ...commonGroups, additionalInfoFields: 'list' },
  generic: commonGroups,
  storeCard: commonGroups,
  posterGeneric: {
    headerFields: 'list',
    primaryFields: 'list',
    footerFields: 'list',
    backFields: 'list',
    additionalInfoFields: 'list',
  },
};

export const fieldKeys: KeyTable = {
  key: 'text',
  value: 'scalar',
  label: 'text',
  attributedValue: 'scalar',
  changeMessage: 'text',
  dataDetectorTypes: 'texts',
  textAlignment: 'text',
  dateStyle: 'text',
  timeStyle: 'text',
  ignoresTimeZone: 'flag',
  isRelative: 'flag',
  currencyCode: 'text',
  numberStyle: 'text',
  semantics: 'object',
  row: 'number',
};

export const barcodeKeys: KeyTable = {
  format: 'text',
  message: 'text',
  messageEncoding: 'text',
  altText: 'text',
};

export const relevantDateKeys: KeyTable = {
  date: 'date',
  relevantDate: 'date',
  startDate: 'date',
  endDate: 'date',
};

export const locationKeys: KeyTable = {
  latitude: 'number',
  longitude: 'number',
  altitude: 'number',
  relevantText: 'text',
};

export const beaconKeys: KeyTable = {
  proximityUUID: 'text',
  major: 'number',
  minor: 'number',
  relevantText: 'text',
  name: 'text',
};

export const nfcKeys: KeyTable = {
  message: 'text',
  encryptionPublicKey: 'text',
  requiresAuthentication: 'flag',
};

export const featuredActionKeys: KeyTable = {
  identifier: 'text',
  type: 'text',
  url: 'url',
  placeIdentifier: 'text',
};

/** The actions that Wallet of iOS 27 draws; `viewMembership` is only in a sample of Apple's. */
export const featuredActionTypes = [
  'addToBalance',
  'bookAppointment',
  'bookCar',
  'bookFlight',
  'bookStay',
  'call',
  'listenToMusic',
  'membershipBenefits',
  'order',
  'place',
  'shop',
  'viewMembership',
  'viewOffersRewards',
  'viewSchedule',
  'watchTrailer',
] as const;

export const personalizationKeys: KeyTable = {
  description: 'text',
  requiredPersonalizationFields: 'texts',
  termsAndConditions: 'text',
};

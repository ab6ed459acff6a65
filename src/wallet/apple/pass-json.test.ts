import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AppleCard, AppleField } from './card.ts';
import { passJson } from './pass-json.ts';

const plain: AppleCard = {
  passTypeIdentifier: 'pass.com.example.card',
  teamIdentifier: 'TEAM123456',
  organizationName: 'Example Coffee',
  serialNumber: 'inst_1',
  authenticationToken: 'vxwxd7J8AlNNFPS8k0a0FfUFtq0ewzFdc',
  webServiceURL: null,
  type: 'loyalty',
  title: 'Coffee Club',
  details: null,
  terms: null,
  words: { message: 'News', details: 'Details', terms: 'Terms' },
  message: null,
  fields: [],
  colors: { background: null, foreground: null, label: null },
  barcode: null,
  expiresAt: null,
  voided: false,
  locations: [],

  beacons: [],
  dates: [],
  actions: [],
  options: {},
  nfc: null,
  signedAt: new Date('2026-08-01T12:00:00Z'),
};

const required = {
  formatVersion: 1,
  passTypeIdentifier: 'pass.com.example.card',
  serialNumber: 'inst_1',
  teamIdentifier: 'TEAM123456',
  organizationName: 'Example Coffee',
  description: 'Coffee Club',
  logoText: 'Coffee Club',
};

function field(change: Partial<AppleField>): AppleField {
  return { key: 'k', label: 'Label', value: 'Value', section: 'primary', changeMessage: null, ...change };
}

function json(change: Partial<AppleCard>): Record<string, unknown> {
  return JSON.parse(passJson({ ...plain, ...change }).toString('utf8'));
}

describe('passJson', () => {
  it('leaves out whatever a card does not have', () => {
    assert.deepEqual(json({}), { ...required, storeCard: {} });
  });

  it('shows everything a card has', () => {
    const whole = json({
      webServiceURL: 'https://cards.example.com/apple/',
      details: 'Ten stamps, one coffee.',
      message: 'Open late',
      terms: 'One card per guest.',
      fields: [
        field({
          key: 'points',
          label: 'Points',
          value: '12',
          section: 'header',
          changeMessage: 'Now %@ points',
        }),
        field({ key: 'name', label: 'Name', value: 'Ada', section: 'secondary' }),
        field({ key: 'tier', label: 'Tier', value: 'Gold', section: 'secondary' }),
        field({ key: 'since', label: '', value: '2020', section: 'auxiliary' }),
        field({ key: 'offer', label: 'Offer', value: 'Free bun', section: 'primary' }),
        field({ key: 'phone', label: 'Phone', value: '+1 555 0100', section: 'back' }),
      ],
      colors: { background: '#17BB52', foreground: '#ffffff', label: '#000001' },
      barcode: { format: 'qr', value: '4006381333931', altText: '4006 3813 3393 1' },
      expiresAt: new Date('2027-01-31T23:59:59.999Z'),
      voided: true,
      locations: [
        { latitude: 52.5, longitude: 13.4, relevantText: 'Coffee is near' },
        { latitude: -33.9, longitude: 151.2, relevantText: null },
      ],
    });
    assert.deepEqual(whole, {
      ...required,
      backgroundColor: 'rgb(23, 187, 82)',
      foregroundColor: 'rgb(255, 255, 255)',
      labelColor: 'rgb(0, 0, 1)',
      webServiceURL: 'https://cards.example.com/apple/',
      authenticationToken: 'vxwxd7J8AlNNFPS8k0a0FfUFtq0ewzFdc',
      expirationDate: '2027-01-31T23:59:59Z',
      voided: true,
      barcodes: [
        {
          format: 'PKBarcodeFormatQR',
          message: '4006381333931',
          messageEncoding: 'iso-8859-1',
          altText: '4006 3813 3393 1',
        },
      ],
      locations: [
        { latitude: 52.5, longitude: 13.4, relevantText: 'Coffee is near' },
        { latitude: -33.9, longitude: 151.2 },
      ],
      storeCard: {
        headerFields: [{ key: 'points', label: 'Points', value: '12', changeMessage: 'Now %@ points' }],
        primaryFields: [{ key: 'offer', label: 'Offer', value: 'Free bun' }],
        secondaryFields: [
          { key: 'name', label: 'Name', value: 'Ada' },
          { key: 'tier', label: 'Tier', value: 'Gold' },
        ],
        auxiliaryFields: [{ key: 'since', value: '2020' }],
        backFields: [
          { key: 'phone', label: 'Phone', value: '+1 555 0100' },
          { key: 'latest-news', label: 'News', value: 'Open late', changeMessage: '%@' },
          { key: 'details', label: 'Details', value: 'Ten stamps, one coffee.' },
          { key: 'terms', label: 'Terms', value: 'One card per guest.' },
        ],
      },
    });
  });

  it('gives each type its style', () => {
    const styles = {
      loyalty: 'storeCard',
      coupon: 'coupon',
      eventTicket: 'eventTicket',
      giftCard: 'storeCard',
      generic: 'generic',
    } as const;
    for (const [type, style] of Object.entries(styles)) {
      assert.deepEqual(json({ type: type as AppleCard['type'] }), { ...required, [style]: {} });
    }
  });

  const sections = ['header', 'primary', 'secondary', 'auxiliary', 'back'] as const;

  it('has the style of a poster next to the other, with all fields', () => {
    const shown = (...keys: string[]) => keys.map((key) => ({ key, label: 'Label', value: 'Value' }));
    const of = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at + 1}`);
    const fields = sections.flatMap((section) => of(section, 5).map((key) => field({ key, section })));
    const card = { type: 'generic', fields, details: 'All of it.', hasPoster: true } as const;
    const { generic, posterGeneric, ...rest } = json(card);
    assert.deepEqual(rest, required);
    const backFields = [
      ...shown(...of('back', 5)),
      { key: 'details', label: 'Details', value: 'All of it.' },
    ];
    assert.deepEqual(posterGeneric, {
      headerFields: shown('header1'),
      primaryFields: shown(...of('primary', 4)),
      footerFields: shown('secondary1'),
      backFields,
      additionalInfoFields: shown(
        ...of('header', 5).slice(1),
        'primary5',
        ...of('secondary', 5).slice(1),
        ...of('auxiliary', 5),
      ),
    });
    assert.deepEqual({ ...required, generic }, json({ ...card, hasPoster: false }));
  });

  it('leaves empty groups of a poster out, and has an auxiliary field at its foot where no secondary one has a value', () => {
    const poster = (...fields: AppleField[]) =>
      json({ type: 'generic', hasPoster: true, fields }).posterGeneric;
    assert.deepEqual(poster(), {});
    const gone = field({ key: 'gone', section: 'secondary', value: null });
    const foot = { key: 'foot', label: 'Label', value: 'Value' };
    assert.deepEqual(poster(gone, field({ key: 'foot', section: 'auxiliary' })), { footerFields: [foot] });
  });

  it('leaves out a cleared field, and keeps the others', () => {
    const { storeCard } = json({
      fields: [field({ key: 'a', value: null, changeMessage: '%@' }), field({ key: 'b' })],
    });
    assert.deepEqual(storeCard, { primaryFields: [{ key: 'b', label: 'Label', value: 'Value' }] });
    assert.deepEqual(json({ fields: [field({ value: null })] }).storeCard, {});
  });

  it('names Latin-1 for every barcode that fits it, and UTF-8 for the others', () => {
    const encodings = {
      '123': 'iso-8859-1',
      'Größe ÿ': 'iso-8859-1',
      Ā: 'utf-8',
      '€5': 'utf-8',
      '札幌🍣': 'utf-8',
    };
    for (const [value, messageEncoding] of Object.entries(encodings)) {
      for (const [format, name] of Object.entries(barcodeFormats)) {
        const { barcodes } = json({
          barcode: { format: format as keyof typeof barcodeFormats, value, altText: null },
        });
        assert.deepEqual((barcodes as object[])[0], { format: name, message: value, messageEncoding });
      }
    }
  });

  it('has a barcode of bars also as Code 128, for phones before iOS 27, and as QR, for watches', () => {
    const codes = {
      ean13: '4006381333931',
      code39: 'CAFE 1',
      codabar: '40156',
      itf: '123456',
      code128: 'Az 1',
    } as const;
    for (const [format, value] of Object.entries(codes) as [keyof typeof codes, string][]) {
      const { barcodes } = json({ barcode: { format, value, altText: 'A' } });
      const names = [...new Set([format, 'code128', 'qr'] as const)].map((one) => barcodeFormats[one]);
      const expected = names.map((name) => ({
        format: name,
        message: value,
        messageEncoding: 'iso-8859-1',
        altText: 'A',
      }));
      assert.deepEqual(barcodes, expected);
    }
    const { barcodes } = json({ barcode: { format: 'pdf417', value: '1', altText: null } });
    assert.equal((barcodes as object[]).length, 1);
  });

  it('keeps the text of every script', () => {
    const texts = [
      'Καφές',
      'Кофе',
      'قهوة ١٢',
      'קפה',
      'कॉफ़ी',
      'กาแฟ',
      '커피',
      '珈琲カード',
      '☕️👩‍🍳',
      'a"b\\c\nd\u2028e\u0000',
      'e\u0301',
      '\u{20bb7}',
    ];
    for (const text of texts) {
      const { logoText, storeCard } = json({ title: text, fields: [field({ label: text, value: text })] });
      assert.equal(logoText, text);
      assert.deepEqual(storeCard, { primaryFields: [{ key: 'k', label: text, value: text }] });
    }
  });

  it('stays UTF-8 when a text holds half a surrogate pair', () => {
    const bytes = passJson({ ...plain, title: 'half \ud83d' });
    assert.doesNotThrow(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  });

  it('gives equal bytes for equal cards, whatever the order of their properties', () => {
    const reversed = Object.fromEntries(Object.entries(plain).reverse()) as unknown as AppleCard;
    assert.deepEqual(passJson(reversed), passJson(plain));
  });

  it('accepts a service on this machine without https, and no other', () => {
    for (const webServiceURL of ['http://localhost:3000/apple/', 'http://127.0.0.1', 'http://[::1]:3000/x']) {
      assert.equal(json({ webServiceURL }).webServiceURL, webServiceURL);
    }
    for (const webServiceURL of [
      'http://example.com/',
      'http://localhost.example.com/',
      'ftp://localhost/',
      '',
    ]) {
      assert.throws(() => json({ webServiceURL }), /webServiceURL is .* requires an https:\/\/ address/);
    }
  });

  const refusals: [string, Partial<AppleCard>, RegExp][] = [
    ['an empty title', { title: '' }, /title is empty/],
    ['an empty serial number', { serialNumber: '' }, /serialNumber is empty/],
    [
      'a short token',
      { webServiceURL: 'https://e.com/', authenticationToken: 'short' },
      /authenticationToken must be at least 16/,
    ],
    [
      'a colour by name',
      { colors: { background: 'red', foreground: null, label: null } },
      /colors\.background is "red"; give a colour as #rrggbb/,
    ],
    ['a short colour', { colors: { background: null, foreground: null, label: '#fff' } }, /colors\.label/],
    [
      'a key used twice',
      { fields: [field({ key: 'a' }), field({ key: 'a', section: 'back' })] },
      /field key "a" is taken/,
    ],
    ['a reserved key', { fields: [field({ key: 'terms' })] }, /field key "terms" is taken/],
    ['an empty key', { fields: [field({ key: '' })] }, /empty key/],
    ['an empty barcode', { barcode: { format: 'qr', value: '', altText: null } }, /barcode\.value is empty/],
    ['an invalid date', { expiresAt: new Date(Number.NaN) }, /expiresAt must be a valid date/],
    [
      'a date after the year 9999',
      { expiresAt: new Date(Date.UTC(10000, 0)) },
      /expiresAt must be a valid date/,
    ],
    [
      'a place beyond the pole',
      { locations: [{ latitude: 91, longitude: 0, relevantText: null }] },
      /91, 0 is not on Earth/,
    ],
    [
      'a place that is no number',
      { locations: [{ latitude: 0, longitude: Number.NaN, relevantText: null }] },
      /not on Earth/,
    ],
    [
      'eleven places',
      { locations: Array.from({ length: 11 }, () => ({ latitude: 0, longitude: 0, relevantText: null })) },
      /11 locations; Wallet takes at most 10/,
    ],
  ];
  for (const [what, change, message] of refusals) {
    it(`refuses ${what}`, () => assert.throws(() => json(change), message));
  }
});

const barcodeFormats = {
  qr: 'PKBarcodeFormatQR',
  pdf417: 'PKBarcodeFormatPDF417',
  aztec: 'PKBarcodeFormatAztec',
  code128: 'PKBarcodeFormatCode128',
  ean13: 'PKBarcodeFormatEAN13',
  code39: 'PKBarcodeFormatCode39',
  codabar: 'PKBarcodeFormatCodabar',
  itf: 'PKBarcodeFormatI2of5',
} as const;

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { nfcKey } from './broken-signature.fixture.ts';
import { type Json, passJson } from './pkpass-sample.fixture.ts';
import { validatePassJson } from './validate-pass-json.ts';

/** `rule @ place` of every finding, the place without the name of the file. */
function check(changes: Json): string[] {
  const found: string[] = [];
  const pass = JSON.parse(JSON.stringify(passJson(changes))) as Json;
  validatePassJson(pass, (rule, _message, where = '') => {
    found.push(`${rule} @ ${where.replace(/^pass\.json(: )?/, '')}`.trim());
  });
  return found.sort();
}

/** Asserts the findings for each of several values. */
function checkEach(values: readonly unknown[], build: (value: unknown) => Json, expected: string[]): void {
  for (const value of values) assert.deepEqual(check(build(value)), expected, JSON.stringify(value));
}

/** A generic pass with one field. */
function oneField(field: Json, group = 'primaryFields'): Json {
  return { storeCard: undefined, generic: { [group]: [{ key: 'k', value: 1, ...field }] } };
}

const at = 'generic.primaryFields[0]';

describe('validatePassJson: identity', () => {
  it('wants formatVersion as the number 1', () => {
    checkEach([2, undefined], (formatVersion) => ({ formatVersion }), ['format-version @']);
    assert.deepEqual(check({ formatVersion: '1' }), ['format-version @', 'key-type @ formatVersion']);
  });

  it('wants each required key as a string that is not empty', () => {
    for (const key of [
      'passTypeIdentifier',
      'serialNumber',
      'teamIdentifier',
      'organizationName',
      'description',
    ]) {
      checkEach([undefined, ''], (value) => ({ [key]: value }), [`required-key @ ${key}`]);
      checkEach([7, null, ['x']], (value) => ({ [key]: value }), [`key-type @ ${key}`]);
    }
  });

  it('wants the forms of pass type and team identifier', () => {
    const wrong = ['com.example', 'Pass.com.example', 'pass.', 'pass. x'];
    checkEach(wrong, (passTypeIdentifier) => ({ passTypeIdentifier }), [
      'pass-type-identifier @ passTypeIdentifier',
    ]);
    const teams = ['abcde12345', 'ABCDE1234', 'ABCDE123456', 'ABCDE-1234'];
    checkEach(teams, (teamIdentifier) => ({ teamIdentifier }), ['team-identifier @ teamIdentifier']);
  });

  it('wants one style, or posterGeneric and another', () => {
    assert.deepEqual(check({ storeCard: undefined }), ['style-count @']);
    assert.deepEqual(check({ generic: {} }), ['style-count @']);
    assert.deepEqual(check({ posterGeneric: {} }), []);
    assert.deepEqual(check({ posterGeneric: {}, storeCard: undefined }), ['style-fallback @']);
    assert.deepEqual(check({ posterGeneric: {}, generic: {} }), ['style-count @']);
    assert.deepEqual(check({ storeCard: [] }), ['key-type @ storeCard']);
  });

  it('wants transitType in boarding passes and nowhere else', () => {
    const boarding = (transitType: unknown): Json => ({
      storeCard: undefined,
      boardingPass: { transitType },
    });
    checkEach([undefined, 'PKTransitTypeCar', 'air'], boarding, ['transit-type @ boardingPass.transitType']);
    checkEach(['PKTransitTypeAir', 'PKTransitTypeGeneric'], boarding, []);
    assert.deepEqual(check({ storeCard: { transitType: 'PKTransitTypeAir' } }), [
      'transit-type @ storeCard.transitType',
    ]);
  });

  it('names unknown keys at every level', () => {
    assert.deepEqual(
      check({
        logotext: 'x',
        barcodes: [{ format: 'PKBarcodeFormatQR', message: 'm', messageEncoding: 'utf-8', alt: 'x' }],
        storeCard: { frontFields: [], backFields: [{ key: 'a', value: 'b', lable: 'c' }] },
      }),
      [
        'unknown-key @ barcodes[0].alt',
        'unknown-key @ logotext',
        'unknown-key @ storeCard.backFields[0].lable',
        'unknown-key @ storeCard.frontFields',
      ],
    );
  });

  it('does not take inherited names for known keys', () => {
    assert.deepEqual(check(JSON.parse('{"constructor": 1, "__proto__x": 2}')), [
      'unknown-key @ __proto__x',
      'unknown-key @ constructor',
    ]);
  });

  it('wants the right types', () => {
    const wrong: Json = {
      voided: 'true',
      logoText: 5,
      associatedStoreIdentifiers: ['123'],
      userInfo: 'x',
      maxDistance: '10',
      barcodes: {},
      semantics: [],
      sellURL: 'example.com',
      preferredStyleSchemes: 'eventTicket',
      expirationDate: 5,
    };
    assert.deepEqual(
      check(wrong),
      Object.keys(wrong)
        .map((key) => `key-type @ ${key}`)
        .sort(),
    );
    assert.deepEqual(check({ locations: [1], beacons: ['x'], storeCard: { backFields: [null] } }), [
      'key-type @ beacons[0]',
      'key-type @ locations[0]',
      'key-type @ storeCard.backFields[0]',
    ]);
  });

  it('wants colours as rgb() or #rrggbb, nothing around them', () => {
    const good = ['rgb(0,0,0)', 'rgb(255, 255, 255)', 'rgb( 1 , 2 , 3 )', '#00aaFF'];
    checkEach(good, (labelColor) => ({ labelColor }), []);
    const wrong = [
      'rgb(256,0,0)',
      'rgb(1,2)',
      'rgba(1,2,3,0.5)',
      'red',
      '#fff',
      '#00aaFF ',
      'rgb(-1,0,0)',
      'rgb(1,2,3);',
      '',
    ];
    checkEach(wrong, (labelColor) => ({ labelColor }), ['color @ labelColor']);
  });

  it('wants associatedStoreIdentifiers with appLaunchURL, and groups for two styles only', () => {
    assert.deepEqual(check({ appLaunchURL: 'app://x' }), ['app-launch-url @ appLaunchURL']);
    assert.deepEqual(check({ groupingIdentifier: 'g' }), ['grouping-identifier @ groupingIdentifier']);
    assert.deepEqual(check({ groupingIdentifier: 'g', storeCard: undefined, eventTicket: {} }), []);
  });
});

describe('validatePassJson: web service and NFC', () => {
  const token = 'vxwxd7J8AlNNFPS8k0a0FfUFtq0ewzFdc';
  const url = 'https://example.com:8443/passes/';

  it('wants an absolute https URL', () => {
    const build = (webServiceURL: unknown): Json => ({ webServiceURL, authenticationToken: token });
    checkEach([url, 'https://localhost', 'https://[::1]:3000/x'], build, []);
    const wrong = [
      'http://example.com',
      'https:example.com',
      '/passes',
      'example.com',
      'https://',
      'https://a.example/?x=1',
      'https://a.example/?',
      'https://a.example/#x',
      'https://user:pw@a.example/',
      'https://a.example/a b',
      '',
    ];
    checkEach(wrong, build, ['web-service-url @ webServiceURL']);
  });

  it('wants a token of 16 or more safe characters', () => {
    const build = (authenticationToken: unknown): Json => ({ webServiceURL: url, authenticationToken });
    checkEach(['a'.repeat(16), 'AZaz09-._~+/abcdef==', token], build, []);
    const wrong = [
      'a'.repeat(15),
      'sixteen letters!',
      'a b c d e f g h i j',
      `${token}"`,
      `é${token}`,
      `${token}\n`,
      '='.repeat(16),
    ];
    checkEach(wrong, build, ['authentication-token @ authenticationToken']);
  });

  it('wants both or neither', () => {
    assert.deepEqual(check({ webServiceURL: url }), ['web-service-pair @']);
    assert.deepEqual(check({ authenticationToken: token }), ['web-service-pair @']);
  });

  it('wants a message of 64 bytes at most and a P-256 key', () => {
    const nfc = (changes: Json): Json => ({
      nfc: { message: 'm', encryptionPublicKey: nfcKey(), ...changes },
    });
    assert.deepEqual(check(nfc({ message: 'é'.repeat(32), requiresAuthentication: true })), []);
    checkEach(['', 'é'.repeat(33)], (message) => nfc({ message }), ['nfc-message @ nfc.message']);
    const spki = (curve: string) =>
      generateKeyPairSync('ec', { namedCurve: curve }).publicKey.export({ type: 'spki', format: 'der' });
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({
      type: 'spki',
      format: 'der',
    });
    const wrong = [
      undefined,
      '',
      'MFk',
      '%%%',
      spki('P-384').toString('base64'),
      rsa.toString('base64'),
      spki('P-256').toString('hex'),
    ];
    checkEach(wrong, (encryptionPublicKey) => nfc({ encryptionPublicKey }), [
      'nfc-key @ nfc.encryptionPublicKey',
    ]);
  });
});

describe('validatePassJson: fields', () => {
  it('wants a key and a value', () => {
    assert.deepEqual(check(oneField({ key: undefined })), [`field-incomplete @ ${at}`]);
    assert.deepEqual(check(oneField({ key: '' })), [`field-incomplete @ ${at}`]);
    assert.deepEqual(check(oneField({ value: undefined })), [`field-incomplete @ ${at}`]);
    assert.deepEqual(check(oneField({ value: '' })), []);
    checkEach([true, null, {}], (value) => oneField({ value }), [`key-type @ ${at}.value`]);
  });

  it('wants dates with a zone where there is a date style', () => {
    const build = (value: unknown): Json => oneField({ value, dateStyle: 'PKDateStyleShort' });
    checkEach(['2024-02-29T23:59Z', '2030-01-01T00:00:00.25+05:30', '2030-01-01T00:00:00-12:00'], build, []);
    const wrong = [
      '2030-01-01',
      '2030-01-01T00:00:00',
      '2023-02-29T00:00Z',
      '2030-13-01T00:00Z',
      '2030-01-01T24:00Z',
      'soon',
      5,
      '2030-01-01T00:00-7:00',
      '2030-01-01T00:00+25:00',
      '2030-01-01 00:00Z',
      '2030-01-01T00:00Z ',
    ];
    checkEach(wrong, build, [`field-date @ ${at}.value`]);
    assert.deepEqual(
      check(oneField({ value: 'x', dateStyle: 'PKDateStyleNone', timeStyle: 'PKDateStyleNone' })),
      [],
    );
    assert.deepEqual(check(oneField({ value: 'x', timeStyle: 'PKDateStyleFull' })), [
      `field-date @ ${at}.value`,
    ]);
  });

  it('wants numbers where there is a currency or number style', () => {
    assert.deepEqual(check(oneField({ value: '5', currencyCode: 'EUR' })), [`field-number @ ${at}.value`]);
    assert.deepEqual(check(oneField({ value: 'x', numberStyle: 'PKNumberStylePercent' })), [
      `field-number @ ${at}.value`,
    ]);
    for (const currencyCode of 'JPY VED XAD CLF UYW CHE CHW COU MXV USN BOV BGN HRK XAU XXX'.split(' '))
      assert.deepEqual(check(oneField({ value: 0, currencyCode })), [], currencyCode);
  });

  it('knows the enumerated options', () => {
    const options: Json = {
      numberStyle: 'PKNumberStyleRoman',
      currencyCode: 'eur',
      textAlignment: 'PKTextAlignmentJustified',
      dataDetectorTypes: ['PKDataDetectorTypeFlight'],
    };
    for (const [key, value] of Object.entries(options)) {
      const found = check(
        oneField({ [key]: value }, key === 'dataDetectorTypes' ? 'backFields' : 'headerFields'),
      );
      assert.deepEqual(
        found.map((line) => line.split(' ')[0]),
        ['field-option'],
        key,
      );
    }
    assert.deepEqual(check(oneField({ value: '2030-01-01T00:00Z', dateStyle: 'Short' })), [
      `field-option @ ${at}.dateStyle`,
    ]);
    assert.deepEqual(check(oneField({ dataDetectorTypes: [] }, 'backFields')), []);
  });

  it('warns about alignment and detectors in groups that have none', () => {
    for (const group of ['primaryFields', 'backFields']) {
      const found = check(oneField({ textAlignment: 'PKTextAlignmentLeft' }, group));
      assert.deepEqual(found, [`field-alignment @ generic.${group}[0].textAlignment`]);
    }
    assert.deepEqual(check(oneField({ dataDetectorTypes: [] })), [
      `field-detectors @ ${at}.dataDetectorTypes`,
    ]);
  });

  it('wants %@ in a change message, and no markup but links', () => {
    assert.deepEqual(check(oneField({ changeMessage: '%@' })), []);
    assert.deepEqual(check(oneField({ changeMessage: '%s points' })), [
      `field-change-message @ ${at}.changeMessage`,
    ]);
    const build = (attributedValue: unknown): Json => oneField({ attributedValue });
    checkEach(['plain', '1 > 0', '<a href=\'tel:1\'>a</a> <A HREF="x">b</A>', 5], build, []);
    const wrong = [
      '<b>x</b>',
      '<a href="x">y',
      'x</a>',
      '<a>x</a>',
      '<a href="x" target="_top">y</a>',
      'a < b',
      '<br/>',
    ];
    checkEach(wrong, build, [`field-markup @ ${at}.attributedValue`]);
  });

  it('wants row 0 or 1, in auxiliary fields of event tickets', () => {
    const event = (group: string, row: unknown): Json => ({
      storeCard: undefined,
      eventTicket: { [group]: [{ key: 'k', value: 1, row }] },
    });
    checkEach([0, 1], (row) => event('auxiliaryFields', row), []);
    checkEach([2, 0.5], (row) => event('auxiliaryFields', row), [
      'field-row @ eventTicket.auxiliaryFields[0].row',
    ]);
    assert.deepEqual(check(event('headerFields', 0)), ['field-row @ eventTicket.headerFields[0].row']);
    assert.deepEqual(check(oneField({ row: 0 }, 'auxiliaryFields')), [
      'field-row @ generic.auxiliaryFields[0].row',
    ]);
  });

  it('counts what each style shows', () => {
    const fields = (count: number, from = 0): Json[] =>
      Array.from({ length: count }, (_, number) => ({ key: `k${from + number}`, value: number }));
    const shows = (style: string, group: string, most: number, more: Json = {}): void => {
      const build = (count: number): Json => ({
        storeCard: undefined,
        [style]: { ...more, [group]: fields(count) },
      });
      assert.deepEqual(check(build(most)), [], `${style} ${group}`);
      assert.deepEqual(check(build(most + 1)), [`field-count @ ${style}.${group}`], `${style} ${group}`);
    };
    const transit = { transitType: 'PKTransitTypeBus' };
    for (const style of ['coupon', 'storeCard', 'generic', 'eventTicket']) {
      shows(style, 'headerFields', 3);
      shows(style, 'primaryFields', 1);
    }
    shows('boardingPass', 'primaryFields', 2, transit);
    shows('boardingPass', 'auxiliaryFields', 5, transit);
    shows('generic', 'secondaryFields', 4);
    shows('eventTicket', 'auxiliaryFields', 4);
    shows('storeCard', 'secondaryFields', 4);
    const both = { storeCard: { secondaryFields: fields(3), auxiliaryFields: fields(2, 3) } };
    assert.deepEqual(check(both), ['field-count @ storeCard.secondaryFields']);
    const apart = {
      storeCard: undefined,
      generic: { secondaryFields: fields(3), auxiliaryFields: fields(2, 3) },
    };
    assert.deepEqual(check(apart), []);
    for (const [group, most] of Object.entries({ headerFields: 1, primaryFields: 4, footerFields: 1 })) {
      const poster = (count: number): Json => ({ posterGeneric: { [group]: fields(count) } });
      assert.deepEqual(check(poster(most)), [], group);
      assert.deepEqual(check(poster(most + 1)), [`field-count @ posterGeneric.${group}`], group);
    }
    assert.deepEqual(check({ posterGeneric: { additionalInfoFields: fields(9) } }), []);
    assert.deepEqual(check({ posterGeneric: { secondaryFields: [] } }), [
      'unknown-key @ posterGeneric.secondaryFields',
    ]);
  });
});

describe('validatePassJson: barcodes', () => {
  const qr = { format: 'PKBarcodeFormatQR', message: 'm', messageEncoding: 'iso-8859-1' };

  it('wants a known format, a message and an encoding', () => {
    assert.deepEqual(check({ barcodes: [{}] }), [
      'barcode-format @ barcodes[0].format',
      'barcode-message @ barcodes[0].message',
    ]);
    assert.deepEqual(check({ barcodes: [{ ...qr, messageEncoding: undefined }] }), [
      'barcode-encoding @ barcodes[0].messageEncoding',
    ]);
    assert.deepEqual(check({ barcodes: [{ ...qr, format: 'constructor' }] }), [
      'barcode-format @ barcodes[0].format',
    ]);
  });

  it('wants a message that the encoding can write', () => {
    const build = ([message, messageEncoding]: readonly string[]): Json => ({
      barcodes: [{ ...qr, message, messageEncoding }],
    });
    const good = [
      ['é', 'ISO-8859-1'],
      ['€', 'windows-1252'],
      ['ł', 'iso-8859-2'],
      ['日本', 'shift_jis'],
      ['日本€', 'utf-8'],
      ['~', 'us-ascii'],
    ];
    for (const pair of good) assert.deepEqual(check(build(pair)), [], pair.join());
    const wrong = [
      ['€', 'iso-8859-1'],
      ['é', 'us-ascii'],
      ['日', 'iso-8859-2'],
      ['x', 'klingon'],
      ['\ud800', 'utf-8'],
    ];
    for (const pair of wrong)
      assert.deepEqual(check(build(pair)), ['barcode-encoding @ barcodes[0].messageEncoding'], pair.join());
  });

  it('wants a message that the format can show', () => {
    const cases: Record<string, [good: string[], wrong: string[]]> = {
      PKBarcodeFormatCode128: [['Az 09~'], ['é']],
      PKBarcodeFormatCode39: [['AZ-09 .$/+%'], ['az', 'A_B']],
      PKBarcodeFormatCodabar: [
        ['12-34', 'A12:34B'],
        ['A12', 'E1E', '1x'],
      ],
      PKBarcodeFormatEAN13: [
        ['4006381333931', '0000000000000'],
        ['4006381333932', '400638133393', 'abcdefghijklm'],
      ],
      PKBarcodeFormatI2of5: [['1234'], ['123', '12a4']],
      PKBarcodeFormatQR: [['x'.repeat(2900)], ['x'.repeat(2901)]],
    };
    for (const [format, [good, wrong]] of Object.entries(cases)) {
      const build = (message: unknown): Json => ({ barcodes: [{ ...qr, format, message }, qr] });
      checkEach(good, build, []);
      checkEach(wrong, build, ['barcode-message @ barcodes[0].message']);
    }
    const bytes = { ...qr, message: 'é'.repeat(1451), messageEncoding: 'utf-8' };
    assert.deepEqual(check({ barcodes: [bytes] }), ['barcode-message @ barcodes[0].message']);
  });

  it('wants a fallback for old systems and watches', () => {
    const code39 = { ...qr, format: 'PKBarcodeFormatCode39', message: 'A' };
    const code128 = { ...qr, format: 'PKBarcodeFormatCode128' };
    assert.deepEqual(check({ barcodes: [code39] }), ['barcode-fallback @ barcodes']);
    assert.deepEqual(check({ barcodes: [code39, code128] }), ['barcode-watch @ barcodes']);
    assert.deepEqual(check({ barcodes: [code39, code128, qr] }), []);
  });

  it('checks the deprecated barcode, and accepts it together with barcodes', () => {
    assert.deepEqual(check({ barcode: qr }), []);
    assert.deepEqual(check({ barcode: { ...qr, format: 'x' }, barcodes: undefined }), [
      'barcode-deprecated @ barcode',
      'barcode-format @ barcode.format',
    ]);
  });
});

describe('validatePassJson: relevance', () => {
  it('wants real dates with time and zone', () => {
    const build = (expirationDate: unknown): Json => ({ expirationDate });
    checkEach(['2030-12-31T23:59Z', '2030-12-31T23:59:59+14:00'], build, []);
    checkEach(['2030-12-31', '2030-06-31T00:00Z', '2030-12-31T23:59:59', ''], build, [
      'date-format @ expirationDate',
    ]);
  });

  it('wants intervals that end after they start, within a day', () => {
    const build = (entry: unknown): Json => ({ relevantDates: [entry] });
    const [start, end] = ['2030-06-01T18:00:00Z', '2030-06-02T18:00:00Z'];
    checkEach(
      [
        { date: start },
        { relevantDate: start },
        { startDate: start, endDate: end },
        { startDate: start, endDate: start },
      ],
      build,
      [],
    );
    const wrong = [
      {},
      { startDate: start },
      { endDate: end },
      { startDate: end, endDate: start },
      { startDate: start, endDate: '2030-06-02T18:00:01Z' },
    ];
    checkEach(wrong, build, ['date-range @ relevantDates[0]']);
    checkEach([{ date: '2030-06-01' }], build, ['date-format @ relevantDates[0].date']);
  });

  it('wants locations on the globe', () => {
    const build = (location: unknown): Json => ({ locations: [location] });
    checkEach(
      [
        { latitude: -90, longitude: 180 },
        { latitude: 0, longitude: 0, altitude: -5 },
      ],
      build,
      [],
    );
    checkEach([{ latitude: 90.1, longitude: 0 }, { latitude: 0, longitude: -181 }, { latitude: 0 }], build, [
      'location @ locations[0]',
    ]);
    checkEach([{ latitude: '1', longitude: 0 }], build, [
      'key-type @ locations[0].latitude',
      'location @ locations[0]',
    ]);
  });

  it('wants beacons with UUID and 16-bit numbers', () => {
    const proximityUUID = 'f8f589e9-c07e-4d5e-b2b3-3a1a0a1b2c3d';
    const build = (changes: unknown): Json => ({ beacons: [{ proximityUUID, ...(changes as Json) }] });
    checkEach([{}, { major: 0, minor: 65_535 }], build, []);
    checkEach([{ major: 65_536 }, { minor: -1 }, { minor: 1.5 }, { proximityUUID: 'f8f589e9' }], build, [
      'beacon @ beacons[0]',
    ]);
    const many = Array.from({ length: 12 }, () => ({ proximityUUID }));
    assert.deepEqual(check({ beacons: many }), []);
  });
});

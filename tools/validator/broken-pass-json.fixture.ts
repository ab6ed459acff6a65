import type { BrokenSample } from './broken-files.fixture.ts';
import { nfcKey } from './broken-signature.fixture.ts';
import { buildPass, type Json, passJson } from './pkpass-sample.fixture.ts';
import type { RuleId } from './validate-rules.ts';

/** The passes whose pass.json is wrong. */
export const brokenPassJson = {
  'json-encoding': text((json) => Buffer.from(`\uFEFF${json}`, 'utf16le')),
  'json-byte-order-mark': text((json) => Buffer.concat([Buffer.from('\uFEFF'), Buffer.from(json)])),
  'json-syntax': text((json) => Buffer.from(json.replace(/}$/, ',}'))),
  'json-duplicate-key': text((json) => Buffer.from(json.replace(/}$/, ',"formatVersion":1}'))),
  'format-version': json({ formatVersion: 2 }),
  'required-key': json({ description: undefined }),
  'key-type': json({ voided: 'true' }),
  'unknown-key': json({ logotext: 'Example' }),
  'pass-type-identifier': json({ passTypeIdentifier: 'com.example.card' }, [
    'certificate-pass-type',
    'certificate-name',
  ]),
  'team-identifier': json({ teamIdentifier: 'team' }, ['certificate-team']),
  'style-count': json({ coupon: {} }),
  'style-fallback': json({ storeCard: undefined, posterGeneric: {} }, ['image-poster']),
  'transit-type': json({ boardingPass: { transitType: 'PKTransitTypeCar' }, storeCard: undefined }),
  color: json({ backgroundColor: 'rgb(0, 0, 256)' }),
  'app-launch-url': json({ appLaunchURL: 'example://open' }),
  'grouping-identifier': json({ groupingIdentifier: 'group' }),
  'featured-action': json({ featuredActions: [{ identifier: 'x', type: 'call' }] }),
  'web-service-url': json({ webServiceURL: 'http://example.com/', authenticationToken: 'a'.repeat(16) }),
  'authentication-token': json({ webServiceURL: 'https://example.com/', authenticationToken: 'short' }),
  'web-service-local': json({
    webServiceURL: 'http://localhost:3000/apple',
    authenticationToken: 'a'.repeat(16),
  }),
  'web-service-pair': json({ webServiceURL: 'https://example.com/' }),
  'nfc-message': json({ nfc: { message: 'x'.repeat(65), encryptionPublicKey: nfcKey() } }, [
    'certificate-not-nfc',
  ]),
  'nfc-key': json({ nfc: { message: 'id', encryptionPublicKey: 'bm8ga2V5' } }, ['certificate-not-nfc']),

  'field-incomplete': field({ value: undefined }),
  'field-key-duplicate': json({
    storeCard: { headerFields: [{ key: 'a', value: 1 }], backFields: [{ key: 'a', value: 2 }] },
  }),
  'field-option': field({ textAlignment: 'left' }),
  'field-date': field({ value: '2030-01-01', dateStyle: 'PKDateStyleShort' }),
  'field-number': field({ value: '12.50', currencyCode: 'EUR' }),
  'field-alignment': field({ textAlignment: 'PKTextAlignmentLeft' }, 'backFields'),
  'field-detectors': field({ dataDetectorTypes: ['PKDataDetectorTypeLink'] }),
  'field-change-message': field({ changeMessage: 'Your points changed' }),
  'field-markup': field({ attributedValue: '<b>12</b>' }),
  'field-row': field({ row: 1 }),
  'field-count': json({
    storeCard: { headerFields: [1, 2, 3, 4].map((value) => ({ key: `field${value}`, value })) },
  }),

  'barcode-format': barcodes({ format: 'QR' }),
  'barcode-message': barcodes({ message: '' }),
  'barcode-encoding': barcodes({ message: 'Łódź' }),
  'barcode-fallback': barcodes({ format: 'PKBarcodeFormatEAN13', message: '4006381333931' }),
  'barcode-watch': barcodes({ format: 'PKBarcodeFormatCode128' }),
  'barcode-deprecated': json({ barcodes: undefined, barcode: barcode({}) }),

  'date-format': json({ expirationDate: '2030-12-31T23:59:59' }),
  'date-range': json({
    relevantDates: [{ startDate: '2030-12-31T23:00:00Z', endDate: '2030-12-31T22:00:00Z' }],
  }),
  location: json({ locations: [{ latitude: 51.5, longitude: 181 }] }),
  'location-count': json({ locations: Array.from({ length: 11 }, () => ({ latitude: 1, longitude: 1 })) }),
  beacon: json({ beacons: [{ proximityUUID: uuid(1), major: 65_536 }] }),
  'beacon-count': json({ beacons: Array.from({ length: 11 }, (_, at) => ({ proximityUUID: uuid(at) })) }),
} satisfies Partial<Record<RuleId, BrokenSample>>;

function json(changes: Json, also: readonly RuleId[] = []): BrokenSample {
  return { bytes: () => buildPass({ pass: passJson(changes) }), also };
}

function text(change: (json: string) => Buffer): BrokenSample {
  return { bytes: () => buildPass({ pass: change(JSON.stringify(passJson())) }) };
}

function field(changes: Json, group = 'headerFields'): BrokenSample {
  return json({ storeCard: { [group]: [{ key: 'points', value: 12, ...changes }] } });
}

function barcode(changes: Json): Json {
  return { format: 'PKBarcodeFormatQR', message: '12345', messageEncoding: 'iso-8859-1', ...changes };
}

function barcodes(changes: Json): BrokenSample {
  return json({ barcodes: [barcode(changes)] });
}

function uuid(number: number): string {
  return `f8f589e9-c07e-4d5e-b2b3-${String(number).padStart(12, '0')}`;
}

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { PKPass } from 'passkit-generator';
import {
  leaf,
  leafKeys,
  makeLeaf,
  now,
  passTypeIdentifier,
  pem,
  root,
  signCms,
  signWithOpenssl,
  wwdr,
} from '../../src/wallet/apple/certificates/signing.fixture.ts';
import { type BrokenSample, brokenFiles, bundle, memberOf, personalization } from './broken-files.fixture.ts';
import { brokenPassJson } from './broken-pass-json.fixture.ts';
import { brokenSignature, nfcKey } from './broken-signature.fixture.ts';
import { buildPass, type Files, type Json, jsonBytes, passJson, png } from './pkpass-sample.fixture.ts';
import { validatePkpass } from './validate-pkpass.ts';
import { type PkpassFinding, type RuleId, rules } from './validate-rules.ts';

// Judged by the clock of this moment: openssl signs by its own, perhaps long after this file was loaded.
function validate(bytes: Buffer): PkpassFinding[] {
  return validatePkpass(bytes, { root, now: new Date() });
}

function rulesOf(bytes: Buffer): string[] {
  return [...new Set(validate(bytes).map(({ rule }) => rule))].sort();
}

const webService = {
  webServiceURL: 'https://passes.example.com/apple',
  authenticationToken: 'vxwxd7J8AlNNFPS8',
};

const field = (key: string, value: unknown, more: Json = {}): Json => ({ key, label: key, value, ...more });

/** A full-featured pass of each kind that the service issues, and the further styles of Wallet. */
const good: Record<string, { pass: Json; files?: Files }> = {
  loyalty: {
    pass: {
      ...webService,
      logoText: 'Café Example',
      foregroundColor: 'rgb(255, 255, 255)',
      backgroundColor: 'rgb(23,187,82)',
      labelColor: '#00aaFF',
      locations: [{ latitude: 51.5007, longitude: -0.1246, altitude: 10, relevantText: 'Come in' }],
      maxDistance: 100,
      userInfo: { anything: [1, { nested: null }] },
      storeCard: {
        headerFields: [
          field('points', 1200, { changeMessage: 'You have %@ points', numberStyle: 'PKNumberStyleDecimal' }),
        ],
        primaryFields: [field('reward', 'Free coffee')],
        secondaryFields: [
          field('level', 'Gold', { textAlignment: 'PKTextAlignmentRight' }),
          field('name', 'Ann'),
        ],
        auxiliaryFields: [
          field('since', '2024-02-29T10:00Z', {
            dateStyle: 'PKDateStyleMedium',
            timeStyle: 'PKDateStyleNone',
          }),
        ],
        backFields: [
          field('terms', 'See our site', {
            attributedValue: 'See <a href="https://example.com/?a=1&b=2">our site</a>',
            dataDetectorTypes: ['PKDataDetectorTypeLink'],
          }),
        ],
      },
    },
    files: {
      'logo.png': png(160, 50),
      'logo@2x.png': png(320, 100),
      'strip@2x.png': png(750, 288),
      'fr.lproj/pass.strings': Buffer.from('"Free coffee" = "Café \\"offert\\"";\n'),
      'pl.lproj/pass.strings': Buffer.from('\uFEFF/* Polish */\n"Free coffee" = "Łyk kawy";', 'utf16le'),
    },
  },
  coupon: {
    pass: {
      storeCard: undefined,
      expirationDate: '2031-12-31T23:59:59+01:00',
      barcodes: [
        { format: 'PKBarcodeFormatEAN13', message: '4006381333931', messageEncoding: 'us-ascii' },
        {
          format: 'PKBarcodeFormatCode128',
          message: 'ABC-123',
          messageEncoding: 'iso-8859-1',
          altText: 'ABC-123',
        },
        { format: 'PKBarcodeFormatPDF417', message: 'ABC-123', messageEncoding: 'utf-8' },
      ],
      coupon: { primaryFields: [field('offer', 0.2, { numberStyle: 'PKNumberStylePercent' })] },
    },
    files: { 'strip.png': png(375, 144) },
  },
  eventTicket: {
    pass: {
      storeCard: undefined,
      groupingIdentifier: 'festival',
      relevantDates: [
        { startDate: '2030-06-01T18:00:00-07:00', endDate: '2030-06-02T18:00:00-07:00' },
        { date: '2030-06-01T18:00-07:00', relevantDate: '2030-06-01T18:00-07:00' },
      ],
      beacons: [{ proximityUUID: 'F8F589E9-C07E-4D5E-B2B3-000000000001', major: 0, minor: 65_535 }],
      eventTicket: {
        primaryFields: [field('event', 'Concert')],
        auxiliaryFields: [0, 0, 0, 0, 1, 1].map((row, at) => field(`seat${at}`, `${at}`, { row })),
      },
    },
    files: { 'background.png': png(180, 220), 'thumbnail.png': png(60, 90) },
  },
  giftCard: {
    pass: {
      ...webService,
      appLaunchURL: 'example://card',
      associatedStoreIdentifiers: [123_456_789],
      storeCard: { primaryFields: [field('balance', 25.5, { currencyCode: 'EUR' })] },
    },
  },
  generic: {
    pass: {
      storeCard: undefined,
      barcodes: [{ format: 'PKBarcodeFormatAztec', message: 'Łódź', messageEncoding: 'iso-8859-2' }],
      sharingProhibited: true,
      generic: { primaryFields: [field('member', 'Ann')], secondaryFields: [field('id', '7')] },
    },
    files: { 'thumbnail@2x.png': png(180, 180) },
  },
  boardingPass: {
    pass: {
      storeCard: undefined,
      boardingPass: {
        transitType: 'PKTransitTypeTrain',
        primaryFields: [field('from', 'PAR'), field('to', 'LYS')],
      },
    },
    files: { 'footer.png': png(286, 15) },
  },
  posterGeneric: {
    pass: {
      storeCard: undefined,
      posterGeneric: { primaryFields: [field('a', 1), field('b', 2)], footerFields: [field('c', 3)] },
      generic: { primaryFields: [field('a', 1)] },
    },
    files: { 'artwork@3x.png': png(1074, 1344), 'primaryLogo.png': png(126, 30) },
  },
};

describe('validatePkpass: good passes', () => {
  for (const [name, { pass, files = {} }] of Object.entries(good)) {
    it(`finds nothing in a ${name} signed by openssl`, () => {
      assert.deepEqual(validate(buildPass({ pass: passJson(pass), files, sign: signWithOpenssl })), []);
    });
  }

  it('finds nothing in a deflated archive, and one with data descriptors', () => {
    const zip = (flags: number) =>
      buildPass({ zip: (all) => all.map(([name, bytes]) => [name, bytes, { method: 8, flags }]) });
    assert.deepEqual(validate(zip(0)), []);
    assert.deepEqual(validate(zip(8)), []);
  });

  it('finds nothing in a SHA-1 signature, as the common libraries make it', () => {
    assert.deepEqual(validate(buildPass({ cms: { digest: 'sha1' } })), []);
  });

  it('finds nothing in a personalised NFC pass signed with an NFC certificate', () => {
    const signer = makeLeaf({ commonName: `Pass Type ID with NFC: ${passTypeIdentifier}` });
    const pass = passJson({ ...webService, nfc: { message: 'id', encryptionPublicKey: nfcKey() } });
    const bytes = buildPass({ pass, files: personalization(), cms: { leaf: signer } });
    assert.deepEqual(validate(bytes), []);
  });

  it('takes a compressed point as NFC key, as Apple writes it', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const point = spki.subarray(-64);
    const compressed = Buffer.concat([
      Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex'),
      Buffer.from([2 + ((point.at(-1) ?? 0) & 1)]),
      point.subarray(0, 32),
    ]);
    const nfc = { message: 'id', encryptionPublicKey: compressed.toString('base64') };
    assert.deepEqual(rulesOf(buildPass({ pass: passJson({ nfc }) })), ['certificate-not-nfc']);
  });

  it('finds nothing in a bundle of ten', () => {
    assert.deepEqual(validate(bundle(Array.from({ length: 10 }, (_, at) => memberOf(`serial-${at}`)))), []);
  });

  it('checks the chain only up to the intermediate when no root is given', () => {
    const bytes = buildPass();
    assert.deepEqual(validatePkpass(bytes, { now }), []);
    assert.deepEqual(validatePkpass(bytes, { root: null, now }), []);
    assert.deepEqual(
      validatePkpass(bytes, { root: leaf, now }).map(({ rule }) => rule),
      ['root-mismatch'],
    );
  });
});

describe('validatePkpass: passes of other programs', () => {
  it('accepts one of passkit-generator, whose signed attributes are unsorted', async () => {
    const pass = new PKPass(
      {
        'pass.json': jsonBytes(passJson()),
        'icon.png': png(29, 29),
        'icon@2x.png': png(58, 58),
        'icon@3x.png': png(87, 87),
      },
      { wwdr: wwdr.toString(), signerCert: leaf.toString(), signerKey: pem(leafKeys.privateKey) },
    );
    assert.deepEqual(rulesOf(pass.getAsBuffer()), ['signature-attribute-order']);
  });
});

// Typed by rule: a rule without a broken sample does not compile.
const broken: Record<RuleId, BrokenSample> = { ...brokenFiles, ...brokenSignature, ...brokenPassJson };

describe('validatePkpass: every rule', () => {
  for (const rule of Object.keys(rules) as RuleId[]) {
    const { bytes, also = [] } = broken[rule];
    it(`reports ${rule}`, () => {
      const findings = validate(bytes());
      const found = findings.filter((finding) => finding.rule === rule);
      assert.ok(found.length > 0, `expected ${rule} in ${JSON.stringify(findings)}`);
      assert.ok(found.every(({ level, message }) => level === rules[rule].level && /[.?]$/.test(message)));
      const others = new Set(findings.map((finding) => finding.rule).filter((other) => other !== rule));
      assert.deepEqual([...others].sort(), [...also].sort());
    });
  }
});

describe('validatePkpass: hostile archives', () => {
  it('does not inflate an entry beyond the size it declares', () => {
    const bomb = Buffer.alloc(50 * 1024 * 1024);
    const zip = buildPass({ zip: (all) => [...all, ['logo.png', bomb, { method: 8, size: 100 }]] });
    const started = process.memoryUsage().arrayBuffers;
    assert.ok(rulesOf(zip).includes('zip-corrupt'));
    assert.ok(process.memoryUsage().arrayBuffers - started < bomb.length / 2);
  });

  it('names every unsafe path', () => {
    const names = ['/etc/passwd', 'a/../../b', 'C:/x', 'a\\b', 'a//b', './a', 'a\u0000b'];
    for (const name of names) {
      const found = validate(buildPass({ zip: (all) => [...all, [name, Buffer.alloc(0)]] }));
      assert.deepEqual(
        found.map(({ rule, where }) => [rule, where]),
        [['zip-unsafe-path', name]],
        name,
      );
    }
  });

  it('stops recording when there are very many findings', () => {
    const pass = passJson(Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key${at}`, at])));
    assert.equal(validate(buildPass({ pass })).length, 1000);
  });

  it('gives findings for things that are no pass at all', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('PK'), Buffer.from('{}'), png(2, 2), leaf.raw]) {
      assert.deepEqual(rulesOf(bytes), ['zip-unreadable']);
    }
  });

  it('reads an empty archive as a pass without files', () => {
    const empty = Buffer.alloc(22);
    empty.write('PK\x05\x06', 'latin1');
    assert.deepEqual(rulesOf(empty), [
      'icon-missing',
      'manifest-missing',
      'pass-json-missing',
      'signature-missing',
    ]);
  });
});

describe('validatePkpass: where', () => {
  it('names the member of a bundle and the place inside it', () => {
    const member = buildPass({ pass: passJson({ voided: 1 }) });
    assert.deepEqual(validate(bundle([['a.pkpass', member]])), [
      {
        rule: 'key-type',
        level: 'error',
        message: 'The value must be true or false.',
        where: 'a.pkpass/pass.json: voided',
      },
    ]);
  });

  it('distinguishes a changed manifest from a changed file', () => {
    const changed = buildPass({ sign: () => signCms(Buffer.from('{}')) });
    assert.deepEqual(rulesOf(changed), ['signature-digest-mismatch']);
  });
});

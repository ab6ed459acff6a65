import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Asn1,
  asn1Children,
  asn1Tag,
  readAsn1,
} from '../../src/wallet/apple/certificates/asn1-reader.ts';
import {
  leaf,
  leafKeys,
  makeLeaf,
  makeRoot,
  makeWwdr,
  root,
  signCms,
  signWithOpenssl,
  tlv,
} from '../../src/wallet/apple/certificates/signing.fixture.ts';
import { bundle, memberOf } from './broken-files.fixture.ts';
import { buildPass, jsonBytes, passJson, pdf, png } from './pkpass-sample.fixture.ts';
import { validatePkpass } from './validate-pkpass.ts';

/** What other tools write that is legal, and what their mistakes are called. */

// Judged by the clock of this moment: other tools sign by theirs, perhaps long after this file was loaded.
function findings(bytes: Buffer, given = root): string[] {
  return validatePkpass(bytes, { root: given, now: new Date() }).map(
    ({ rule, message }) => `${rule}: ${message}`,
  );
}

/** The element with an indefinite length, its members by `write`. */
function indefinite(element: Asn1, write: (member: Asn1, at: number) => Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([element.tag, 0x80]),
    ...asn1Children(element).map(write),
    Buffer.alloc(2),
  ]);
}

const raw = ({ raw: bytes }: Asn1): Buffer => bytes;

/** A signature in BER, as a tool that streams writes it; `attributes` writes the signed ones. */
function inBer(signature: Buffer, attributes: (element: Asn1) => Buffer = raw): Buffer {
  const signer = (element: Asn1) =>
    indefinite(element, (member) =>
      member.tag === asn1Tag.context0 ? attributes(member) : inPieces(member),
    );
  const signedData = (element: Asn1) =>
    indefinite(element, (member, at) => {
      if (at === 4) return indefinite(member, signer);
      return member.tag === asn1Tag.integer ? member.raw : indefinite(member, raw);
    });
  return indefinite(readAsn1(signature), (member, at) =>
    at === 0 ? member.raw : indefinite(member, signedData),
  );
}

/** The signature's OCTET STRING in two pieces. */
function inPieces(element: Asn1): Buffer {
  if (element.tag !== asn1Tag.octetString) return element.raw;
  const pieces = [element.body.subarray(0, 100), element.body.subarray(100)];
  return Buffer.concat([
    Buffer.from([0x24, 0x80]),
    ...pieces.map((piece) => tlv(0x04, piece)),
    Buffer.alloc(2),
  ]);
}

describe('signatures of other tools', () => {
  it('are read in BER, and checked as those in DER are', () => {
    assert.deepEqual(findings(buildPass({ sign: (manifest) => inBer(signCms(manifest)) })), []);
    assert.deepEqual(findings(buildPass({ sign: () => inBer(signCms(Buffer.from('{}'))) })), [
      'signature-digest-mismatch: The signature is for another manifest.json: it was changed after signing.',
    ]);
    const other = makeLeaf({ unit: 'OTHERTEAM1' });
    assert.deepEqual(findings(buildPass({ sign: (manifest) => inBer(signCms(manifest, { leaf: other })) })), [
      'certificate-team: The certificate belongs to team OTHERTEAM1, the pass to TEAM123456.',
    ]);
  });

  it('verify over the DER of signed attributes that are encoded in BER', () => {
    const sign = (manifest: Buffer) => inBer(signCms(manifest), (element) => indefinite(element, raw));
    assert.deepEqual(findings(buildPass({ sign })), [
      'signature-attribute-order: The signed attributes are in BER; RFC 5652 wants DER.',
    ]);
  });

  it('may name the signer by key identifier, which hides no other fault', () => {
    const named =
      'signature-key-identifier: The signer is named by key identifier; name it by issuer and serial number, as Apple does.';
    assert.deepEqual(findings(buildPass({ sign: (manifest) => signWithOpenssl(manifest, ['-keyid']) })), [
      named,
    ]);
    assert.deepEqual(
      findings(buildPass({ cms: { version: 3, byKey: true, leaf: makeLeaf({ extensionPassType: null }) } })),
      [
        named,
        'certificate-pass-type: The certificate has no pass type in its extension 1.2.840.113635.100.6.1.16; the pass is pass.com.example.validator.',
      ],
    );
    assert.deepEqual(findings(buildPass({ cms: { byKey: true } })), [
      'signature-version: Versions are 1, 1; a signer named by key identifier needs 3.',
    ]);
  });

  it('that are text are called so', () => {
    const wrap = (bytes: Buffer) => `-----BEGIN CMS-----\n${bytes.toString('base64')}\n-----END CMS-----\n`;
    for (const text of [wrap, (bytes: Buffer) => bytes.toString('base64')]) {
      assert.deepEqual(findings(buildPass({ sign: (manifest) => Buffer.from(text(signCms(manifest))) })), [
        'signature-unreadable: The signature is no CMS SignedData: it is text: write the DER, not PEM or base64.',
      ]);
    }
  });

  it('nested without end are refused, not followed', () => {
    const deep = Array.from({ length: 5000 }).reduce<Buffer>((inner) => tlv(0xa0, inner), Buffer.alloc(0));
    const found = findings(buildPass({ sign: (manifest) => inBer(signCms(manifest), () => deep) }));
    assert.match(found.join(), /^signature-unreadable: /);
  });
});

describe('messages name what differs', () => {
  it('for each place of the pass type', () => {
    assert.deepEqual(findings(buildPass({ cms: { leaf: makeLeaf({ userId: 'pass.com.example.other' }) } })), [
      'certificate-pass-type: The certificate names pass.com.example.other in its user ID; the pass is pass.com.example.validator.',
    ]);
  });

  it('where issuer and embedded certificate have one name and two keys', () => {
    const g4 = makeWwdr({ keys: leafKeys });
    const name = '"Apple Worldwide Developer Relations Certification Authority (G4)"';
    assert.deepEqual(findings(buildPass({ cms: { certificates: [leaf.raw, g4.raw] } })), [
      `intermediate-mismatch: The certificate names ${name} as its issuer, but the key of the embedded one did not sign it.`,
    ]);
    assert.deepEqual(findings(buildPass(), makeRoot({ keys: leafKeys })), [
      'root-mismatch: The intermediate names "Test Root" as its issuer, but that root\'s key did not sign it.',
    ]);
  });

  it('for a digest that is missing, unknown or not listed, and a time that cannot be read', () => {
    const attributes = (change: (list: Buffer[]) => Buffer[]) =>
      findings(buildPass({ cms: { attributes: change } }));
    assert.deepEqual(
      attributes(([type, time]) => [type, time].filter((one) => one !== undefined)),
      [
        'signature-digest-mismatch: The signed attribute messageDigest is missing: nothing ties the signature to manifest.json.',
      ],
    );
    const [message] = findings(buildPass({ cms: { announced: 'sha1' } }));
    assert.equal(
      message,
      "signature-digest-algorithm: The signer's digest 2.16.840.1.101.3.4.2.1 is not among the digests that SignedData lists.",
    );
  });
});

describe('files of other tools', () => {
  it('may begin with a byte order mark', () => {
    const mark = Buffer.from('\uFEFF');
    const marked = (bytes: Buffer) => Buffer.concat([mark, bytes]);
    const pass = passJson();
    assert.deepEqual(
      findings(buildPass({ pass: marked(jsonBytes(pass)), manifest: (json) => marked(jsonBytes(json)) })),
      [
        'json-byte-order-mark: The file begins with a byte order mark; write it without.',
        'json-byte-order-mark: The file begins with a byte order mark; write it without.',
      ],
    );
  });

  it('in UTF-16 are read on, so that further faults show', () => {
    const wide = Buffer.from(`\uFEFF${JSON.stringify(passJson({ formatVersion: 2 }))}`, 'utf16le');
    assert.deepEqual(findings(buildPass({ pass: wide })), [
      'json-encoding: The file is UTF-16; write UTF-8.',
      'format-version: formatVersion must be the number 1.',
    ]);
  });

  it('before and after an archive are counted, and what is in it is checked', () => {
    const archive = buildPass({ pass: passJson({ formatVersion: 2 }) });
    const version = 'format-version: formatVersion must be the number 1.';
    const before = Buffer.from('<br />\n');
    const after = Buffer.from('\r\n');
    assert.deepEqual(findings(Buffer.concat([before, archive])), [
      'zip-unreadable: 7 bytes stand before the archive; write the archive alone.',
      version,
    ]);
    assert.deepEqual(findings(Buffer.concat([archive, after.subarray(1)])), [
      'zip-unreadable: 1 byte stands after the archive; write the archive alone.',
      version,
    ]);
    assert.deepEqual(findings(Buffer.concat([before, archive, after])), [
      'zip-unreadable: 2 bytes stand after the archive; write the archive alone.',
      'zip-unreadable: 7 bytes stand before the archive; write the archive alone.',
      version,
    ]);
    const doubled = findings(Buffer.concat([archive, archive]));
    assert.equal(
      doubled[0],
      `zip-unreadable: ${archive.length} bytes stand before the archive; write the archive alone.`,
    );
  });

  it('in a bundle are passes in any letter case', () => {
    const [, member] = memberOf('a');
    assert.deepEqual(findings(bundle([['A.PKPASS', member], memberOf('b')])), []);
    assert.deepEqual(findings(bundle([['A.PkPass', member]])), []);
  });

  it('may be translated by bare words and property lists', () => {
    const translated = (text: string) =>
      findings(buildPass({ files: { 'fr.lproj/pass.strings': Buffer.from(text) } }));
    assert.deepEqual(translated('"Example card" = Carte;'), []);
    assert.deepEqual(
      translated('<plist version="1.0"><dict><key>Example card</key><string>Carte</string></dict></plist>'),
      [],
    );
    assert.deepEqual(
      translated('<plist version="1.0"><dict><key>Other</key><string>Autre</string></dict></plist>'),
      ['strings-unused: pass.json has no text "Other".'],
    );
  });
});

describe('keys and images of iOS 27', () => {
  it('are known', () => {
    const action = { identifier: 'top-up', type: 'addToBalance', url: 'https://example.com/top-up' };
    const pass = passJson({
      logoSymbolName: 'cup.and.saucer.fill',
      featuredActions: [action, { identifier: 'shop', type: 'place', placeIdentifier: 'I7C250D2CDCB364A' }],
      posterGeneric: { primaryFields: [{ key: 'name', value: 'Ann' }] },
    });
    const files = {
      'logo.png': png(160, 50),
      'logo.pdf': pdf,
      'background.png': png(345, 505),
      'artwork.png': png(358, 448),
    };
    assert.deepEqual(findings(buildPass({ pass, files })), []);
  });

  it('are checked', () => {
    const action = { identifier: 'x', type: 'dance', url: 'https://example.com' };
    assert.deepEqual(
      findings(
        buildPass({
          pass: passJson({
            featuredActions: [action, { type: 'call' }, { identifier: 'y', type: 'call', url: 'tel:+1' }],
          }),
        }),
      ).map((text) => text.split('.')[0]),
      [
        'featured-action: 3 actions; Wallet shows 2',
        'featured-action: "dance" is not one of addToBalance, bookAppointment, bookCar, bookFlight, bookStay, call, listenToMusic, membershipBenefits, order, place, shop, viewMembership, viewOffersRewards, viewSchedule, watchTrailer',
        'featured-action: The action needs identifier, type and url',
      ],
    );
    assert.deepEqual(
      findings(buildPass({ files: { 'logo.png': png(160, 50), 'logo.pdf': pdf.subarray(0, 20) } })),
      ['image-invalid: The file is not a complete PDF; other image formats must be converted.'],
    );
  });
});

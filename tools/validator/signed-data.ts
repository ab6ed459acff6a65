import {
  type Asn1,
  Asn1Error,
  asn1Children,
  asn1Der,
  asn1Expect,
  asn1Octets,
  asn1Oid,
  asn1SmallInteger,
  asn1Tag,
  readAsn1,
} from '../../src/wallet/apple/certificates/asn1-reader.ts';

/** A CMS SignedData (RFC 5652 §5) as far as a pass's signature uses it. */
export interface SignedData {
  readonly version: number;
  readonly digestAlgorithms: readonly string[];
  readonly contentType: string;
  readonly detached: boolean;
  /** DER of each embedded certificate. */
  readonly certificates: readonly Buffer[];
  readonly signers: readonly SignerInfo[];
}

export interface SignerInfo {
  readonly version: number;
  /** The signer is named either by issuer and serial number or by the key identifier of its certificate. */
  readonly issuerDer: Buffer | null;
  readonly serial: Buffer | null;
  readonly keyIdentifier: Buffer | null;
  readonly digestAlgorithm: string;
  /** null when there are no signed attributes. */
  readonly attributes: readonly SignedAttribute[] | null;
  readonly attributesInDer: boolean;
  /** The bytes that the signature is over: the DER of the attributes, tagged as SET (RFC 5652 §5.4). */
  readonly signedBytes: Buffer | null;
  readonly signatureAlgorithm: string;
  readonly signature: Buffer;
}

export interface SignedAttribute {
  readonly oid: string;
  readonly values: readonly Asn1[];
  readonly encoded: Buffer;
}

/**
 * Reads a CMS ContentInfo with SignedData, in DER or BER: RFC 5652 §5.1 asks for DER of the signed attributes alone. Throws
 * Asn1Error when it is something else.
 */
export function readSignedData(bytes: Buffer): SignedData {
  const [type, wrapper] = asn1Children(
    asn1Expect(readAsn1(bytes, { ber: true }), asn1Tag.sequence, 'ContentInfo'),
  );
  const oid = asn1Oid(type);
  if (oid !== '1.2.840.113549.1.7.2') throw new Asn1Error(`the content is ${oid}, not SignedData`);
  const [signedData] = asn1Children(asn1Expect(wrapper, asn1Tag.context0, 'content'));
  const parts = asn1Children(asn1Expect(signedData, asn1Tag.sequence, 'SignedData'));
  const [version, digests, content] = parts;
  const rest = parts.slice(3);
  const certificates = rest.find((part) => part.tag === asn1Tag.context0);
  const signers = asn1Expect(rest.at(-1), asn1Tag.set, 'SignerInfos');
  const [contentType, embedded] = asn1Children(asn1Expect(content, asn1Tag.sequence, 'content info'));
  return {
    version: asn1SmallInteger(version),
    digestAlgorithms: asn1Children(asn1Expect(digests, asn1Tag.set, 'digest algorithms')).map(algorithm),
    contentType: asn1Oid(contentType),
    detached: embedded === undefined,
    certificates: certificates ? asn1Children(certificates).map(({ raw }) => raw) : [],
    signers: asn1Children(signers).map(readSigner),
  };
}

// SubjectKeyIdentifier, [0] IMPLICIT.
const keyIdentifierTag = 0x80;

function readSigner(signer: Asn1): SignerInfo {
  const [version, identifier, digest, ...rest] = asn1Children(
    asn1Expect(signer, asn1Tag.sequence, 'SignerInfo'),
  );
  const attributes = rest[0]?.tag === asn1Tag.context0 ? rest.shift() : undefined;
  const [signatureAlgorithm, signature] = rest;
  const named = identifier?.tag === asn1Tag.sequence ? asn1Children(identifier) : null;
  const encoded = attributes ? asn1Der(attributes) : null;
  return {
    version: asn1SmallInteger(version),
    issuerDer: named ? asn1Der(asn1Expect(named[0], asn1Tag.sequence, 'issuer')) : null,
    serial: named ? asn1Expect(named[1], asn1Tag.integer, 'serial number').body : null,
    keyIdentifier: identifier?.tag === keyIdentifierTag ? identifier.body : null,
    digestAlgorithm: algorithm(asn1Expect(digest, asn1Tag.sequence, 'digest algorithm')),
    attributes: attributes ? asn1Children(attributes).map(readAttribute) : null,
    attributesInDer: encoded !== null && attributes !== undefined && encoded.equals(attributes.raw),
    signedBytes: encoded ? Buffer.concat([Buffer.from([asn1Tag.set]), encoded.subarray(1)]) : null,
    signatureAlgorithm: algorithm(asn1Expect(signatureAlgorithm, asn1Tag.sequence, 'signature algorithm')),
    signature: asn1Octets(signature),
  };
}

function readAttribute(attribute: Asn1): SignedAttribute {
  const [type, values] = asn1Children(asn1Expect(attribute, asn1Tag.sequence, 'attribute'));
  const set = asn1Expect(values, asn1Tag.set, 'attribute values');
  return { oid: asn1Oid(type), values: asn1Children(set), encoded: asn1Der(attribute) };
}

function algorithm(identifier: Asn1): string {
  return asn1Oid(asn1Children(identifier)[0]);
}

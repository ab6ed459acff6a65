import { der } from '../der.ts';

/** Identifier octets of the ASN.1 elements that certificates and CMS use. */
export const asn1Tag = {
  boolean: 0x01,
  integer: 0x02,
  octetString: 0x04,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
  context1: 0xa1,
  context3: 0xa3,
} as const;

/** One ASN.1 element. `raw` is its whole encoding, `body` its contents; both are views of the input. */
export interface Asn1 {
  readonly tag: number;
  readonly body: Buffer;
  readonly raw: Buffer;
  readonly ber: boolean;
}

/** The bytes are not the ASN.1 structure that was expected; the message says where they differ. */
export class Asn1Error extends Error {
  override readonly name = 'Asn1Error';
}

/**
 * Reads bytes that hold exactly one element. Strict DER (X.690 §10.1: definite, shortest lengths) unless `ber`
 * allows indefinite and padded lengths, which some PKCS#12 writers use. Throws Asn1Error.
 */
export function readAsn1(bytes: Buffer, options: { ber?: boolean } = {}): Asn1 {
  const element = elementAt(bytes, 0, options.ber === true, 0);
  if (element.raw.length !== bytes.length) {
    throw new Asn1Error(`${bytes.length - element.raw.length} bytes follow the end of the structure`);
  }
  return element;
}

/**
 * The element with definite, shortest lengths and strings in one piece all through, as DER writes it (X.690 §10). The members
 * of a SET keep their order. Throws Asn1Error when it is damaged.
 */
export function asn1Der(element: Asn1, depth = 0): Buffer {
  if (!element.ber) return element.raw;
  if (depth > maxDepth) throw new Asn1Error('the structure is nested too deeply');
  if (element.tag === constructedOctets) return der(asn1Tag.octetString, asn1Octets(element, depth));
  if ((element.tag & 0x20) === 0) return der(element.tag, element.body);
  return der(element.tag, ...asn1Children(element).map((child) => asn1Der(child, depth + 1)));
}

/** The elements inside a constructed element, in order. Throws Asn1Error when it is primitive or damaged. */
export function asn1Children(parent: Asn1): Asn1[] {
  if ((parent.tag & 0x20) === 0) throw new Asn1Error(`element ${hex(parent.tag)} has no inner structure`);
  const children: Asn1[] = [];
  for (let offset = 0; offset < parent.body.length; ) {
    const child = elementAt(parent.body, offset, parent.ber, 0);
    children.push(child);
    offset += child.raw.length;
  }
  return children;
}

/** The element itself when it is there and has the tag; otherwise Asn1Error naming `what` is missing. */
export function asn1Expect(element: Asn1 | undefined, tag: number, what: string): Asn1 {
  if (!element) throw new Asn1Error(`${what} is missing`);
  if (element.tag !== tag) throw new Asn1Error(`${what} has tag ${hex(element.tag)} instead of ${hex(tag)}`);
  return element;
}

/** Dotted form of an OBJECT IDENTIFIER. */
export function asn1Oid(element: Asn1 | undefined): string {
  const { body } = asn1Expect(element, asn1Tag.oid, 'object identifier');
  if (body.length === 0 || ((body.at(-1) ?? 0) & 0x80) !== 0) throw new Asn1Error('object identifier is cut');
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of body) {
    arc = arc * 128 + (byte & 0x7f);
    if ((byte & 0x80) !== 0) continue;
    if (arcs.length === 0) arcs.push(Math.min(Math.floor(arc / 40), 2));
    arcs.push(arcs.length === 1 ? arc - (arcs[0] ?? 0) * 40 : arc);
    arc = 0;
  }
  return arcs.join('.');
}

/** Contents of an OCTET STRING; the pieces of a BER constructed one are joined. */
export function asn1Octets(element: Asn1 | undefined, depth = 0): Buffer {
  if (depth > maxDepth) throw new Asn1Error('the structure is nested too deeply');
  if (element?.ber && element.tag === constructedOctets) {
    return Buffer.concat(asn1Children(element).map((piece) => asn1Octets(piece, depth + 1)));
  }
  return asn1Expect(element, asn1Tag.octetString, 'octet string').body;
}

/** A non-negative INTEGER below 2^47. */
export function asn1SmallInteger(element: Asn1 | undefined): number {
  const { body } = asn1Expect(element, asn1Tag.integer, 'integer');
  if (body.length === 0 || body.length > 6 || (body[0] ?? 0) > 0x7f) {
    throw new Asn1Error('integer is out of range');
  }
  return body.readUIntBE(0, body.length);
}

/** The text of any ASN.1 string type; null for other elements. */
export function asn1Text(element: Asn1): string | null {
  if (element.tag === 0x0c) return element.body.toString('utf8');
  if (element.tag === 0x13 || element.tag === 0x14 || element.tag === 0x16) {
    return element.body.toString('latin1');
  }
  if (element.tag !== 0x1e || element.body.length % 2 !== 0) return null;
  return Buffer.from(element.body).swap16().toString('utf16le');
}

/** A UTCTime or GeneralizedTime in the DER form (seconds, `Z`) as RFC 5280 §4.1.2.5 reads it. */
export function asn1Time(element: Asn1): Date {
  const text = element.body.toString('latin1');
  const short = element.tag === 0x17 && /^\d{12}Z$/.test(text);
  if (!short && !(element.tag === 0x18 && /^\d{14}Z$/.test(text))) {
    throw new Asn1Error(`"${text}" is not a UTC time with seconds`);
  }
  const full = short ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text;
  const iso = full.replace(/^(....)(..)(..)(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) throw new Asn1Error(`"${text}" is not a date`);
  return date;
}

// An OCTET STRING in pieces, which BER allows.
const constructedOctets = 0x24;

// Deeper structures than this occur in no certificate; the limit keeps hostile input off the stack.
const maxDepth = 32;

function elementAt(bytes: Buffer, start: number, ber: boolean, depth: number): Asn1 {
  const tag = bytes[start];
  const first = bytes[start + 1];
  if (tag === undefined || first === undefined) throw new Asn1Error('the structure is cut short');
  if ((tag & 0x1f) === 0x1f) throw new Asn1Error('tags above 30 are not used here');
  if (ber && first === 0x80 && (tag & 0x20) !== 0) return indefiniteAt(bytes, start, depth);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || lengthBytes > 4) throw new Asn1Error('an element has an indefinite or huge length');
  const head = start + 2 + lengthBytes;
  if (head > bytes.length) throw new Asn1Error('the structure is cut short');
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(start + 2, lengthBytes);
  if (!ber && lengthBytes > 0 && (length < 0x80 || bytes[start + 2] === 0)) {
    throw new Asn1Error('a length is not in its shortest form, as DER demands');
  }
  if (head + length > bytes.length) throw new Asn1Error('the structure is cut short');
  return { tag, body: bytes.subarray(head, head + length), raw: bytes.subarray(start, head + length), ber };
}

function indefiniteAt(bytes: Buffer, start: number, depth: number): Asn1 {
  if (depth > maxDepth) throw new Asn1Error('the structure is nested too deeply');
  let offset = start + 2;
  while (bytes[offset] !== 0 || bytes[offset + 1] !== 0) {
    offset += elementAt(bytes, offset, true, depth + 1).raw.length;
  }
  const tag = bytes[start] ?? 0;
  return { tag, body: bytes.subarray(start + 2, offset), raw: bytes.subarray(start, offset + 2), ber: true };
}

function hex(tag: number): string {
  return `0x${tag.toString(16).padStart(2, '0')}`;
}

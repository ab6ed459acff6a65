/** The tags used here. X.690 8.1.2; context tags are constructed. */
export const TAG = {
  integer: 0x02,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
} as const;

/** One DER element: tag, definite length, contents. X.690 8.1.3 and 10.1. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const length = contents.reduce((total, part) => total + part.length, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthOctets(length)]), ...contents]);
}

/** An object identifier given in dotted form. X.690 8.19. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(TAG.objectIdentifier, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** A SET OF (or, with another tag, an implicitly tagged one): DER wants the encodings sorted. X.690 11.6. */
export function setOf(elements: readonly Uint8Array[], tag: number = TAG.set): Buffer {
  return der(tag, ...elements.toSorted(Buffer.compare));
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length];
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) octets.unshift(rest & 0xff);
  return [0x80 | octets.length, ...octets];
}

function base128(arc: number): number[] {
  const octets = [arc & 0x7f];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) {
    octets.unshift(0x80 | (rest & 0x7f));
  }
  return octets;
}

/**
 * Decrypts RC2 in CBC mode (RFC 2268) with all bits of the key effective, as PKCS#12 uses it. Null when the padding is
 * wrong. There is no encryption: the cipher is broken, but Keychain and OpenSSL 1 have written files with it.
 */
export function decryptRc2(key: Buffer, iv: Buffer, encrypted: Buffer): Buffer | null {
  if (encrypted.length === 0 || encrypted.length % 8 !== 0) return null;
  const words = expandKey(key);
  const plain = Buffer.alloc(encrypted.length);
  let before = iv;
  for (let at = 0; at < encrypted.length; at += 8) {
    const block = encrypted.subarray(at, at + 8);
    decryptBlock(words, block).forEach((word, index) => {
      plain.writeUInt16LE(word ^ before.readUInt16LE(index * 2), at + index * 2);
    });
    before = block;
  }
  const padding = plain.at(-1) ?? 0;
  const isPadded = padding >= 1 && padding <= 8 && plain.subarray(-padding).every((byte) => byte === padding);
  return isPadded ? plain.subarray(0, -padding) : null;
}

/** The 64 words of RFC 2268 §2. */
function expandKey(key: Buffer): Uint16Array {
  const bytes = Buffer.alloc(128);
  const first = 128 - key.length;
  const byte = (at: number): number => bytes[at] ?? 0;
  key.copy(bytes);
  for (let at = key.length; at < 128; at++) bytes[at] = pi(byte(at - 1) + byte(at - key.length));
  bytes[first] = pi(byte(first));
  for (let at = first - 1; at >= 0; at--) bytes[at] = pi(byte(at + 1) ^ byte(at + key.length));
  return Uint16Array.from({ length: 64 }, (_, index) => bytes.readUInt16LE(index * 2));
}

/** RFC 2268 §4: sixteen mixing rounds, backwards, with a mashing round after the fifth and the eleventh. */
function decryptBlock(words: Uint16Array, block: Buffer): Uint16Array {
  const r = Uint16Array.from({ length: 4 }, (_, index) => block.readUInt16LE(index * 2));
  const at = (index: number): number => r[index & 3] ?? 0;
  const word = (index: number): number => words[index] ?? 0;
  for (let round = 15; round >= 0; round--) {
    for (let i = 3; i >= 0; i--) {
      const shift = shifts[i] ?? 0;
      const rotated = (at(i) >>> shift) | (at(i) << (16 - shift));
      r[i] = rotated - word(round * 4 + i) - (at(i + 3) & at(i + 2)) - (~at(i + 3) & at(i + 1));
    }
    if (round === 11 || round === 5) for (let i = 3; i >= 0; i--) r[i] = at(i) - word(at(i + 3) & 63);
  }
  return r;
}

const shifts = [1, 2, 3, 5];

function pi(index: number): number {
  return piTable[index & 0xff] ?? 0;
}

/** The table of RFC 2268 §2, made of the digits of pi. */
const piTable = Buffer.from(
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2179a59f587b34f1361456d8d09817d32' +
    'bd8f40eb86b77b0bf09521225c6b4e8254d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed708e8eade8052eef784aa72ac354d6a2a' +
    '961ad2715a1549744b9fd05e0418a4ecc2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a90d38341bab33ffb0bb480c5fb9b1cd2e' +
    'c5f3db47e5a59c770aa62068fe7fc1ad',
  'hex',
);

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decodeBase32,
  decodeId,
  encodeBase32,
  encodeId,
  newUuidV7,
  uuidBytes,
  uuidFromBytes,
} from './ids.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timeOf = (uuid: string) => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);

/** Test vectors of the TypeID specification 0.3. */
const VECTORS = [
  ['00000000000000000000000000', '00000000-0000-0000-0000-000000000000'],
  ['00000000000000000000000001', '00000000-0000-0000-0000-000000000001'],
  ['0000000000000000000000000a', '00000000-0000-0000-0000-00000000000a'],
  ['0000000000000000000000000g', '00000000-0000-0000-0000-000000000010'],
  ['00000000000000000000000010', '00000000-0000-0000-0000-000000000020'],
  ['7zzzzzzzzzzzzzzzzzzzzzzzzz', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ['0123456789abcdefghjkmnpqrs', '0110c853-1d09-52d8-d73e-1194e95b5f19'],
  ['01h455vb4pex5vsknk084sn02q', '01890a5d-ac96-774b-bcce-b302099a8057'],
] as const;

test('a UUID v7 carries its time, version and variant', () => {
  const now = Date.now() + 1000;
  const uuid = newUuidV7(now);
  assert.match(uuid, UUID_V7);
  assert.equal(timeOf(uuid), now);
  assert.match(newUuidV7(), UUID_V7);
});

test('ids grow within one ms, also when there are more than the counter holds, and when the clock steps back a little', () => {
  const now = Date.now() + 2000;
  const ids = Array.from({ length: 10_000 }, () => newUuidV7(now));
  ids.push(newUuidV7(now - 59_000), newUuidV7(now), newUuidV7(now + 1000), newUuidV7(now));
  for (const [index, id] of ids.entries()) {
    assert.match(id, UUID_V7);
    if (index > 0) assert.ok(id > (ids[index - 1] ?? ''), `${id} is not greater than ${ids[index - 1]}`);
  }
  assert.ok(timeOf(ids[9_999] ?? '') <= now + 5, 'ten thousand ids run at most 5 ms ahead');
});

test('ids follow a clock that was set back by more than a minute, and grow again from there', () => {
  const wrong = Date.now() + 401 * 86_400_000;
  const right = wrong - 60_100;
  const ahead = newUuidV7(wrong);
  const [first = '', second = ''] = [newUuidV7(right), newUuidV7(right)];
  assert.equal(timeOf(ahead), wrong);
  assert.equal(timeOf(first), right);
  assert.ok(second > first);
  assert.equal(timeOf(newUuidV7(0)), 0);
});

test('100,000 ids are unique in their random part alone', () => {
  const ids = Array.from({ length: 100_000 }, () => newUuidV7().slice(19));
  assert.equal(new Set(ids).size, ids.length);
});

test('what is not a time is refused', () => {
  for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 48]) {
    assert.throws(() => newUuidV7(wrong), RangeError, String(wrong));
  }
});

test('ids are encoded and decoded as the TypeID specification has it', () => {
  for (const [suffix, uuid] of VECTORS) {
    assert.equal(encodeId('prefix', uuid), `prefix_${suffix}`);
    assert.equal(encodeId('prefix', uuid.toUpperCase()), `prefix_${suffix}`);
    assert.equal(decodeId('prefix', `prefix_${suffix}`), uuid);
    assert.equal(encodeBase32(uuidBytes(uuid)), suffix);
  }
});

test('every UUID survives the way there and back, and ids sort like their UUIDs', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, two) => {
      assert.equal(decodeId('a_b', encodeId('a_b', one)), one);
      assert.equal(uuidFromBytes(uuidBytes(one)), one);
      assert.equal(encodeId('x', one) < encodeId('x', two), one < two);
    }),
  );
});

test('only the canonical form is decoded', () => {
  const id = 'user_01h455vb4pex5vsknk084sn02q';
  assert.notEqual(decodeId('user', id), null);
  const wrong = [
    '',
    'user',
    'user_',
    id.slice(0, -1),
    `${id}0`,
    ` ${id}`,
    `${id}\n`,
    id.toUpperCase(),
    'user_01H455VB4PEX5VSKNK084SN02Q',
    'User_01h455vb4pex5vsknk084sn02q',
    'user-01h455vb4pex5vsknk084sn02q',
    'usex_01h455vb4pex5vsknk084sn02q',
    'user_81h455vb4pex5vsknk084sn02q',
    'user_z1h455vb4pex5vsknk084sn02q',
    'user_01h455vb4pex5vsknk084sn02i',
    'user_01h455vb4pex5vsknk084sn02l',
    'user_01h455vb4pex5vsknk084sn02o',
    'user_01h455vb4pex5vsknk084sn02u',
    'user_01h455vb4pex5vsknk084sn02-',
    'user_01h455vb4pex5vsknk084sn02é',
    'user_01h455vb4pex5vsknk084sn02字',
    'user_\u000001h455vb4pex5vsknk084sn02',
  ];
  for (const text of wrong) assert.equal(decodeId('user', text), null, JSON.stringify(text));
  assert.equal(decodeId('use', id), null);
  assert.equal(decodeId('user_', id), null);
  fc.assert(
    fc.property(fc.string(), (text) => {
      const uuid = decodeId('', `_${text}`);
      if (uuid !== null) assert.equal(encodeId('', uuid), `_${text}`);
    }),
  );
});

test('what is not a UUID is a TypeError', () => {
  const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
  const wrong = [
    '',
    uuid.slice(1),
    `${uuid}0`,
    uuid.replaceAll('-', ''),
    `g${uuid.slice(1)}`,
    uuid.replace('-', '0'),
    `é${uuid.slice(1)}`,
  ];
  for (const text of wrong) {
    assert.throws(() => encodeId('x', text), TypeError, text);
    assert.throws(() => uuidBytes(text), TypeError, text);
  }
  assert.throws(() => uuidFromBytes(new Uint8Array(15)), /has 16 bytes, not 15/);
});

test('base32 of any length is the number in base 32', () => {
  assert.equal(encodeBase32(new Uint8Array()), '');
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), (bytes) => {
      const number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
      const digits = [...number.toString(32)].map(
        (digit) => '0123456789abcdefghjkmnpqrstvwxyz'[Number.parseInt(digit, 32)],
      );
      assert.equal(encodeBase32(bytes), digits.join('').padStart(Math.ceil((bytes.length * 8) / 5), '0'));
    }),
  );
});

test('base32 comes back as the bytes that it was made of, and from no other text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      assert.deepEqual(decodeBase32(encodeBase32(bytes)), bytes);
    }),
  );
  const text = encodeBase32(new Uint8Array(32).fill(255));
  const wrong = [
    text.slice(1),
    text.toUpperCase(),
    text.replace('z', 'o'),
    text.replace('z', 'é'),
    text.replace('z', '字'),
    // A bit more than fits into 32 bytes.
    text.replace('1', '2'),
  ];
  for (const other of wrong) assert.equal(decodeBase32(other), null, other);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123zZo') }), (other) => {
      const bytes = decodeBase32(other);
      if (bytes !== null) assert.equal(encodeBase32(bytes), other);
    }),
  );
});

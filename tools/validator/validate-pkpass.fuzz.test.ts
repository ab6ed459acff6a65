import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { now, root, signCms } from '../../src/wallet/apple/certificates/signing.fixture.ts';
import { bundle, memberOf } from './broken-files.fixture.ts';
import { passKeys } from './pass-keys.ts';
import { buildPass, type Json, passJson, png } from './pkpass-sample.fixture.ts';
import { validatePkpass } from './validate-pkpass.ts';
import { type PkpassFinding, rules } from './validate-rules.ts';

function validate(bytes: Buffer): PkpassFinding[] {
  const findings = validatePkpass(bytes, { root, now });
  for (const { rule, level } of findings) assert.equal(level, rules[rule].level);
  return findings;
}

const strings = Buffer.from('/* c */ "Example card" = "Carte \\"A\\"";\n');
const stored = buildPass({ files: { 'logo.png': png(8, 8), 'fr.lproj/pass.strings': strings } });
const deflated = buildPass({
  zip: (all) => all.map(([name, bytes]) => [name, bytes, { method: 8, flags: 8 }]),
});
const samples = [stored, deflated, bundle([memberOf('a'), memberOf('b')])];

type Mutation = (bytes: Buffer) => Buffer;

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const offset = (bytes: Buffer, at: number): number => Math.floor(at * (bytes.length + 1));

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(([at, mask]): Mutation => {
    return (bytes) => {
      const copy = Buffer.from(bytes);
      const index = Math.min(offset(bytes, at), bytes.length - 1);
      if (index >= 0) copy[index] = (copy[index] ?? 0) ^ mask;
      return copy;
    };
  }),
  place.map(
    (at): Mutation =>
      (bytes) =>
        bytes.subarray(0, offset(bytes, at)),
  ),
  fc.tuple(place, fc.uint8Array({ maxLength: 40 })).map(([at, more]): Mutation => {
    return (bytes) =>
      Buffer.concat([bytes.subarray(0, offset(bytes, at)), more, bytes.subarray(offset(bytes, at))]);
  }),
  fc.tuple(place, place, fc.nat({ max: 300 })).map(([from, to, length]): Mutation => {
    return (bytes) => {
      const copy = Buffer.from(bytes);
      const start = offset(bytes, from);
      bytes.copy(
        copy,
        Math.min(offset(bytes, to), bytes.length),
        start,
        Math.min(start + length, bytes.length),
      );
      return copy;
    };
  }),
);

const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 }).map((list): Mutation => {
  return (bytes) => list.reduce((result, mutate) => mutate(result), bytes);
});

describe('validatePkpass: mutated input never throws', () => {
  it('anywhere in the archive', () => {
    fc.assert(
      fc.property(fc.constantFrom(...samples), mutations, (sample, mutate) => {
        validate(mutate(sample));
      }),
      { numRuns: 600 },
    );
  });

  it('in the signature, which then is packed again', () => {
    const signature = signCms(Buffer.from('{}'));
    fc.assert(
      fc.property(mutations, (mutate) => {
        const findings = validate(buildPass({ sign: () => mutate(signature) }));
        assert.ok(findings.length > 0);
      }),
      { numRuns: 400 },
    );
  });

  it('in pass.json, manifest.json, images and strings, which then are signed again', () => {
    const json = Buffer.from(JSON.stringify(passJson()));
    fc.assert(
      fc.property(fc.nat({ max: 3 }), mutations, (which, mutate) => {
        const pass = which === 0 ? mutate(json) : json;
        const files = {
          'logo.png': which === 1 ? mutate(png(8, 8)) : png(8, 8),
          'fr.lproj/pass.strings': which === 2 ? mutate(strings) : strings,
        };
        const manifest = (value: Json) => (which === 3 ? mutate(Buffer.from(JSON.stringify(value))) : value);
        validate(buildPass({ pass, files, manifest }));
      }),
      { numRuns: 400 },
    );
  });

  it('with any JSON as the value of any key', () => {
    const keys = fc.constantFrom(...Object.keys(passKeys));
    const style = fc.record({ primaryFields: fc.jsonValue(), backFields: fc.array(fc.jsonValue()) });
    const value = fc.oneof(fc.jsonValue(), fc.array(fc.dictionary(fc.string(), fc.jsonValue())), style);
    fc.assert(
      fc.property(fc.dictionary(keys, value), (changes) => {
        validate(buildPass({ pass: passJson(changes) }));
      }),
      { numRuns: 400 },
    );
  });
});

describe('validatePkpass: tampering', () => {
  it('is found wherever a byte of a signed file changes', () => {
    const start = stored.indexOf('{"formatVersion"');
    const end = stored.indexOf('PK\x03\x04', start + 1);
    fc.assert(
      fc.property(fc.integer({ min: start, max: end - 1 }), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const copy = Buffer.from(stored);
        copy[at] = (copy[at] ?? 0) ^ mask;
        assert.ok(validate(copy).some(({ level }) => level === 'error'));
      }),
      { numRuns: 200 },
    );
  });
});

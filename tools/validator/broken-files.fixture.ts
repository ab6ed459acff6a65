import {
  buildPass,
  type Files,
  jsonBytes,
  passJson,
  pdf,
  png,
  writeZip,
  type ZipEntryOptions,
  type ZipInput,
} from './pkpass-sample.fixture.ts';
import type { RuleId } from './validate-rules.ts';

/** A pass that breaks one rule; `also` are the rules that it cannot help breaking with it. */
export interface BrokenSample {
  readonly bytes: () => Buffer;
  readonly also?: readonly RuleId[];
}

/** The passes whose container or files are wrong. */
export const brokenFiles = {
  'zip-unreadable': { bytes: () => buildPass().subarray(0, -1) },
  'zip-encrypted': change('icon@3x.png', { flags: 0x0801 }, ['icon-resolution', 'manifest-file-absent']),
  'zip-zip64': {
    bytes: () => {
      const bytes = buildPass();
      bytes.writeUInt32LE(0xffffffff, bytes.length - 6);
      return bytes;
    },
  },
  'zip-duplicate-name': {
    bytes: () => buildPass({ zip: (entries) => [...entries, ...entries.slice(0, 1)] }),
  },
  'zip-unsafe-path': { bytes: () => buildPass({ zip: add('../evil.png', png(1, 1)) }) },
  'zip-name-encoding': {
    bytes: () => buildPass({ files: { 'café.lproj/pass.strings': Buffer.alloc(0) }, zip: unmark }),
    also: ['language-folder'],
  },
  'zip-method': change('icon@3x.png', { method: 12 }, ['icon-resolution', 'manifest-file-absent']),
  'zip-corrupt': change('icon@3x.png', { crc: 1 }, ['icon-resolution', 'manifest-file-absent']),
  'zip-headers-disagree': change('icon@3x.png', { localName: 'icon@9x.png' }, [
    'icon-resolution',
    'manifest-file-absent',
  ]),
  'zip-too-many-entries': {
    bytes: () => writeZip(Array.from({ length: 1001 }, (_, at): ZipInput => [`${at}.png`, Buffer.alloc(0)])),
  },
  'zip-too-large': {
    bytes: () => writeZip([['pass.json', Buffer.alloc(65 * 1024 * 1024), { method: 8 }]]),
  },
  'zip-directory-entry': { bytes: () => buildPass({ zip: add('fr.lproj/', Buffer.alloc(0)) }) },

  'pass-json-missing': {
    bytes: () => buildPass({ pass: null, files: { 'Pass.json': jsonBytes(passJson()) } }),
    also: ['unexpected-file'],
  },
  'manifest-missing': { bytes: () => buildPass({ zip: without('manifest.json') }) },
  'signature-missing': { bytes: () => buildPass({ zip: without('signature') }) },
  'wrapper-folder': {
    bytes: () =>
      buildPass({ zip: (entries) => entries.map(([name, contents]) => [`my.pass/${name}`, contents]) }),
  },
  'stray-file': { bytes: () => buildPass({ files: { '.DS_Store': Buffer.from('Bud1') } }) },
  'unexpected-file': { bytes: () => buildPass({ files: { 'readme.txt': Buffer.from('hello') } }) },
  'icon-missing': {
    bytes: () => buildPass({ files: { 'icon.png': null, 'icon@2x.png': null, 'icon@3x.png': null } }),
  },
  'icon-resolution': { bytes: () => buildPass({ files: { 'icon@3x.png': null } }) },

  'manifest-invalid': {
    bytes: () => buildPass({ manifest: (manifest) => Buffer.from(`${JSON.stringify(manifest)},`) }),
  },
  'manifest-hash-format': {
    bytes: () =>
      buildPass({ manifest: (manifest) => mapValue(manifest, 'icon.png', (hash) => hash.toUpperCase()) }),
  },
  'manifest-file-unlisted': { bytes: () => buildPass({ zip: add('logo.png', png(1, 1)) }) },
  'manifest-file-absent': { bytes: () => buildPass({ zip: without('icon.png') }) },
  'manifest-hash-mismatch': {
    bytes: () =>
      buildPass({
        zip: (entries) =>
          entries.map((entry) => (entry[0] === 'icon.png' ? ['icon.png', png(28, 28)] : entry)),
      }),
  },

  'image-invalid': { bytes: () => buildPass({ files: { 'logo.png': png(100, 40).subarray(0, -12) } }) },
  'image-fallback': { bytes: () => buildPass({ files: { 'logo.pdf': pdf } }) },
  'image-size': { bytes: () => buildPass({ files: { 'logo@2x.png': png(321, 100) } }) },
  'image-poster': { bytes: () => buildPass({ pass: passJson({ posterGeneric: {} }) }) },
  'image-unused': { bytes: () => buildPass({ files: { 'thumbnail.png': png(90, 90) } }) },
  'image-shadowed': {
    bytes: () => buildPass({ files: { 'logo.png': png(50, 50), 'fr.lproj/logo.png': png(50, 50) } }),
  },
  'image-resolutions-differ': {
    bytes: () =>
      buildPass({
        files: {
          'fr.lproj/logo.png': png(50, 50),
          'de.lproj/logo.png': png(50, 50),
          'de.lproj/logo@2x.png': png(100, 100),
        },
      }),
  },

  'personalization-incomplete': { bytes: () => buildPass({ files: personalization() }) },
  'personalization-invalid': {
    bytes: () => buildPass({ files: personalization({ requiredPersonalizationFields: ['Name'] }) }),
    also: ['personalization-incomplete'],
  },
  'strings-encoding': strings({ fr: Buffer.from('"Example card" = "Carte";', 'utf16le') }),
  'strings-syntax': strings({ fr: '"Example card" = "Carte "exemple"";' }),
  'strings-keys-differ': strings({ fr: '"Example card" = "Carte";', de: '/* nothing yet */' }),
  'strings-unused': strings({ fr: '"Other card" = "Autre carte";' }),
  'language-folder': strings({ french: '"Example card" = "Carte";' }),

  'bundle-count': { bytes: () => bundle(Array.from({ length: 11 }, (_, at) => memberOf(`${at}`))) },
  'bundle-size': {
    // Bytes before the archive count as much as those in it, and need not be compressed here.
    bytes: () => {
      const archive = bundle([memberOf('a')]);
      const filler = Buffer.alloc(150_000_000);
      const bytes = Buffer.concat([filler, archive]);
      bytes.writeUInt32LE(archive.readUInt32LE(archive.length - 6) + filler.length, bytes.length - 6);
      return bytes;
    },
  },
  'bundle-member': { bytes: () => bundle([memberOf('a'), ['notes.txt', Buffer.from('hello')]]) },
  'bundle-nested': { bytes: () => bundle([memberOf('a'), ['b.pkpass', bundle([memberOf('b')])]]) },
  'bundle-duplicate': {
    bytes: () => bundle([memberOf('a'), ['b.pkpass', buildPass({ pass: passJson({ serialNumber: 'a' }) })]]),
  },
} satisfies Partial<Record<RuleId, BrokenSample>>;

export function memberOf(serialNumber: string): ZipInput {
  return [`${serialNumber}.pkpass`, buildPass({ pass: passJson({ serialNumber }) })];
}

export function bundle(members: readonly ZipInput[]): Buffer {
  return writeZip(members);
}

export function personalization(changes: Record<string, unknown> = {}): Files {
  const file = {
    description: 'Join the club',
    requiredPersonalizationFields: ['PKPassPersonalizationFieldName'],
    ...changes,
  };
  return { 'personalization.json': jsonBytes(file), 'personalizationLogo@2x.png': png(300, 80) };
}

function change(name: string, options: ZipEntryOptions, also: readonly RuleId[]): BrokenSample {
  const zip = (entries: ZipInput[]): ZipInput[] =>
    entries.map((entry) => (entry[0] === name ? [entry[0], entry[1], options] : entry));
  return { bytes: () => buildPass({ zip }), also };
}

function add(name: string, contents: Buffer): (entries: ZipInput[]) => ZipInput[] {
  return (entries) => [...entries, [name, contents]];
}

function without(name: string): (entries: ZipInput[]) => ZipInput[] {
  return (entries) => entries.filter((entry) => entry[0] !== name);
}

/** Clears the flag that says names are UTF-8. */
function unmark(entries: ZipInput[]): ZipInput[] {
  return entries.map(([name, contents]) => [name, contents, { flags: 0 }]);
}

function mapValue(
  manifest: Record<string, unknown>,
  key: string,
  map: (hash: string) => string,
): Record<string, unknown> {
  return { ...manifest, [key]: map(String(manifest[key])) };
}

function strings(languages: Record<string, string | Buffer>): BrokenSample {
  const files = Object.fromEntries(
    Object.entries(languages).map(([language, text]) => [
      `${language}.lproj/pass.strings`,
      Buffer.from(text),
    ]),
  );
  return { bytes: () => buildPass({ files }) };
}

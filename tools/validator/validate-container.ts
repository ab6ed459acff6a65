import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonProblem, readJson } from './json-reader.ts';
import { personalizationKeys } from './pass-keys.ts';
import { imageName } from './validate-images.ts';
import { validateKeys } from './validate-keys.ts';
import type { PassFiles, Report } from './validate-rules.ts';

/** The files of a pass: the three required ones at the root, an icon, and nothing that does not belong there. */
export function validateFiles(files: PassFiles, report: Report): void {
  const folder = wrapperFolder(files);
  if (folder !== null) {
    report('wrapper-folder', `Everything is in the folder "${folder}"; zip its contents instead.`, folder);
    return;
  }
  requireFile(files, 'pass.json', 'pass-json-missing', report);
  requireFile(files, 'manifest.json', 'manifest-missing', report);
  requireFile(files, 'signature', 'signature-missing', report);
  for (const name of files.keys()) {
    if (/(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|\._[^/]*)$|^__MACOSX\//i.test(name)) {
      report('stray-file', 'The operating system left this file in the archive.', name);
    } else if (!isPassFile(name)) {
      report('unexpected-file', 'Wallet does not read a file of this name.', name);
    }
  }
  validateIcon(files, report);
}

/** manifest.json against the files (Apple: SHA-1 per file, for every file but itself and the signature). */
export function validateManifest(files: PassFiles, report: Report): void {
  const bytes = files.get('manifest.json');
  if (!bytes) return;
  const { value, problems } = readJson(bytes);
  reportJson(problems, 'manifest-invalid', 'manifest.json', report);
  if (value === undefined) return;
  if (!isJsonObject(value)) {
    report('manifest-invalid', 'The manifest is not a JSON object.', 'manifest.json');
    return;
  }
  const listed = new Map(Object.entries(value));
  for (const [name, hash] of listed) validateHash(name, hash, files.get(name), report);
  for (const name of files.keys()) {
    if (!unlisted.has(name) && !listed.has(name)) {
      report('manifest-file-unlisted', 'manifest.json does not list the file.', name);
    }
  }
}

function reportJson(
  problems: readonly JsonProblem[],
  rule: 'manifest-invalid' | 'personalization-invalid',
  where: string,
  report: Report,
): void {
  for (const { kind, message } of problems) {
    report(kind === 'byte-order-mark' ? 'json-byte-order-mark' : rule, message, where);
  }
}

const unlisted: ReadonlySet<string> = new Set(['manifest.json', 'signature']);

function wrapperFolder(files: PassFiles): string | null {
  const [first] = files.keys();
  const folder = first?.split('/')[0];
  if (!folder || files.has('pass.json') || !files.has(`${folder}/pass.json`)) return null;
  const wrapped = [...files.keys()].every(
    (name) => name.startsWith(`${folder}/`) || name.startsWith('__MACOSX/'),
  );
  return wrapped ? folder : null;
}

function requireFile(
  files: PassFiles,
  name: string,
  rule: 'pass-json-missing' | 'manifest-missing' | 'signature-missing',
  report: Report,
): void {
  if (files.has(name)) return;
  const similar = [...files.keys()].find(
    (other) => other.toLowerCase() === name || other.toLowerCase().endsWith(`/${name}`),
  );
  report(
    rule,
    similar ? `There is "${similar}", but it must be "${name}" at the root.` : `There is no ${name}.`,
  );
}

function isPassFile(name: string): boolean {
  if (['pass.json', 'manifest.json', 'signature', 'personalization.json'].includes(name)) return true;
  return imageName(name) !== null || /^[^/]+\.lproj\/pass\.strings$/.test(name);
}

function validateIcon(files: PassFiles, report: Report): void {
  const names = ['icon.png', 'icon@2x.png', 'icon@3x.png'];
  if (!names.some((name) => files.has(name))) {
    report(
      'icon-missing',
      'There is no icon.png; iPhones do not open a pass without one (a PDF does from iOS 27 on).',
    );
    return;
  }
  for (const name of names.slice(1)) {
    if (!files.has(name)) report('icon-resolution', `There is no ${name}; the icon will look blurred.`, name);
  }
}

function validateHash(name: string, hash: unknown, contents: Buffer | undefined, report: Report): void {
  if (unlisted.has(name) || !contents) {
    const reason = unlisted.has(name)
      ? 'must not list itself or the signature'
      : 'lists a file that is not there';
    report('manifest-file-absent', `manifest.json ${reason}: "${name}".`, 'manifest.json');
  }
  if (typeof hash !== 'string' || !/^[0-9a-f]{40}$/.test(hash)) {
    const message = `The value of "${name}" is not a SHA-1 in 40 lower-case hexadecimal digits.`;
    report('manifest-hash-format', message, 'manifest.json');
  } else if (contents && createHash('sha1').update(contents).digest('hex') !== hash) {
    report('manifest-hash-mismatch', 'The file was changed after manifest.json was made.', name);
  }
}

/** Reward enrolment needs four parts together: personalization.json, its logo, nfc and webServiceURL. */
export function validatePersonalization(files: PassFiles, pass: JsonObject | null, report: Report): void {
  const bytes = files.get(file);
  const logo = [...files.keys()].some((name) => imageName(name)?.base === 'personalizationLogo');
  if (!bytes && !logo) return;
  const parts = {
    [file]: bytes !== undefined,
    'personalizationLogo@2x.png': logo,
    'nfc in pass.json': pass?.nfc !== undefined,
    'webServiceURL in pass.json': pass?.webServiceURL !== undefined,
  };
  const missing = Object.entries(parts).flatMap(([part, present]) => (present ? [] : [part]));
  if (missing.length > 0) {
    report('personalization-incomplete', `Missing for personalization: ${missing.join(', ')}.`, file);
  }
  if (bytes) validatePersonalizationJson(bytes, report);
}

const file = 'personalization.json';

const fieldNames: readonly unknown[] = ['Name', 'PostalCode', 'EmailAddress', 'PhoneNumber'].map(
  (kind) => `PKPassPersonalizationField${kind}`,
);

function validatePersonalizationJson(bytes: Buffer, report: Report): void {
  const { value, problems } = readJson(bytes);
  reportJson(problems, 'personalization-invalid', file, report);
  if (value === undefined) return;
  if (!isJsonObject(value)) {
    report('personalization-invalid', 'The file is not a JSON object.', file);
    return;
  }
  validateKeys(value, personalizationKeys, `${file}: `, report);
  const { description, requiredPersonalizationFields: fields } = value;
  if (description === undefined || description === '') {
    report('personalization-invalid', 'description is missing or empty.', file);
  }
  if (!Array.isArray(fields) || fields.length === 0 || !fields.every((name) => fieldNames.includes(name))) {
    const message = `requiredPersonalizationFields must hold some of ${fieldNames.join(', ')}.`;
    report('personalization-invalid', message, file);
  }
}

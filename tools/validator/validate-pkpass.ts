import type { X509Certificate } from 'node:crypto';
import { validateFiles, validateManifest, validatePersonalization } from './validate-container.ts';
import { validateImages } from './validate-images.ts';
import { readPassJson, validatePassJson } from './validate-pass-json.ts';
import { type PassFiles, type PkpassFinding, type Report, rules } from './validate-rules.ts';
import { validateSignature } from './validate-signature.ts';
import { validateStrings } from './validate-strings.ts';
import { extractZip, listZip, type ZipLimits, type ZipListing } from './zip-reader.ts';

/** `root` null or absent: the certificate chain is checked up to the WWDR intermediate only. */
export interface PkpassOptions {
  readonly root?: X509Certificate | null;
  /** True accepts a chain of Apple's, by its name, besides those of `root`. */
  readonly takesApple?: boolean;
  readonly now: Date;
}

/**
 * Checks a `.pkpass`, or a `.pkpasses` bundle of them, against every rule of the table, without a network.
 * No finding means that nothing is wrong. Meant for untrusted bytes: never throws, inflates within limits, and
 * stops recording after 1,000 findings.
 */
export function validatePkpass(bytes: Buffer, options: PkpassOptions): PkpassFinding[] {
  const findings: PkpassFinding[] = [];
  const report: Report = (rule, message, where) => {
    if (findings.length === maxFindings) return;
    const finding = { rule, level: rules[rule].level, message: message.slice(0, maxMessage) };
    findings.push(where === undefined ? finding : { ...finding, where: where.slice(0, maxMessage) });
  };
  const listings = listZip(bytes, report);
  if (listings === null) return findings;
  if (isBundle(listings)) {
    validateBundle(bytes, listings, options, report);
  } else {
    const files = extractZip(bytes, listings, passLimits, report);
    if (files) validatePass(files, options, report);
  }
  return findings;
}

const maxFindings = 1000;
const maxMessage = 500;

// Large passes have some dozens of files and a few megabytes.
const passLimits: ZipLimits = { entries: 1000, bytes: 64 * 1024 * 1024 };
const bundlePasses = 10;
const bundleBytes = 150_000_000;

/** Reports and returns the values that identify the pass. */
function validatePass(files: PassFiles, options: PkpassOptions, report: Report): string | null {
  validateFiles(files, report);
  validateManifest(files, report);
  const passBytes = files.get('pass.json');
  const pass = passBytes ? readPassJson(passBytes, report) : null;
  if (pass) validatePassJson(pass, report);
  validateImages(files, pass, report);
  validatePersonalization(files, pass, report);
  validateStrings(files, pass, report);
  const signature = files.get('signature');
  if (signature) {
    const manifest = files.get('manifest.json') ?? null;
    const { root = null, takesApple = false, now } = options;
    const context = { manifest, pass, root, takesApple, now };
    validateSignature(signature, context, report);
  }
  return pass ? JSON.stringify([pass.passTypeIdentifier, pass.serialNumber]) : null;
}

function isBundle(listings: readonly ZipListing[]): boolean {
  const names = listings.map(({ name }) => name);
  return !names.includes('pass.json') && names.some(isMember);
}

function isMember(name: string): boolean {
  return name.toLowerCase().endsWith('.pkpass');
}

function validateBundle(
  bytes: Buffer,
  listings: readonly ZipListing[],
  options: PkpassOptions,
  report: Report,
): void {
  if (listings.length > bundlePasses) {
    report('bundle-count', `The bundle has ${listings.length} entries; 10 passes are allowed.`);
    return;
  }
  if (bytes.length > bundleBytes) {
    report('bundle-size', `The bundle has ${bytes.length} bytes; 150 MB are allowed.`);
    return;
  }
  const members = extractZip(bytes, listings, { entries: bundlePasses, bytes: bundleBytes }, report);
  const seen = new Map<string, string>();
  for (const [name, member] of members ?? []) {
    if (!isMember(name)) {
      report('bundle-member', 'A bundle holds .pkpass files only, still zipped.', name);
      continue;
    }
    const pass = validateMember(name, member, options, report);
    const earlier = pass === null ? undefined : seen.get(pass);
    if (earlier)
      report('bundle-duplicate', `Same type and serial number as ${earlier}: one replaces the other.`, name);
    if (pass !== null) seen.set(pass, name);
  }
}

function validateMember(name: string, bytes: Buffer, options: PkpassOptions, report: Report): string | null {
  const inMember: Report = (rule, message, where) => {
    report(rule, message, where === undefined ? name : `${name}/${where}`);
  };
  const listings = listZip(bytes, inMember);
  if (listings === null) return null;
  if (isBundle(listings)) {
    report('bundle-nested', 'A bundle must not contain a bundle.', name);
    return null;
  }
  const files = extractZip(bytes, listings, passLimits, inMember);
  return files ? validatePass(files, options, inMember) : null;
}

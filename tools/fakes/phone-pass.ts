import { hash, type X509Certificate } from 'node:crypto';
import { isJsonObject, type JsonObject, readJson } from '../validator/json-reader.ts';
import { readStrings } from '../validator/strings-reader.ts';
import { validatePkpass } from '../validator/validate-pkpass.ts';
import type { RuleId } from '../validator/validate-rules.ts';
import { extractZip, listZip } from '../validator/zip-reader.ts';

/** What a phone keeps of a pass file: not its images, so that very many phones fit into one process. */
export interface PassContent {
  readonly passTypeIdentifier: string;
  readonly serialNumber: string;
  /** null, together with the token, for a pass that never updates itself. */
  readonly webServiceURL: string | null;
  readonly authenticationToken: string | null;
  /** The bytes of pass.json, in the language of the phone. */
  readonly passJson: Buffer;
  /** Equal for equal contents, whenever they were signed: the manifest has the hash of every file but the signature. */
  readonly fingerprint: string;
}

export interface Strictness {
  /** false skips all rules: for benchmarks. */
  readonly verify: boolean;
  /** The CA that the chain must end at, if not at Apple's as those of merchants do; null checks it up to the intermediate only. */
  readonly root: X509Certificate | null;
  readonly now: Date;
  /** What the phone is set to, the first choice first. */
  readonly languages?: readonly string[];
}

/** A phone does not take this pass file. The message says why; `rules` are those that it breaks, if it was read. */
export class PassRefused extends Error {
  readonly rules: readonly RuleId[];

  constructor(message: string, rules: readonly RuleId[] = []) {
    super(message);
    this.rules = rules;
  }
}

/** Verifies a pass file and reads it. Raises `PassRefused` when a rule of Wallet is broken; warnings pass. */
export function readPassFile(
  file: Buffer,
  { verify, root, now, languages = ['en'] }: Strictness,
): PassContent {
  if (verify) refuseBroken(file, root, now);
  const files = filesOf(file, ['pass.json', 'manifest.json']);
  const passJson = inLanguage(file, files.get('pass.json'), languages);
  const manifest = files.get('manifest.json');
  const pass = passJson && readJson(passJson).value;
  if (!passJson || !manifest || !isJsonObject(pass)) throw new PassRefused('this is no pass file');
  return {
    passTypeIdentifier: String(pass.passTypeIdentifier),
    serialNumber: String(pass.serialNumber),
    webServiceURL: textOf(pass.webServiceURL),
    authenticationToken: textOf(pass.authenticationToken),
    // A copy: a slice would keep the whole file in memory.
    passJson: Buffer.from(passJson),
    fingerprint: hash('sha1', manifest, 'base64'),
  };
}

/** As the strings of the first of the languages say it that the file has a folder of. */
function inLanguage(
  file: Buffer,
  passJson: Buffer | undefined,
  languages: readonly string[],
): Buffer | undefined {
  const names = listZip(file, () => undefined)?.map(({ name }) => name) ?? [];
  const folders = names.flatMap((name) => /^(.+)\.lproj\/pass\.strings$/.exec(name)?.[1] ?? []);
  const folder = languages
    .flatMap((language) => [language, language.split('-')[0]])
    .find((language) => language !== undefined && folders.includes(language));
  if (passJson === undefined || folder === undefined) return passJson;
  const name = `${folder}.lproj/pass.strings`;
  const strings = readStrings(filesOf(file, [name]).get(name) ?? Buffer.alloc(0));
  if (!(strings instanceof Map)) return passJson;
  const text = JSON.stringify(JSON.parse(passJson.toString('utf8')), (_key, value: unknown) =>
    typeof value === 'string' ? (strings.get(value) ?? value) : value,
  );
  return Buffer.from(text);
}

/** The value of pass.json. */
export function parsePass({ passJson }: Pick<PassContent, 'passJson'>): JsonObject {
  return JSON.parse(passJson.toString('utf8'));
}

function refuseBroken(file: Buffer, root: X509Certificate | null, now: Date): void {
  const errors = validatePkpass(file, { root, takesApple: true, now }).filter(
    ({ level }) => level === 'error',
  );
  const [first, ...others] = errors;
  if (first === undefined) return;
  const where = first.where === undefined ? '' : ` (${first.where})`;
  const more = others.length === 0 ? '' : ` And ${others.length} more.`;
  throw new PassRefused(
    `${first.rule}${where}: ${first.message}${more}`,
    errors.map(({ rule }) => rule),
  );
}

/** Only the named files are unpacked. */
function filesOf(file: Buffer, names: readonly string[]): Map<string, Buffer> {
  const silent = () => undefined;
  const wanted = listZip(file, silent)?.filter(({ name }) => names.includes(name)) ?? [];
  return extractZip(file, wanted, { entries: names.length, bytes: 4 * 1024 * 1024 }, silent) ?? new Map();
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

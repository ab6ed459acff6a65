import { isJsonObject, type JsonObject, readJson } from './json-reader.ts';
import { personalizationKeys } from './pass-keys.ts';
import { imageName } from './validate-images.ts';
import { validateKeys } from './validate-keys.ts';
import type { PassFiles, Report } from './validate-rules.ts';

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
  for (const { message } of problems) report('personalization-invalid', message, file);
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

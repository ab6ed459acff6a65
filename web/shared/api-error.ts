import { PunchcardError } from '../../sdk/typescript/src/core/punchcard-error.ts';
import { errors } from '../texts/errors.ts';

/** What went wrong on a page itself, in a sentence for whoever is at it. */
export class Said extends Error {}

/** A sentence in the language of the pages that says what has happened, and what to do. */
export function sentenceOf(error: unknown): string {
  const { byCode, byStatus, predicates, unknown } = errors();
  if (error instanceof Said) return error.message;
  if (!(error instanceof PunchcardError)) return unknown;
  const said = (byCode as Readonly<Record<string, string | undefined>>)[error.code];
  if (said !== undefined) return said;
  if (error.status >= 500) return byStatus.failed;
  const [, predicate = error.message] = /^[\w.[\]]+(?::|(?= must| is)) ?(.*)$/.exec(error.message) ?? [];
  for (const [pattern, sentence] of predicates) {
    const found = pattern.exec(predicate);
    if (found !== null) return sentence(found[1] ?? '');
  }
  return error.message;
}

/** The field that a refusal is about; null where it is about none. */
export function fieldOf(error: unknown, names: readonly string[]): string | null {
  if (!(error instanceof PunchcardError)) return null;
  const [, path = ''] = /^([\w.[\]]+)(?::| must| is)/.exec(error.message) ?? [];
  const named = namesField.has(error.code) ? path : (fieldsByCode[error.code] ?? '');
  const within = (name: string) => named.startsWith(`${name}.`) || named.startsWith(`${name}[`);
  return names.find((name) => name === named) ?? names.find(within) ?? null;
}

/** Codes whose message begins with what it is about. */
const namesField: ReadonlySet<string> = new Set(['invalid_request', 'asset_fetch_failed']);

/** Of codes that are about one thing, that thing. */
const fieldsByCode: Readonly<Record<string, string>> = {
  person_exists: 'email',
  invalid_api_key: 'token',
  invalid_credentials: 'password',
  barcode_taken: 'barcode',
  partner_not_found: 'partnerId',
  pass_not_found: 'passId',
  external_id_taken: 'externalId',
  store_already_connected: 'domain',
  order_not_found: 'orderId',
  refund_exceeds_order: 'amount',
};

export function requestIdOf(error: unknown): string | null {
  return error instanceof PunchcardError && error.status !== 0 ? error.requestId : null;
}

export function codeOf(error: unknown): string | null {
  return error instanceof PunchcardError ? error.code : null;
}

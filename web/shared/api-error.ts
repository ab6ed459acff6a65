import { PunchcardError } from '../../sdk/typescript/src/core/punchcard-error.ts';
import { InsufficientValueError } from '../../sdk/typescript/src/errors.ts';
import type { ItemError, Problem } from '../../sdk/typescript/src/types.ts';
import { errors } from '../texts/errors.ts';
import { formatMoney } from './format.ts';

/** What went wrong on a page itself, in a sentence for its user. */
export class UserMessage extends Error {
  /** The field that it is about; null: it is about none. */
  readonly field: string | null;

  constructor(message: string, field: string | null = null) {
    super(message);
    this.field = field;
  }
}

type Sentences = Readonly<Record<string, string | ((limit: string) => string) | undefined>>;

/** Sentences of an app's own, by codes and by rules, next to those that all apps have. */
interface OwnSentences {
  readonly byCode: Readonly<Record<string, string | undefined>>;
  readonly byRule: Sentences;
}

let own: () => OwnSentences = () => ({ byCode: {}, byRule: {} });

/** Has refusals said in sentences of an app's own, too. */
export function addSentences(added: () => OwnSentences): void {
  own = added;
}

function saidOf(code: string): string | undefined {
  return own().byCode[code] ?? (errors().byCode as OwnSentences['byCode'])[code];
}

/**
 * A sentence in the language of the pages that says what has happened, and what to do; at a field, without its name. What
 * has no sentence of ours is said in that of the service.
 */
export function sentenceOf(error: unknown, field: string | null = null): string {
  const { byStatus, unknown } = errors();
  if (error instanceof UserMessage) return error.message;
  if (!(error instanceof PunchcardError)) return unknown;
  if (error instanceof InsufficientValueError) return errors().insufficientValue(formatMoney(error.amount));
  const said = saidOf(error.code);
  if (said !== undefined) return said;
  if (error.status >= 500) return byStatus.failed;
  const [problem] = error.problems ?? [];
  if (problem === undefined) return error.message;
  return sentenceFor(problem, field !== null) ?? (field === null ? error.message : problem.message);
}

/** The same of an item of a batch, which was refused alone. */
export function sentenceOfItem({ code, error, problems: [problem] = [] }: ItemError): string {
  return saidOf(code) ?? (problem && sentenceFor(problem, false)) ?? error;
}

/**
 * The sentence for a problem: that of the field (as `key`, or `colors.label`) and the rule, else of the rule with that limit,
 * else of the rule.
 */
export function sentenceFor({ path, rule, limit }: Problem, isAtField: boolean): string | undefined {
  // Somewhere else "this" would be anything.
  if (rule === 'required' && !isAtField) return undefined;
  const names = path.replaceAll(/\[\d+\]/g, '').split('.');
  const [whole, field] = [names.slice(-2).join('.'), names.at(-1)];
  const known: Sentences = { ...errors().byRule, ...own().byRule };
  const sentence =
    known[`${whole} ${rule}`] ?? known[`${field} ${rule}`] ?? known[`${rule} ${limit}`] ?? known[rule];
  if (typeof sentence !== 'function') return sentence;
  return typeof limit === 'number' ? sentence(String(limit)) : undefined;
}

/** What another attempt would not change. */
export function isRefusal(error: unknown): boolean {
  return error instanceof PunchcardError && error.status >= 400 && error.status < 500 && !error.retryable;
}

/** The field that a refusal is about; null where it is about none. */
export function fieldOf(error: unknown, names: readonly string[]): string | null {
  if (error instanceof UserMessage) return error.field;
  if (!(error instanceof PunchcardError)) return null;
  const named = error.problems?.[0]?.path ?? error.slot ?? fieldsByCode[error.code] ?? '';
  const within = (name: string) => named.startsWith(`${name}.`) || named.startsWith(`${name}[`);
  return names.find((name) => name === named) ?? names.find(within) ?? null;
}

/** The field that a code is about, where it is about one. */
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
  insufficient_value: 'amount',
};

export function requestIdOf(error: unknown): string | null {
  return error instanceof PunchcardError && error.status !== 0 ? error.requestId : null;
}

export function codeOf(error: unknown): string | null {
  return error instanceof PunchcardError ? error.code : null;
}

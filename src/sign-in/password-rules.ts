import { advised, invalidField } from '../kit/http/api-error.ts';
import type { ProblemRule } from '../kit/http/schemas/problems.ts';

export const leastLength = 10;

/** The passwords that leaks have most often, in small letters; loaded when a person chooses one. */
let common: Promise<ReadonlySet<string>> | undefined;

async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map(String));
}

/**
 * Refuses a password that would be tried first: one of a list, with digits and signs around it or signs in the place of
 * letters, a row of keys, a few characters over and over, or one that is made of `own`: names and addresses that have to
 * do with the person. Raises `invalid_request`.
 */
export async function refuseWeak(password: string, own: readonly string[]): Promise<void> {
  const plain = fold(password);
  const refuse = (why: string, rule: ProblemRule = 'reserved', limit?: number) =>
    advised(invalidField('password', rule, why, { limit }), 'weakPassword');
  if ([...plain].length < leastLength)
    throw refuse(`has less than ${leastLength} characters.`, 'min_length', leastLength);
  if (new Set(plain).size < 4) throw refuse('repeats a few characters only. Choose another one.');
  common ??= commonPasswords();
  const list = await common;
  if (formsOf(plain).some((form) => list.has(form) || isRow(form)))
    throw refuse('is one of those that are tried first. Choose another one.');
  const letters = plain.replaceAll(noLetterOrDigit, '');
  const revealing = own.flatMap((name) => [name, ...name.split(noLetterOrDigit)]).map(wordOf);
  if (revealing.some((word) => word.length >= 4 && letters.replaceAll(word, '').length < 6))
    throw refuse(
      'is nearly your name or address, or that of a workspace or the service. Choose another one.',
    );
}

const noLetterOrDigit = /[^\p{L}\p{N}]/gu;

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function wordOf(text: string): string {
  return fold(text).replaceAll(noLetterOrDigit, '');
}

/** A password as it is in lists: as it was written, without what people put around and between, and in letters alone. */
function formsOf(plain: string): string[] {
  const core = plain.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '');
  const signs = plain.replace(/^\d+/, '').replace(/\d+$/, '');
  const forms = [plain, core, signs, signs.replace(/[!?.]+$/, '')].flatMap((form) => [
    form,
    form.replaceAll(noLetterOrDigit, ''),
    ...['i', 'l'].map((one) => form.replaceAll(/[013457@$!]/g, (sign) => letterOf[sign] ?? one)),
  ]);
  const units = forms.map((form) => /^(.+?)\1+$/u.exec(form)?.[1] ?? form);
  return [...forms, ...units].filter((form) => form.length >= 4 || form === plain);
}

/** What people write in the place of letters; 1 and ! are of two. */
const letterOf: Readonly<Record<string, string>> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  '1234567890qwertyuiopasdfghjklzxcvbnm',
  '1234567890qwertzuiopasdfghjklyxcvbnm',
  '1234567890azertyuiopqsdfghjklmwxcvbn',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
].map((row) => row + row);

/** Whether the keys or letters follow each other, in either direction. */
function isRow(form: string): boolean {
  const backwards = [...form].reverse().join('');
  return rows.some((row) => row.includes(form) || row.includes(backwards));
}

import { readFileSync } from 'node:fs';
import { advised, invalidRequest } from '../kit/http/api-error.ts';

export const leastLength = 10;

/** Those of at least ten characters that are chosen most often, in small letters. */
const common = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n'),
);

/** Refuses a password that would be tried first, or that its address tells. Raises `invalid_request`. */
export function refuseWeak(password: string, email: string): void {
  const plain = password.normalize('NFKC').toLowerCase();
  const refuse = (why: string) => advised(invalidRequest(`password: ${why}`), 'weakPassword');
  if ([...plain].length < leastLength) throw refuse(`has less than ${leastLength} characters.`);
  if (common.has(plain)) throw refuse('is one of those that are tried first. Choose another one.');
  if (new Set(plain).size < 4) throw refuse('repeats a few characters only. Choose another one.');
  const [name = ''] = email.split('@', 1);
  if (plain === email || (name.length >= 4 && plain.replaceAll(name, '').length < 6))
    throw refuse('is nearly your address. Choose another one.');
}

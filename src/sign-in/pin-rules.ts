import { invalidField } from '../kit/http/api-error.ts';

/**
 * Refuses a PIN that would be tried first: a digit or a group of digits over and over, a row of digits, a year. Raises
 * `invalid_request`. A PIN that a person has already goes on working.
 */
export function refuseWeakPin(pin: string): void {
  const digits = Array.from(pin, Number);
  // 7890 goes on after the nine, and 2109 the other way.
  const steps = digits.slice(1).map((digit, at) => (digit - (digits[at] ?? 0) + 10) % 10);
  const isRow = [0, 1, 9].some((step) => steps.every((one) => one === step));
  if (!isRow && !/^(?:(\d+)\1+|(?:(\d)\2)+|(?:19|20)\d\d)$/.test(pin)) return;
  throw invalidField(
    'pin',
    'reserved',
    'is one of those that are tried first, such as 0000, 1234, 1212 or a year. Choose another one.',
  );
}

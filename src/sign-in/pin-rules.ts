import type { KeyCtx } from '../context.ts';
import { hashPassword } from '../kit/crypto/passwords.ts';
import { invalidField } from '../kit/http/api-error.ts';

/**
 * Refuses a PIN that would be tried first: a digit or a group of digits over and over, a row of digits, a year. Raises
 * `invalid_request`. A PIN that a person has already goes on working.
 */
function refuseWeakPin(pin: string): void {
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

/** What is stored of a PIN. Raises `invalid_request` for a weak one, and `overloaded`. */
export async function hashPin({ app, workspaceId }: KeyCtx, pin: string): Promise<string> {
  refuseWeakPin(pin);
  return app.heavyWork.ofWorkspaces.enter(workspaceId, () => hashPassword(pin));
}

/** Refuses a PIN for a viewer. Raises `invalid_request`. */
export function refuseViewersPin(role: string): void {
  if (role === 'viewer') throw invalidField('pin', 'excluded', 'viewers sign in at no till.');
}

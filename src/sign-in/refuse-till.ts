import type { SessionCtx } from '../context.ts';
import { refusal } from '../errors.ts';

/** Raises `role_required` at a shared till, where a PIN is enough to be signed in. */
export function refuseTill({ deviceId }: SessionCtx['session']): void {
  if (deviceId !== null)
    throw refusal('role_required', 'Not at a shared till. Sign in in a browser of your own.');
}

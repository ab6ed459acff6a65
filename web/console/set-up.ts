import { computed, signal } from '@preact/signals';
import { recall, remember } from '../shared/remembered.ts';
import { hasNoWayIn, session } from '../shared/session.ts';

const putOff = signal(recall('set-up-later', 'tab'));

/** Whether who is signed in has neither an address nor a way to sign in again, and has not put that off in this visit. */
export const isSetUpDue = computed(() => {
  const who = session.value;
  if (who === null || who.person.email !== null || who.workspaces.length === 0) return false;
  return hasNoWayIn(who) && putOff.value !== who.sessionId;
});

/** Asks again at the next visit: in another tab, or after another sign-in. */
export function putOffSetUp(): void {
  const { sessionId = null } = session.value ?? {};
  remember('set-up-later', sessionId, 'tab');
  putOff.value = sessionId;
}

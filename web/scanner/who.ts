import { computed, signal } from '@preact/signals';
import { PunchcardError } from '../../sdk/typescript/src/core/punchcard-error.ts';
import { Sender } from '../../sdk/typescript/src/core/sender.ts';
import { byCookie } from '../shared/by-cookie.ts';
import { recall, remember } from '../shared/remembered.ts';
import { membership, type Session, session } from '../shared/session.ts';

/** The shared till that this browser is, as GET /devices/current answers it. */
export interface Till {
  readonly deviceId: string;
  readonly name: string;
  readonly people: readonly { readonly personId: string; readonly name: string }[];
}

/** Null in a browser of one's own. */
export const till = signal<Till | null>(null);

/** `asking` until it is known who is there; `failed` where that could not be found out. */
export const asked = signal<'asking' | 'known' | { readonly failed: unknown }>('asking');

/** Whether this till was ended while a person worked at it. */
export const wasRevoked = signal(false);

/** Who enters something, and where; null while no person is signed in. */
export const enterer = computed(() => {
  const [who, here] = [session.value, membership.value];
  if (who === null || here === null) return null;
  const { personId = who.person.personId, personName: name = who.person.name } = here;
  return { workspaceId: here.workspaceId, person: { personId, name }, till: till.value?.name ?? null };
});

/** Refusals of these are answers here: no person is signed in, or this is no till. */
const calls = new Sender(byCookie(() => undefined));

/** Finds out who is there. Without a network it is the person who was there last. */
export async function findOutWho(): Promise<void> {
  asked.value = 'asking';
  try {
    const isLocked = recall('scanner.locked') !== null;
    const [device, begun] = await Promise.all([
      ask<Till>('/devices/current'),
      isLocked ? endSession() : ask<Session>('/sessions/current'),
    ]);
    till.value = device;
    session.value = begun;
    keep();
    asked.value = 'known';
  } catch (error) {
    const kept = recall('scanner.who');
    if (!(error instanceof PunchcardError && error.status === 0) || kept === null) {
      asked.value = { failed: error };
      return;
    }
    const known = JSON.parse(kept) as { readonly till: Till | null; readonly session: Session | null };
    till.value = known.till;
    session.value = known.session;
    asked.value = 'known';
  }
}

/** Makes this browser the till that waits for a code. A person who was signed in is signed out. */
export async function pairTill(code: string): Promise<void> {
  till.value = await calls.json<Till>({ method: 'POST', path: '/devices/pair', body: { code } });
  wasRevoked.value = false;
  if (session.value !== null) await lock();
  keep();
}

export async function signInWithPin(personId: string, pin: string): Promise<void> {
  const body = { personId, pin };
  session.value = await calls.json<Session>({ method: 'POST', path: '/sessions', body }, { maxRetries: 0 });
  remember('scanner.locked', null);
  keep();
}

/** Asks again who may sign in here: another person may have got a PIN since. */
export async function refreshTill(): Promise<void> {
  till.value = await ask<Till>('/devices/current');
  keep();
}

/** Signs out, at once on the screen, and for the service as soon as it can be reached. */
export async function lock(): Promise<void> {
  session.value = null;
  remember('scanner.locked', '1');
  keep();
  await endSession().catch(() => undefined);
}

/** The service no longer knows the session: that of a till that was revoked, or one that is too old. */
export function loseSession(): void {
  if (session.value === null) return;
  session.value = null;
  const before = till.value;
  ask<Till>('/devices/current').then(
    (now) => {
      till.value = now;
      wasRevoked.value = before !== null && now === null;
      keep();
    },
    () => undefined,
  );
}

async function endSession(): Promise<null> {
  await ask('/sessions/current', 'DELETE');
  remember('scanner.locked', null);
  return null;
}

async function ask<T extends object>(path: string, method: 'GET' | 'DELETE' = 'GET'): Promise<T | null> {
  try {
    return await calls.json<T>({ method, path });
  } catch (error) {
    if (error instanceof PunchcardError && error.status === 401) return null;
    throw error;
  }
}

function keep(): void {
  remember('scanner.who', JSON.stringify({ till: till.value, session: session.value }));
}

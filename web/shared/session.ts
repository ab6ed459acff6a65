import { computed, signal } from '@preact/signals';
import type { Sender } from '../../sdk/typescript/src/core/sender.ts';
import type { CurrentKey } from '../../sdk/typescript/src/types.ts';
import { recall, remember } from './remembered.ts';

export type Role = NonNullable<CurrentKey['role']>;

export interface Membership {
  readonly workspaceId: string;
  readonly name: string;
  /** What this workspace knows the person by; sessions that were kept by former versions do not say. */
  readonly personId?: string;
  readonly personName?: string;
  readonly role: Role;
  readonly partnerId: string | null;
  readonly suspended: boolean;
  /** The background of its cards; sessions that were kept by former versions do not say. */
  readonly color?: string | null;
}

/** As GET /sessions/current answers it. */
export interface Session {
  readonly sessionId: string;
  readonly signedInAt: string;
  readonly person: { readonly personId: string; readonly email: string | null; readonly name: string };
  readonly workspaces: readonly Membership[];
  /** What the person can sign in with again; former versions, and sessions that were kept by them, do not say. */
  readonly waysIn?: readonly ('passkey' | 'password' | 'mail' | 'provider')[];
  readonly emailProved?: boolean;
  /** The service has a mail server. */
  readonly mailServer?: boolean;
}

/** Whether the person could not sign in again by themselves. */
export function hasNoWayIn({ waysIn }: Session): boolean {
  return waysIn?.length === 0;
}

/** Who is signed in; null until that is known. */
export const session = signal<Session | null>(null);

/** Asks anew who is signed in, after they have changed something of themselves. */
export async function refreshSession(calls: Sender): Promise<void> {
  session.value = await calls.json<Session>({ method: 'GET', path: '/sessions/current' });
}

const chosen = signal(recall('workspace', 'tab') ?? recall('workspace'));

/** The workspace that is open in this tab; null for who belongs to none. */
export const membership = computed<Membership | null>(() => {
  const all = session.value?.workspaces ?? [];
  return (
    all.find((one) => one.workspaceId === chosen.value) ?? all.find((one) => !one.suspended) ?? all[0] ?? null
  );
});

export const workspaceId = computed(() => membership.value?.workspaceId ?? null);

/** Opens another workspace in this tab, and in those that are opened from now on. */
export function chooseWorkspace(id: string): void {
  remember('workspace', id, 'tab');
  remember('workspace', id);
  chosen.value = id;
}

/** The same name as elsewhere, after it was changed. */
export function changeMembership(changes: Pick<Partial<Membership>, 'name' | 'color'>): void {
  const known = session.value;
  if (known === null) return;
  const workspaces = known.workspaces.map((one) =>
    one.workspaceId === workspaceId.value ? { ...one, ...changes } : one,
  );
  session.value = { ...known, workspaces };
}

/**
 * What something asks of a role: `none` where the operator's token decides, `till` to look cards up, `award` to award and redeem, `read` to see all, `write` to
 * change all but `own`: people, keys and wallets.
 */
export type Need = 'none' | 'till' | 'award' | 'read' | 'write' | 'own';

const needs: Readonly<Record<Exclude<Need, 'none'>, readonly Role[]>> = {
  till: ['owner', 'manager', 'staff', 'viewer'],
  award: ['owner', 'manager', 'staff'],
  read: ['owner', 'manager', 'viewer'],
  write: ['owner', 'manager'],
  own: ['owner'],
};

/** Whether who is signed in may do that in the open workspace. The service decides; pages only do not offer it. */
export function may(need: Need): boolean {
  const role = membership.value?.role;
  if (need === 'none') return true;
  return role !== undefined && needs[need].includes(role);
}

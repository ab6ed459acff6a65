import type { Access } from '../context.ts';
import type { Role } from '../people/roles.ts';

/**
 * Whether a role opens a route of this access: the one answer for keys and for people. A key with full access does what
 * an owner does, a read-only key what a viewer does.
 */
export function permits(role: Role, access: Access): boolean {
  switch (role) {
    case 'owner':
      return access !== 'operator';
    case 'manager':
      return access !== 'operator' && access !== 'write owner';
    case 'staff':
      return access === 'any key' || access.endsWith(' till');
    case 'viewer':
      return !access.startsWith('write');
  }
}

/** Whether a key that is restricted to certain passes, of which the operation checks each, gets there at all. */
export function isOfPasses(access: Access): boolean {
  return !access.endsWith(' workspace') && !access.endsWith(' owner');
}

/** Whether a person must have signed in a short while ago: for what opens doors, or takes everything along. */
export function wantsRecentSignIn(access: Access): boolean {
  return access === 'write owner' || access === 'read export';
}

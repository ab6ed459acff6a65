import type { CommandCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { accountOf, findOwners, insertMember, insertPerson } from '../people/people.sql.ts';
import { lockWorkspaceRow } from '../workspaces/workspaces.sql.ts';
import { linkLasts, newLink } from './new-link.ts';

/**
 * A link that signs an owner of the workspace in, once, for 30 minutes: its eldest, or a first one who is made for it and
 * has no address yet. For who runs the installation.
 */
export async function ownerLink(tx: Tx, ctx: CommandCtx, workspaceId: string): Promise<string> {
  await lockWorkspaceRow(tx, workspaceId);
  const [owner] = await findOwners(tx, workspaceId);
  const personId = owner?.personId ?? (await addOwner(tx, ctx, workspaceId));
  audit(tx, ctx, {
    workspaceId,
    actor: 'operator',
    action: 'createPersonLink',
    target: encodeId('person', personId),
  });
  const accountId = owner === undefined ? personId : accountOf(owner);
  return newLink(tx, ctx, { personId: accountId, lastsMs: linkLasts.asked, proves: null, asked: false });
}

async function addOwner(tx: Tx, ctx: CommandCtx, workspaceId: string): Promise<string> {
  const personId = newUuidV7();
  const createdAt = ctx.app.now();
  const [name, role] = ['Owner', 'owner'] as const;
  await insertPerson(tx, { personId, homeId: workspaceId, email: null, createdAt });
  await insertMember(tx, {
    personId,
    accountId: null,
    workspaceId,
    email: null,
    name,
    role,
    partnerId: null,
    pin: null,
    pending: false,
    createdAt,
  });
  audit(tx, ctx, {
    workspaceId,
    actor: 'operator',
    action: 'createPerson',
    target: encodeId('person', personId),
    detail: { name, role },
  });
  return personId;
}

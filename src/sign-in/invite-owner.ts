import type { Static } from 'typebox';
import type { ActorCtx, OperatorCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { accountOf, findMember, findMemberByEmail, findPerson } from '../people/people.sql.ts';
import { lockWorkspaceRow } from '../workspaces/workspaces.sql.ts';
import { addPerson, giveLink, personExists, usableEmail } from './create-person.ts';
import { type NewOwner, presentPerson } from './person.schema.ts';

type Input = Static<typeof NewOwner> & { readonly workspaceId: string };

/**
 * The operator invites an owner of a workspace. One who was invited and has not joined gets a new link. Raises `person_exists` for a
 * person who has joined, or is no owner.
 */
export async function inviteOwner(
  tx: Tx,
  { operator: _, ...ctx }: OperatorCtx,
  { workspaceId, name, email: given }: Input,
  acceptLanguage: string | undefined,
) {
  const own: ActorCtx = { ...ctx, workspaceId, actor: 'operator', passIds: null };
  await lockWorkspaceRow(tx, workspaceId);
  const email = usableEmail(given);
  const known = await findMemberByEmail(tx, workspaceId, email);
  const member = known && (await findMember(tx, workspaceId, known.personId));
  const invited =
    member === undefined
      ? await addPerson(tx, own, { email, name, role: 'owner', pinHash: null }, acceptLanguage)
      : await again();
  audit(tx, own, { action: 'inviteOwner', target: invited.personId, detail: { name: invited.name } });
  return invited;

  async function again() {
    const person = member && (await findPerson(tx, accountOf(member)));
    if (member === undefined || person === undefined || !member.pending || member.role !== 'owner')
      throw personExists(known?.personId ?? '');
    const link = await giveLink(tx, own, { person, name: member.name, acceptLanguage });
    return { ...presentPerson(member), link };
  }
}

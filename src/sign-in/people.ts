import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import { changedProperties } from '../events/changed-properties.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import {
  accountOf,
  changeMember,
  deleteIfAlone,
  deleteMember,
  findMember,
  findMemberByEmail,
  findOwners,
  type MemberRow,
  setAddress,
} from '../people/people.sql.ts';
import { lockWorkspaceRow } from '../workspaces/workspaces.sql.ts';
import { boundPartner, personExists, usableEmail } from './create-person.ts';
import { type PersonChanges, presentPerson } from './person.schema.ts';
import { hashPin, refuseViewersPin } from './pin-rules.ts';

/** A person of the caller's workspace by their public id; raises `person_not_found`, also for one of another workspace. */
export async function findOwnPerson(
  db: Db,
  { workspaceId }: Pick<KeyCtx, 'workspaceId'>,
  publicId: string,
): Promise<MemberRow> {
  const personId = decodeId('person', publicId);
  const row = personId === null ? undefined : await findMember(db, workspaceId, personId);
  if (row === undefined)
    throw refusal('person_not_found', 'No person in this workspace has this id. GET /people lists them.');
  return row;
}

/** What is stored of a new PIN, of a person who is there. Raises `person_not_found`, `overloaded`, and `invalid_request`. */
export async function preparePin(
  ctx: KeyCtx,
  publicId: string,
  pin: string | null | undefined,
): Promise<string | null | undefined> {
  if (typeof pin !== 'string') return pin;
  await findOwnPerson(ctx.app.database.db, ctx, publicId);
  return hashPin(ctx, pin);
}

/**
 * `pin` is what is stored of a new PIN. Changes what a person is called and may do in the workspace; a person without an address can get one. It counts within a
 * second in every process. Raises `last_owner`, `person_exists` and `partner_not_found`.
 */
export async function updatePerson(
  tx: Tx,
  ctx: KeyCtx,
  input: { personId: string; changes: Static<typeof PersonChanges>; pin: string | null | undefined },
) {
  const { workspaceId } = ctx;
  await lockWorkspaceRow(tx, workspaceId);
  const before = await findOwnPerson(tx, ctx, input.personId);
  const { name = before.name, role = before.role, email } = input.changes;
  if (role !== 'owner') await refuseIfLastOwner(tx, before);
  const kept = role === 'staff' ? before.partnerId : null;
  const partnerId =
    input.changes.partnerId === undefined ? kept : await boundPartner(tx, ctx, role, input.changes.partnerId);
  const { pin = role === 'viewer' ? null : before.pin } = input;
  if (pin !== null) refuseViewersPin(role);
  await changeMember(tx, workspaceId, before.personId, { name, role, partnerId, pin });
  const given = email === undefined ? before.email : await giveAddress(tx, before, usableEmail(email));
  const shown = presentPerson({ ...before, name, role, partnerId, pin, email: given });
  const { previous, current } = changedProperties(
    { ...presentPerson(before), email: null },
    { ...shown, email: null },
  );
  audit(tx, ctx, {
    action: 'updatePerson',
    target: shown.personId,
    detail: { before: previous, after: current },
  });
  return shown;
}

/** A changed address would let its owner sign in as the person in every workspace, so it is given only once. */
async function giveAddress(tx: Tx, member: MemberRow, email: string): Promise<string> {
  const { workspaceId } = member;
  if (member.email === email) return email;
  if (member.email !== null)
    throw invalidField(
      'email',
      'fixed',
      'an address stays. Invite the other address, and remove this person.',
    );
  const other = await findMemberByEmail(tx, workspaceId, email);
  if (other !== undefined) throw personExists(other.personId);
  await setAddress(tx, member, email);
  return email;
}

/** Takes a person out of the workspace: within a second they reach nothing of it. Raises `last_owner`. */
export async function deletePerson(tx: Tx, ctx: KeyCtx, publicId: string): Promise<void> {
  await lockWorkspaceRow(tx, ctx.workspaceId);
  const member = await findOwnPerson(tx, ctx, publicId);
  const { personId, name, role } = member;
  await refuseIfLastOwner(tx, member);
  await takeOut(tx, member);
  audit(tx, ctx, {
    action: 'deletePerson',
    target: encodeId('person', personId),
    detail: { before: { name, role } },
  });
}

/** Removes a member, and who it is where they belong nowhere else. */
export async function takeOut(tx: Tx, member: MemberRow): Promise<void> {
  await deleteMember(tx, member.workspaceId, member.personId);
  await deleteIfAlone(tx, accountOf(member));
}

/** Raises `last_owner` for the last one who has joined; where none has, for the last one who is invited. */
export async function refuseIfLastOwner(
  tx: Tx,
  { workspaceId, personId, role, pending }: MemberRow,
): Promise<void> {
  if (role !== 'owner') return;
  const owners = await findOwners(tx, workspaceId);
  if (owners.some((owner) => owner.personId !== personId && (pending || !owner.pending))) return;
  throw refusal('last_owner', 'This is the last owner of the workspace. Make another person an owner first.');
}

import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { normalText } from '../kit/http/endpoints/parameters.ts';
import { encodeId } from '../kit/ids.ts';
import { normalEmail } from '../kit/mail/address.ts';
import { findPass, refuseUnpublished } from '../passes/find-pass.ts';
import type { NewInvite } from './invite.schema.ts';
import { invitePeople, newInvite } from './invite-people.ts';
import type { InviteRow } from './invite-row.ts';
import { findInviteOf, insertInvites, noteClaim } from './invites.sql.ts';

/**
 * Invites one person to a pass. Answers the invitation of the address, with the status that this call has led to: a person who was
 * invited before is not mailed again, and `suppressed` and `already_holder` say why no mail leaves.
 * Raises `invalid_request`, what `findPass` raises, and `pass_not_active`.
 */
export async function createInvite(
  tx: Tx,
  ctx: KeyCtx,
  input: { readonly passId: string; readonly person: Static<typeof NewInvite>; readonly key: string | null },
): Promise<InviteRow> {
  const { email, name = null, locale = null } = input.person;
  const identifier =
    input.person.identifier == null ? null : normalText('identifier', input.person.identifier);
  if (normalEmail(email) === null)
    throw invalidField('email', 'format', 'no mail can be sent to this address. Check its spelling.', {
      limit: 'email',
    });
  const pass = await findPass(tx, ctx, input.passId);
  refuseUnpublished(pass);
  const scope = { workspaceId: ctx.workspaceId, passId: pass.passId, sweepId: null, storeId: null };
  const person = { email, name, locale, identifier };
  const [judged] = await invitePeople(tx, ctx, scope, [person]);
  if (judged?.contact == null) throw new Error('a good address was not judged');
  const { verdict, contact } = judged;
  const stopped = verdict === 'suppressed' || verdict === 'already_holder' ? verdict : null;
  // The call is to be found under an id of its own, also where nothing is sent.
  if (stopped !== null) await insertInvites(tx, scope, [newInvite(person, contact, stopped)], ctx.app.now());
  const invite = await findInviteOf(tx, scope, contact.hash);
  if (invite === undefined) throw new Error('an invitation that was just written is gone');
  if (input.key !== null) await noteClaim(tx, invite, { operation: 'createInvite', key: input.key });
  audit(tx, ctx, {
    action: 'createInvite',
    target: encodeId('invite', invite.inviteId),
    detail: { passId: input.passId, verdict },
  });
  return { ...invite, status: stopped ?? invite.status };
}

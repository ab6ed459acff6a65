import type { ActorCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Db } from '../kit/db/database.ts';
import { decodeId } from '../kit/ids.ts';
import { refuseOtherPass } from '../passes/find-pass.ts';
import { findMessageOf, type MessageRow, messageExists } from '../pushes/messages.sql.ts';

/**
 * A message of the caller by its public id. Raises `message_not_found`; `forbidden` when another account sent it;
 * `insufficient_scope` when the key is restricted to other passes.
 */
export async function findMessage(db: Db, ctx: ActorCtx, publicId: string): Promise<MessageRow> {
  const messageId = decodeId('push', publicId);
  const row = messageId === null ? undefined : await findMessageOf(db, ctx.workspaceId, messageId);
  if (row !== undefined) {
    refuseOtherPass(ctx, row.passId);
    return row;
  }
  if (messageId !== null && (await messageExists(db, messageId)))
    throw refusal('forbidden', 'This message belongs to another account.');
  throw refusal(
    'message_not_found',
    'No message has this id. GET /passes/{passId}/messages lists those of a pass.',
  );
}

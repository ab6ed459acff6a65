import type { PublicCtx } from '../../context.ts';
import { encodeId } from '../../kit/ids.ts';
import type { GoogleCardType } from '../../wallet/google/card.ts';
import { type Asked, askGoogle } from './ask-google.ts';
import { type ClassRow, exchangeMessage, findClass, noteClassNotified } from './classes.sql.ts';
import type { GoogleIssuer } from './google-issuer.ts';
import { mayNotify } from './notification-quota.ts';

interface MessageClass {
  readonly workspaceId: string;
  readonly passId: string;
  readonly classId: string;
  readonly type: GoogleCardType;
  /** Who sends the message, as the holder reads it. */
  readonly organization: string;
}

/**
 * Adds the newest message to the class of a pass, for all of its cards at once, unless Google has it; `done` when it
 * was added, or is being added by somebody else. A worker that dies in the middle leaves it out: Google would show a
 * repetition as a second message.
 */
export async function tellMessage(ctx: PublicCtx, google: GoogleIssuer, of: MessageClass): Promise<Asked> {
  const { database, log } = ctx.app;
  const known = await findClass(database.db, of);
  if (known === undefined || known.message === null) return { kind: 'done' };
  const { messageRolloutId: earlier, newestRolloutId: newest } = known;
  if (newest === null || newest === earlier) return { kind: 'done' };
  const isOurs = await database.transaction((tx) => exchangeMessage(tx, of, { from: earlier, to: newest }));
  if (!isOurs) return { kind: 'done' };

  const result = await send(ctx, google, of, { ...known, text: known.message, rolloutId: newest });
  if (result.kind === 'refused')
    log.error({ reason: result.reason, passId: encodeId('pass', of.passId) }, 'Google refuses a message');
  else if (result.kind !== 'done')
    await database.transaction((tx) => exchangeMessage(tx, of, { from: newest, to: earlier }));
  return result;
}

/** Announced by phones as long as the class may; beyond that it arrives silently. */
async function send(
  ctx: PublicCtx,
  google: GoogleIssuer,
  of: MessageClass,
  { notifiedAt, text, rolloutId }: ClassRow & { readonly text: string; readonly rolloutId: string },
): Promise<Asked> {
  const { database, log, now } = ctx.app;
  const message = { header: of.organization, body: text, id: encodeId('push', rolloutId) };
  const add = (notify: boolean) =>
    askGoogle(() => google.wallet.addMessage(of.type, of.classId, { ...message, notify }));
  if (mayNotify(notifiedAt, now())) {
    const result = await add(true);
    if (result.kind === 'done') await database.transaction((tx) => noteClassNotified(tx, of, now()));
    if (result.kind !== 'quota') return result;
  }
  log.warn({ passId: encodeId('pass', of.passId) }, 'a message is silent: its notifications are used up');
  return add(false);
}

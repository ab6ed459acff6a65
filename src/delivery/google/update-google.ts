import type { PublicCtx } from '../../context.ts';
import { encodeId } from '../../kit/ids.ts';
import { allEnded } from '../../kit/promises.ts';
import type { CardRow } from '../../rendering/read-cards.ts';
import type { GoogleCardType } from '../../wallet/google/card.ts';
import { type Asked, askGoogle } from './acquire-pace.ts';
import {
  type ClassRow,
  exchangeMessage,
  findClass,
  forgetClass,
  noteClassNotified,
  type PassAtGoogle,
} from './classes.sql.ts';
import { googleCard, type HashedCard } from './google-card.ts';
import type { GoogleIssuer } from './google-issuer.ts';
import { keepClass } from './keep-class.ts';
import { mayNotify } from './notification-quota.ts';
import { type DueObject, exchangeOwnMessage } from './objects.sql.ts';

/** An object that is due, and its card as it is now. */
export interface DueCard {
  readonly object: DueObject;
  readonly card: CardRow;
}

/** The outcome for an object that was due. */
export interface Outcome {
  readonly object: DueObject;
  readonly result: Exclude<Asked, { kind: 'quota' | 'missing' }>;
  /** Whether Google was asked at all. */
  readonly asked: boolean;
  /** What it was to become; null where it does not matter, since no holder keeps it. */
  readonly content: Buffer | null;
  /** Whether phones were asked to announce it; `silent` where they would have been, had any notification been left. */
  readonly notice: 'notified' | 'silent' | 'none';
}

/**
 * Sends due cards of one pass to Google: their class first, where it has changed, then the newest message, then
 * each object that is not what Google was sent last.
 */
export async function sendToGoogle(
  ctx: PublicCtx,
  google: GoogleIssuer,
  due: readonly DueCard[],
): Promise<Outcome[]> {
  const wanted = due.map((each) => wantedOf(ctx, google, each));
  const sent = wanted.filter((each) => 'wanted' in each);
  const [first] = sent;
  if (first === undefined) return wanted.filter((each) => 'result' in each);
  const { result, notifiedAt } = await updateClass(ctx, google, first);
  const outcomes = sent.map(async (each) =>
    result.kind === 'done'
      ? updateCard(ctx, google, each, notifiedAt)
      : unasked(each.object, lasting(result)),
  );
  return [...wanted.filter((each) => 'result' in each), ...(await allEnded(outcomes))];
}

interface WantedCard extends DueCard {
  readonly wanted: HashedCard;
}

/** What is to be sent to Google of a card; the outcome where that is nothing. */
function wantedOf(ctx: PublicCtx, google: GoogleIssuer, due: DueCard): WantedCard | Outcome {
  const { object, card } = due;
  // A save that was not completed: no holder keeps the object. Only an erased card is wiped there all the same.
  const isIdle = !object.saved && (card.erasedAt === null || object.content === null);
  if (isIdle) return unasked(object, { kind: 'done' });
  try {
    return { ...due, wanted: googleCard(ctx, google.issuerId, card) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'the card cannot be shown there';
    return unasked(object, { kind: 'refused', reason });
  }
}

/** What all cards of the pass share; and the notifications that they have made together. */
async function updateClass(
  ctx: PublicCtx,
  google: GoogleIssuer,
  { card, wanted }: WantedCard,
): Promise<{ readonly result: Asked; readonly notifiedAt: readonly Date[] }> {
  const kept = await keepClass(ctx, google, card, wanted);
  if (kept.kind !== 'done') return { result: kept, notifiedAt: [] };
  const { workspaceId, passId, type, organization } = card;
  const { ownIssuerId } = google;
  const of = { workspaceId, passId, ownIssuerId, type, organization, classId: wanted.class.resource.id };
  const result = await sendMessageClass(ctx, google, of);
  if (result.kind === 'missing') await forget(ctx, of);
  const known = await findClass(ctx.app.database.db, of);
  return { result, notifiedAt: known?.notifiedAt ?? [] };
}

async function updateCard(
  ctx: PublicCtx,
  google: GoogleIssuer,
  { object, card, wanted }: WantedCard,
  classNotifiedAt: readonly Date[],
): Promise<Outcome> {
  const { resource, content } = wanted.object;
  const exists = object.content !== null;
  const mayAnnounce = mayNotify([...object.notifiedAt, ...classNotifiedAt], ctx.app.now());
  const sent = exists ? await sendOwnMessage(ctx, google, { object, card, wanted }, mayAnnounce) : null;
  if (sent !== null && sent.result.kind !== 'done') {
    if (sent.result.kind === 'missing') await forget(ctx, { ...card, ownIssuerId: google.ownIssuerId });
    return { object, result: lasting(sent.result), asked: true, content: null, notice: 'none' };
  }
  const heard = sent?.notice ?? 'none';
  if (object.content?.equals(content))
    return { object, result: { kind: 'done' }, asked: sent !== null, content, notice: heard };
  // Generic cards announce nothing but messages, and a new object is no change; a message has announced itself.
  const wouldNotify = exists && wanted.type !== 'generic' && sent === null;
  const notify = wouldNotify && mayAnnounce;
  const put = (asked: boolean) =>
    askGoogle(() => google.wallet.putObject(wanted.type, resource, { exists, notify: asked }));
  const first = await put(notify);
  const result = first.kind === 'quota' ? await put(false) : first;
  if (result.kind === 'missing') await forget(ctx, { ...card, ownIssuerId: google.ownIssuerId });
  const announced = notify && first.kind !== 'quota';
  const notice = announced ? 'notified' : wouldNotify ? 'silent' : heard;
  return { object, result: lasting(result), asked: true, content, notice };
}

/**
 * Adds the newest message to an audience to the object of a card, unless Google has it; null where there is none to add. A
 * worker that dies in the middle leaves it out, as with a message to all cards.
 */
async function sendOwnMessage(
  ctx: PublicCtx,
  google: GoogleIssuer,
  { object, card, wanted }: WantedCard,
  mayAnnounce: boolean,
): Promise<{ readonly result: Asked; readonly notice: Outcome['notice'] } | null> {
  const { database, log } = ctx.app;
  const { ownMessageId: newest, message: body } = card;
  const earlier = object.messageId;
  if (newest === null || body === null || newest === earlier) return null;
  if (!(await database.transaction((tx) => exchangeOwnMessage(tx, card, { from: earlier, to: newest }))))
    return null;
  const message = { header: card.organization, body, id: encodeId('push', newest) };
  const add = (notify: boolean) =>
    askGoogle(() =>
      google.wallet.addObjectMessage(wanted.type, wanted.object.resource.id, { ...message, notify }),
    );
  const first = await add(mayAnnounce);
  const result = first.kind === 'quota' ? await add(false) : first;
  if (result.kind === 'refused') {
    log.error(
      { reason: result.reason, instanceId: encodeId('inst', card.instanceId) },
      'Google refuses a message',
    );
    return null;
  }
  if (result.kind !== 'done')
    await database.transaction((tx) => exchangeOwnMessage(tx, card, { from: newest, to: earlier }));
  return { result, notice: mayAnnounce && first.kind !== 'quota' ? 'notified' : 'silent' };
}

function unasked(object: DueObject, result: Outcome['result']): Outcome {
  return { object, result, asked: false, content: null, notice: 'none' };
}

/** Google has lost the class: the next turn makes it anew. */
async function forget(ctx: PublicCtx, pass: PassAtGoogle): Promise<void> {
  await ctx.app.database.transaction((tx) => forgetClass(tx, pass));
}

/** What another turn will mend is left to it. */
function lasting(result: Asked): Outcome['result'] {
  if (result.kind === 'missing') return { ...result, kind: 'later', afterMs: 1_000 };
  return result.kind === 'quota'
    ? { kind: 'later', reason: 'the notifications are used up', afterMs: 1_000 }
    : result;
}

interface MessageClass extends PassAtGoogle {
  readonly classId: string;
  readonly type: GoogleCardType;
  /** Who sends the message, as the holder reads it. */
  readonly organization: string;
}

/**
 * Adds the newest message to the class of a pass, for all of its cards at once, unless Google has it; `done` when it
 * was added, or is being added by another worker. A worker that dies in the middle leaves it out: Google would show a
 * repetition as a second message.
 */
async function sendMessageClass(ctx: PublicCtx, google: GoogleIssuer, of: MessageClass): Promise<Asked> {
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

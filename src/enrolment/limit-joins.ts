import { countIn, type Limit, tooManyRequests } from '../access/limits.ts';
import type { PublicCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { isOurChallenge, isWorkDone, newChallenge } from '../kit/crypto/proof-of-work.ts';
import { addressBucket } from '../kit/http/endpoints/client-address.ts';
import { encodeId } from '../kit/ids.ts';
import { dayEnd, dayOf } from '../kit/time.ts';
import { countJoin, countJoined } from './days.sql.ts';
import type { OpenForm } from './open-form.ts';

/** The enrolments from one address, of browsers that have done the work: a shop's customers share the address of its WiFi. */
const worked: Limit = { atOnce: 40, everyS: 4 };
/** The same for browsers that have not, since they run no scripts. */
const unworked: Limit = { atOnce: 5, everyS: 60 };
/** How often one piece of work counts: a button is pressed twice, a page is gone back to. */
const perWork: Limit = { atOnce: 3, everyS: 3_600 };

/** What a page was given to work on, and what it has found. */
export interface Work {
  readonly challenge: string;
  readonly answer: string;
}

/** A proof of work for the browser that opens the page of a pass. */
export function challengeFor({ app }: PublicCtx, passId: string): string {
  return newChallenge(app.addressHash, topicOf(passId), app.now());
}

/** Whether a page of the pass was given this challenge, however long ago. */
export function isChallengeOf({ app }: PublicCtx, passId: string, challenge: string): boolean {
  return isOurChallenge(app.addressHash, topicOf(passId), challenge, null);
}

function topicOf(passId: string): string {
  return `join ${passId}`;
}

/**
 * Counts an enrolment against the address that it comes from: with work that counts against a wide limit, without
 * against a narrow one. Raises `rate_limited`.
 */
export async function limitJoins(
  { app, ip }: PublicCtx,
  { pass }: OpenForm,
  work: Work | null,
): Promise<void> {
  const counts =
    work !== null &&
    isOurChallenge(app.addressHash, topicOf(pass.passId), work.challenge, app.now()) &&
    isWorkDone(work.challenge, work.answer) &&
    (await countIn(app, `join-work:${work.challenge}`, perWork)).allowed;
  const from = addressBucket(ip ?? '');
  const verdict = await (counts
    ? countIn(app, `join-from:${from}`, worked)
    : countIn(app, `join-slowly:${from}`, unworked));
  if (!verdict.allowed) throw tooManyRequests(verdict);
}

/** Raises `rate_limited` where as many have joined today as may; with `counts`, one more has. */
export async function limitDay(ctx: PublicCtx, open: OpenForm, counts: boolean): Promise<void> {
  const { pass, workspace, form } = open;
  const most = form.limitPerDay;
  if (most === null) return;
  const { database, now } = ctx.app;
  const { timezone } = workspace;
  const day = dayOf(timezone, now());
  const key = { workspaceId: pass.workspaceId, passId: pass.passId, day };
  const isOpen = counts
    ? await database.transaction((tx) => countJoin(tx, key, most))
    : (await countJoined(database.db, key)) < most;
  if (isOpen) return;
  const waitMs = dayEnd(timezone, now()).getTime() - now().getTime();
  const message = `As many have enrolled to ${encodeId('pass', pass.passId)} today as may. Come back tomorrow.`;
  throw refusal(
    'rate_limited',
    message,
    {},
    { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) },
  );
}

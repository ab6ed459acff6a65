import { hash, randomBytes } from 'node:crypto';
import { fittingLocale, fittingPhone } from '../cards/keep-holder.ts';
import type { ActorCtx, PublicCtx } from '../context.ts';
import { emailHashOf } from '../engine/email-hash.ts';
import { refusal } from '../errors.ts';
import { decodeIdToken, encodeIdToken, isSameSecret } from '../kit/crypto/tokens.ts';
import { ApiError } from '../kit/http/api-error.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { issueInstance } from '../lifecycle/issue-instances.ts';
import { itemOf, newHere } from '../lifecycle/issue-item.ts';
import { askedLanguage } from '../locales/languages.ts';
import { mayMail } from '../mail/mail-limits.ts';
import { mailProof } from './join-letter.ts';
import { isChallengeOf, limitDay, limitJoins, type Work } from './limit-joins.ts';
import { findOpenForm, forShop, type OpenForm } from './open-form.ts';
import { insertProof, type JoinProof, type ProvenPerson } from './proofs.sql.ts';
import { type Entered, type Entries, readEntries } from './read-entries.ts';

/** An enrolment as it came in. */
export interface Enrolment extends Entries {
  /** What its page was given to work on; a form that is sent again is known by it. */
  readonly challenge: string | null;
  /** What was found; null of a browser that runs no scripts. */
  readonly work: string | null;
  /** The languages that its browser asks for, in its own words. */
  readonly acceptLanguage: string | undefined;
}

/** The outcome: the card's page, or a mail on its way to the given address. */
export type Joined = { readonly link: string } | { readonly mailedTo: string };

/** How long the button of a mail works. */
const proofLastsMs = 86_400_000;

/**
 * Enrols a person. A person who names an address gets a mail and nothing else, whether or not there is a card with it: its button
 * leads to the card. A person who names none gets a card at once. Raises `invalid_join`, `rate_limited`, and what
 * `findOpenForm` and the issue of a card raise.
 */
export async function enrol(
  ctx: PublicCtx,
  passId: string,
  enrolment: Enrolment,
): Promise<{ readonly open: OpenForm; readonly joined: Joined }> {
  const open = await findOpenForm(ctx, passId);
  return forShop(ctx, open, async () => ({ open, joined: await enrolIn(ctx, open, enrolment) }));
}

async function enrolIn(ctx: PublicCtx, open: OpenForm, enrolment: Enrolment): Promise<Joined> {
  const { challenge, work } = enrolment;
  await limitJoins(ctx, open, workOf(challenge, work));
  const entered = readEntries(open, enrolment);
  const locale = fittingLocale(askedLanguage(enrolment.acceptLanguage));
  const { email } = entered;
  await limitDay(ctx, open, email === null);
  if (email === null) {
    const { link } = await issueTo(ctx, open, entered, { locale, key: keyOf(ctx, open, entered, challenge) });
    return { link };
  }
  await askForProof(ctx, open, { ...entered, email, locale });
  return { mailedTo: email };
}

function workOf(challenge: string | null, answer: string | null): Work | null {
  return challenge === null || answer === null ? null : { challenge, answer };
}

async function askForProof(ctx: PublicCtx, open: OpenForm, person: ProvenPerson): Promise<void> {
  const { workspaceId, passId } = open.pass;
  if (!(await mayMail(ctx, workspaceId, person.email))) return;
  const now = ctx.app.now();
  const proof: JoinProof = {
    workspaceId,
    proofId: newUuidV7(),
    passId,
    linkSecret: randomBytes(16),
    emailHash: emailHashOf(ctx, workspaceId, person.email),
    person,
    createdAt: now,
    expiresAt: new Date(now.getTime() + proofLastsMs),
  };
  await ctx.app.database.transaction((tx) => insertProof(tx, proof));
  mailProof(ctx, open, { ...proof, token: proofToken(proof) });
}

function proofToken({ workspaceId, proofId, linkSecret }: JoinProof): string {
  return encodeIdToken({ scope: workspaceId, id: proofId, secret: linkSecret });
}

/** What a token names; the secret is still to be compared with `opensProof`. */
export function readProofToken(token: string) {
  const read = decodeIdToken(token);
  return read && { workspaceId: read.scope, proofId: read.id, secret: read.secret };
}

/** Compares the secret of a link in constant time. */
export function opensProof(target: { readonly secret: Buffer }, proof: JoinProof): boolean {
  return isSameSecret(target.secret, proof.linkSecret);
}

/** A form that is sent twice is one enrolment: known by what the page was given, and by what was entered on it. */
function keyOf(
  ctx: PublicCtx,
  { pass }: OpenForm,
  entered: Entered,
  challenge: string | null,
): string | null {
  if (challenge === null || !isChallengeOf(ctx, pass.passId, challenge)) return null;
  return `join:${hash('sha256', JSON.stringify([challenge, entered]), 'base64url')}`;
}

/**
 * Issues a card for what was entered, and keeps the consents with it. An address is the holder's identifier, so that
 * however many ask at a time, there is one card. What is sent again with the same key is one issue. Answers the card and
 * the address of its page.
 */
export async function issueTo(
  ctx: PublicCtx,
  open: OpenForm,
  { name, email, phone, fields, consents }: Entered,
  { locale, key }: { readonly locale: string | null; readonly key: string | null },
): Promise<{ readonly instanceId: string; readonly link: string }> {
  const own = actorOf(ctx, open);
  // A mail of a former version may bring another spelling.
  const number = await fittingPhone(own, phone);
  const holder = { identifier: email, name, email, ...number, locale };
  const input = { holder, ...(Object.keys(fields).length > 0 && { fields }) };
  try {
    const passId = encodeId('pass', open.pass.passId);
    const { body } = await issueInstance(itemOf(own, passId, input, key, { ...newHere, consents }));
    return { instanceId: body.instanceId, link: body.links.add };
  } catch (error) {
    // A member may have changed it while the person was filling in the form.
    if (
      error instanceof ApiError &&
      /^(unknown_field|fields_not|template_owned|pass_|external_ref)/.test(error.code)
    )
      throw refusal('pass_not_found', 'What this page asks for has changed. Open it again.');
    throw error;
  }
}

/** The context of an enrolment: the person acts for the pass. */
export function actorOf(ctx: PublicCtx, { pass }: OpenForm): ActorCtx {
  return { ...ctx, workspaceId: pass.workspaceId, actor: encodeId('pass', pass.passId), passIds: null };
}

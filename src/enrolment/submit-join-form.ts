import type { PublicCtx } from '../context.ts';
import { ApiError } from '../kit/http/api-error.ts';
import { isPersonKey } from '../passes/join-form.ts';
import type { PageDocument } from '../rendering/page-document.ts';
import { type Enrolment, enrol } from './join.ts';
import { joinPage, joinPageHeaders, sentPage } from './join-page.ts';
import { findOpenForm } from './open-form.ts';
import type { JoinProblem } from './read-entries.ts';

/** The form of the page as a browser sends it: `name`, `field_tier`, `consent_news`. */
export type SentForm = Readonly<Record<string, string>>;

/**
 * Enrols the sender of the form. Returns the address of their card's page, or the page that says that a mail is on its
 * way. Raises what `enrol` raises.
 */
export async function submitJoinForm(
  ctx: PublicCtx,
  passId: string,
  sent: SentForm,
  acceptLanguage: string | undefined,
): Promise<{ readonly link: string } | { readonly page: PageDocument }> {
  const { open, joined } = await enrol(ctx, passId, enrolmentOf(sent, acceptLanguage)).catch(
    async (error) => {
      throw await withForm(ctx, passId, error, { sent, acceptLanguage });
    },
  );
  if ('link' in joined) return joined;
  return { page: await sentPage(ctx, open, { email: joined.mailedTo, acceptLanguage }) };
}

/** The refusal of an entry, with the form as it was sent and what is wrong at its field. */
async function withForm(
  ctx: PublicCtx,
  passId: string,
  error: unknown,
  { sent, acceptLanguage }: { readonly sent: SentForm; readonly acceptLanguage: string | undefined },
): Promise<unknown> {
  const key = error instanceof ApiError && error.code === 'invalid_join' ? error.extra.key : undefined;
  if (!(error instanceof ApiError) || typeof key !== 'string') return error;
  const open = await findOpenForm(ctx, passId);
  const { fields, consents } = open.form;
  if (![...fields, ...consents].some((entry) => entry.key === key)) return error;
  const page = await joinPage(ctx, open, acceptLanguage, {
    sent,
    problem: { key, reason: error.extra.reason as JoinProblem },
  });
  error.page = { html: page.html, headers: joinPageHeaders(open, page) };
  return error;
}

/** Other fields of a form, such as those that a browser's extension has added, are ignored. */
function enrolmentOf(sent: SentForm, acceptLanguage: string | undefined): Enrolment {
  const values: Record<string, string> = {};
  const consents: Record<string, boolean> = {};
  for (const [name, value] of Object.entries(sent)) {
    const [, kind, key] = /^(field|consent)_([a-z][a-z0-9_]{0,39})$/.exec(name) ?? [];
    if (isPersonKey(name)) values[name] = value;
    else if (kind === 'field' && key !== undefined) values[key] = value;
    else if (kind === 'consent' && key !== undefined) consents[key] = value !== '';
  }
  const { challenge = null, work = null } = sent;
  return { values, consents, challenge: challenge || null, work: work || null, acceptLanguage };
}

import type { PublicCtx } from '../context.ts';
import { isPersonKey } from '../passes/join-form.ts';
import type { PageDocument } from '../rendering/page-document.ts';
import { type Enrolment, enrol } from './join.ts';
import { sentPage } from './join-page.ts';

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
  const { open, joined } = await enrol(ctx, passId, enrolmentOf(sent, acceptLanguage));
  if ('link' in joined) return joined;
  return { page: await sentPage(ctx, open, { email: joined.mailedTo, acceptLanguage }) };
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

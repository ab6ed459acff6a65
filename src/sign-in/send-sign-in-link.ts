import type { PublicCtx } from '../context.ts';
import { foldAddress } from '../kit/mail/address.ts';
import { askedLanguage } from '../locales/languages.ts';
import { listByAddress } from '../people/people.sql.ts';
import { postLink } from './letters.ts';
import { limitTries } from './limit-tries.ts';
import { linkLasts, newLink } from './new-link.ts';

/** The mails at once, and then the seconds for each further one: to one address, and from one. */
export const mailLimits = { to: { atOnce: 5, everyS: 120 }, from: { atOnce: 60, everyS: 20 } };

/**
 * Mails a sign-in link to the person who has the address, in the language of the browser. The request does not wait for the search, so that answer and time are the same
 * for an unknown address. Raises `rate_limited`.
 */
export async function sendSignInLink(
  ctx: PublicCtx,
  email: string,
  acceptLanguage: string | undefined,
): Promise<void> {
  const address = foldAddress(email);
  await limitTries(ctx, 'link', address, mailLimits);
  void sendIfKnown(ctx, address, askedLanguage(acceptLanguage)).catch((error) =>
    ctx.app.log.error({ err: error }, 'a sign-in link was not mailed'),
  );
}

/**
 * Without a mail server the mail is a file, which the operator can read: it proves nothing, so each workspace
 * that has made an account of this address has one of its own.
 */
async function sendIfKnown(ctx: PublicCtx, email: string, locale: string | null): Promise<void> {
  const { database, config } = ctx.app;
  const proves = config.mail.smtpUrl === null ? null : email;
  const known = await listByAddress(database.db, email);
  for (const { personId, workspace } of proves === null ? known : known.slice(0, 1)) {
    const link = await database.transaction((tx) =>
      newLink(tx, ctx, { personId, lastsMs: linkLasts.asked, proves, asked: true }),
    );
    postLink(ctx, { to: email, link, locale, from: proves === null ? workspace : null, invitedTo: null });
  }
}

import type { PublicCtx } from '../context.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { wordsIn } from '../locales/languages.ts';
import { greetable } from '../mail/mail-names.ts';
import { mailPerson } from '../mail/mail-person.ts';

interface LinkLetter {
  readonly to: string;
  readonly link: string;
  /** BCP 47, as far as it is known what they read. */
  readonly locale: string | null;
  /** The workspace that it leads to, where it leads to one alone. */
  readonly from?: string | null;
  /** The workspace that invites, and the invited person; null: they have asked for the link themselves. */
  readonly invitedTo: { readonly workspace: string; readonly name: string } | null;
}

/** Mails a sign-in link without waiting for it: the duration would reveal whether there is such a person. */
export function postLink(
  ctx: Pick<PublicCtx, 'app'>,
  { to, link, locale, from, invitedTo }: LinkLetter,
): void {
  const { words, language } = wordsIn(locale);
  const { mail } = words.people;
  const name = greetable(invitedTo?.name ?? null);
  const hello = name === null ? words.join.helloUnnamed : mail.hello;
  const said =
    invitedTo === null
      ? { subject: mail.linkSubject, paragraphs: [mail.linkText, mail.linkHint] }
      : { subject: mail.invitedSubject, paragraphs: [hello, mail.invitedText, mail.invitedHint] };
  mailPerson(
    ctx,
    {
      to,
      key: `link_${newUuidV7().replaceAll('-', '')}`,
      from: invitedTo?.workspace ?? from ?? 'Punchcard',
      language,
      names: { workspace: invitedTo?.workspace ?? '', name: name ?? '' },
      ...said,
      link: { url: link, text: mail.signIn },
    },
    'a sign-in link was not mailed',
  );
}

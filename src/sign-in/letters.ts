import type { PublicCtx } from '../context.ts';
import type { Tx } from '../kit/db/database.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { askedLanguage, wordsIn } from '../locales/languages.ts';
import { greetable } from '../mail/mail-names.ts';
import { type Letter, mailPerson } from '../mail/mail-person.ts';

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

interface Addressee {
  readonly to: string;
  readonly acceptLanguage: string | undefined;
}

/** Mails the link that proves an address, after the commit. */
export function postProof(
  tx: Tx,
  ctx: Pick<PublicCtx, 'app'>,
  { to, acceptLanguage, link }: Addressee & { readonly link: string },
): void {
  const { words, language } = wordsIn(askedLanguage(acceptLanguage));
  const { confirmSubject, confirmText, confirmHint, confirm } = words.people.mail;
  const letter = { subject: confirmSubject, paragraphs: [confirmText, confirmHint] };
  postOwn(tx, ctx, { ...letter, to, language, link: { url: link, text: confirm } });
}

/** Warns an address, if there is one, that the ways in of its account have changed, after the commit. */
export function postChange(
  tx: Tx,
  ctx: Pick<PublicCtx, 'app'>,
  { to, acceptLanguage }: Omit<Addressee, 'to'> & { readonly to: string | null },
): void {
  if (to === null) return;
  const { words, language } = wordsIn(askedLanguage(acceptLanguage));
  const { mail, account } = words.people;
  const letter = { subject: mail.changedSubject, paragraphs: [mail.changedText, mail.changedHint] };
  const link = { url: `${ctx.app.config.publicUrl}/console/settings/account`, text: account.toConsole };
  postOwn(tx, ctx, { ...letter, to, language, link });
}

type OwnLetter = Pick<Letter, 'to' | 'language' | 'subject' | 'paragraphs' | 'link'>;

function postOwn(tx: Tx, ctx: Pick<PublicCtx, 'app'>, letter: OwnLetter): void {
  const key = `own_${newUuidV7().replaceAll('-', '')}`;
  tx.unit.afterCommit(`postOwn ${key}`, () =>
    mailPerson(ctx, { ...letter, key, from: 'Punchcard', names: {} }, 'a mail about an account was not sent'),
  );
}

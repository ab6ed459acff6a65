import type { PublicCtx } from '../context.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { mailPerson } from '../workspaces/mail-person.ts';

interface LinkLetter {
  readonly to: string;
  readonly link: string;
  /** The workspace that invites, and who is invited; null: they have asked for the link themselves. */
  readonly invitedTo: { readonly workspace: string; readonly name: string } | null;
}

/** Mails a sign-in link. Nobody waits for it: how long it takes would tell whether there is such a person. */
export function postLink(ctx: Pick<PublicCtx, 'app'>, letter: LinkLetter): void {
  mailPerson(
    ctx,
    {
      to: letter.to,
      key: `link_${newUuidV7().replaceAll('-', '')}`,
      from: letter.invitedTo?.workspace ?? 'Punchcard',
      ...wordsOf(letter),
      link: { url: letter.link, text: 'Sign in' },
    },
    'a sign-in link was not mailed',
  );
}

function wordsOf({ invitedTo }: LinkLetter): { subject: string; paragraphs: string[] } {
  if (invitedTo === null) {
    return {
      subject: 'Your sign-in link',
      paragraphs: [
        'This link signs you in, once, within 30 minutes.',
        'If you have not asked for it, do nothing: nobody is signed in without it.',
      ],
    };
  }
  const { workspace, name } = invitedTo;
  return {
    subject: `You are invited to ${workspace}`,
    paragraphs: [
      `Hello ${name},`,
      `You are invited to work with the cards of ${workspace}. This link signs you in, once, within 7 days.`,
      'If you do not know what this is about, do nothing.',
    ],
  };
}

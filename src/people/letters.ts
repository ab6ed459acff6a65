import type { PublicCtx } from '../context.ts';
import { type Html, html } from '../kit/html.ts';
import { newUuidV7 } from '../kit/ids.ts';

interface LinkLetter {
  readonly to: string;
  readonly link: string;
  /** The workspace that invites, and who is invited; null: they have asked for the link themselves. */
  readonly invitedTo: { readonly workspace: string; readonly name: string } | null;
}

/** Mails a sign-in link. Nobody waits for it: how long it takes would tell whether there is such a person. */
export function postLink({ app }: Pick<PublicCtx, 'app'>, letter: LinkLetter): void {
  const { subject, paragraphs } = wordsOf(letter);
  void app.mail
    .send({
      key: `link_${newUuidV7().replaceAll('-', '')}`,
      from: { name: letter.invitedTo?.workspace ?? 'Punchcard', address: app.config.mail.from },
      to: letter.to,
      subject,
      html: page(subject, paragraphs, letter.link),
      text: `${[...paragraphs, letter.link].join('\n\n')}\n`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      date: app.now(),
    })
    .then((outcome) => {
      if (outcome.kind !== 'sent') app.log.warn({ outcome }, 'a sign-in link was not mailed');
    })
    .catch((error) => app.log.error({ err: error }, 'a sign-in link was not mailed'));
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

function page(title: string, paragraphs: readonly string[], link: string): string {
  const body: Html = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}
<p><a href="${link}">Sign in</a></p>
</body>
</html>
`;
  return body.text;
}

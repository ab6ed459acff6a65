import type { PublicCtx } from '../context.ts';
import { html } from '../kit/html.ts';

/** A mail to somebody who works with the service. */
export interface Letter {
  readonly to: string;
  /** The same mail has the same key. */
  readonly key: string;
  readonly from: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly link: { readonly url: string; readonly text: string };
}

/** Mails it. Nobody waits for it, or hears when it could not be sent: only the log does, in the words of `failed`. */
export function mailPerson({ app }: Pick<PublicCtx, 'app'>, letter: Letter, failed: string): void {
  const { to, key, from, subject, paragraphs, link } = letter;
  void app.mail
    .send({
      key,
      from: { name: from, address: app.config.mail.from },
      to,
      subject,
      html: page(letter),
      text: `${[...paragraphs, link.url].join('\n\n')}\n`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      date: app.now(),
    })
    .then((outcome) => {
      if (outcome.kind !== 'sent') app.log.warn({ outcome }, failed);
    })
    .catch((error) => app.log.error({ err: error }, failed));
}

function page({ subject, paragraphs, link }: Letter): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}
<p><a href="${link.url}">${link.text}</a></p>
</body>
</html>
`.text;
}

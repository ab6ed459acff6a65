import type { PublicCtx } from '../context.ts';
import { html } from '../kit/html.ts';
import { mailFont, mailStyle } from '../kit/mail/mail-style.ts';
import { filledHtml, filledText, type Names } from '../kit/text/fill-words.ts';
import { directionOf } from '../kit/text/language.ts';
import { mailInTurn } from './mail-limits.ts';
import { senderName } from './mail-names.ts';

/** A mail to a person who works with the service. */
export interface Letter {
  readonly to: string;
  /** The same mail has the same key. */
  readonly key: string;
  readonly from: string;
  /** BCP 47; the language of its words. */
  readonly language: string;
  /** What its words are filled in with. */
  readonly names: Names;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly link: { readonly url: string; readonly text: string };
}

/** Mails it in its turn. What goes wrong is in the log alone, as `failed`. */
export function mailPerson(ctx: Pick<PublicCtx, 'app'>, letter: Letter, failed: string): void {
  const { to, key, from, language, names, subject, paragraphs, link } = letter;
  const texts = paragraphs.map((paragraph) => filledText(paragraph, names));
  const { config, now } = ctx.app;
  mailInTurn(
    ctx,
    {
      key,
      from: { name: senderName(from), address: config.mail.from },
      to,
      subject: filledText(subject, names),
      html: page(letter),
      text: `${[...texts, `${link.text}:\n${link.url}`].join('\n\n')}\n`,
      headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
      date: now(),
    },
    failed,
  );
}

/** Inline styles, since that is what mail programs agree on; the style sheet only adds the dark colours. */
function page({ from, language, names, subject, paragraphs, link }: Letter): string {
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${filledText(subject, names)}</title>
<style>${mailStyle}</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:#f6f5f2">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f6f5f2">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;background-color:#ffffff;border:1px solid #dedcd6;border-radius:20px;border-collapse:separate">
<tr><td class="ink" style="padding:28px;${mailFont};color:#1a1b1e">
<p class="soft" style="margin:0 0 20px;font-size:14px;font-weight:600;color:#595c63"><bdi>${from}</bdi></p>
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25;font-weight:700">${filledHtml(subject, names)}</h1>
${paragraphs.map((paragraph) => html`<p style="margin:0 0 12px">${filledHtml(paragraph, names)}</p>\n`)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin-top:12px;border-collapse:separate"><tr><td align="center" class="edge" style="background-color:#1a1b1e;border:1px solid #1a1b1e;border-radius:14px"><a href="${link.url}" style="display:block;padding:14px 20px;${mailFont};font-weight:600;color:#ffffff;text-decoration:none">${link.text}</a></td></tr></table>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.text;
}

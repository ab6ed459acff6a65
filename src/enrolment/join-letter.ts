import type { PublicCtx } from '../context.ts';
import { encodeId } from '../kit/ids.ts';
import { filledHtml, filledText } from '../kit/text/fill-words.ts';
import { wordsIn } from '../locales/languages.ts';
import { mailInTurn } from '../mail/mail-limits.ts';
import { greetable, senderName } from '../mail/mail-names.ts';
import { joinUrl } from '../passes/join-form.ts';
import { letterPage } from '../rendering/letter-page.ts';
import { brandOf } from '../rendering/shop-brand.ts';
import type { OpenForm } from './open-form.ts';
import type { JoinProof } from './proofs.sql.ts';

/** Mails the button that proves an address, in its turn. The answer is the same for an address that does not exist. */
export function mailProof(
  ctx: PublicCtx,
  { pass, workspace }: OpenForm,
  { proofId, passId, person, token }: JoinProof & { readonly token: string },
): void {
  const { app } = ctx;
  const { words, language } = wordsIn(person.locale ?? workspace.locale);
  const { join } = words;
  const name = greetable(person.name);
  const names = { shop: workspace.name, title: pass.title, name: name ?? '', email: person.email };
  const hello = name === null ? join.helloUnnamed : join.hello;
  const link = `${joinUrl(app.config.publicUrl, passId)}/confirm/${token}`;
  const text = (sentence: string) => filledText(sentence, names);
  const html = (sentence: string) => filledHtml(sentence, names);
  mailInTurn(
    ctx,
    {
      key: encodeId('join', proofId),
      from: { name: senderName(workspace.name), address: app.config.mail.from },
      to: person.email,
      subject: text(join.subject),
      text: `${[hello, join.asked].map(text).join('\n\n')}\n\n${join.prove}:\n${link}\n\n-- \n${join.once} ${join.notYou}\n`,
      html: letterPage({
        language,
        title: text(join.subject),
        preview: html(`${hello} ${join.asked}`),
        heading: join.proveTitle,
        paragraphs: [html(hello), html(join.asked)],
        button: { text: join.prove, link },
        foot: [html(join.once), html(join.notYou)],
        card: { ...brandOf(app.config.publicUrl, workspace.name, pass), title: pass.title },
      }),
      headers: {
        // RFC 3834, and what others go by: mailboxes are not to answer that their owner is on holiday.
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        'Content-Language': language,
      },
      date: app.now(),
    },
    'the proof of an address was not mailed',
  );
}

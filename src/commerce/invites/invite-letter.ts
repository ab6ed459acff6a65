import { type CardColors, cardColors, contrast, type WantedColors } from '../../cards/card-colors.ts';
import { Html, html } from '../../kit/html.ts';
import type { Letter } from '../../kit/mail/letter.ts';
import { inLanguageOf } from '../../kit/text/language.ts';
import type { PassType } from '../../passes/pass-row.ts';
import {
  filledHtml,
  filledText,
  type InviteWords,
  inviteLanguages,
  kindOf,
  type Names,
} from './invite-words.ts';

/** What an invitation tells. */
export interface InviteFacts {
  readonly shop: string;
  readonly title: string;
  readonly type: PassType;
  readonly colors: WantedColors;
  readonly name: string | null;
  /** BCP 47, of the person or else of the shop. */
  readonly locale: string | null;
  readonly links: { readonly claim: string; readonly unsubscribe: string };
}

/** The mail that invites somebody: one button, as HTML without images and as text. */
export function inviteLetter(facts: InviteFacts): Pick<Letter, 'subject' | 'html' | 'text' | 'headers'> {
  const { words, language } = inLanguageOf<InviteWords>(facts.locale, inviteLanguages);
  const name = greetable(facts.name);
  const names = { shop: facts.shop, title: facts.title, name: name ?? '' };
  const kind = kindOf(facts.type);
  const parts = {
    language,
    waiting: words.waiting[kind],
    hello: name === null ? words.helloNobody : words.hello,
    take: words.take[kind],
    words,
    names,
    facts,
  };
  return {
    subject: filledText(`{title}: ${lowerFirst(words.waiting[kind], language)}`, names),
    html: htmlOf(parts).text,
    text: textOf(parts),
    headers: {
      // RFC 8058: mail programs offer to unsubscribe, and do it by themselves.
      'List-Unsubscribe': `<${facts.links.unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      // RFC 3834, and what others go by: nobody is to answer that they are on holiday.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      Precedence: 'bulk',
      'Content-Language': language,
    },
  };
}

interface Parts {
  readonly language: string;
  readonly waiting: string;
  readonly hello: string;
  readonly take: string;
  readonly words: InviteWords;
  readonly names: Names;
  readonly facts: InviteFacts;
}

function textOf({ hello, take, words, names, facts: { links } }: Parts): string {
  const fill = (sentence: string) => filledText(sentence, names);
  return `${fill(hello)}

${fill(words.invites)} ${words.ways}

${take}:
${links.claim}

-- 
${fill(words.why)}

${fill(words.noMore)}:
${links.unsubscribe}
`;
}

/**
 * Tables and inline styles, since that is what mail programs agree on; the style sheet only adds the dark colours. A
 * colour and its ground stand in styles both, so that what drops styles drops both and every word is still seen.
 */
function htmlOf({ language, waiting, hello, take, words, names, facts }: Parts): Html {
  const { links } = facts;
  const colors = cardColors(facts.colors);
  const fill = (sentence: string) => filledHtml(sentence, names);
  return html`<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${filledText(`{title}: ${waiting}`, names)}</title>
<style>${new Html(STYLE)}</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:#f6f5f2;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;color:#f6f5f2">${fill(words.invites)}</div>
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f6f5f2">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;background-color:#ffffff;border:1px solid #dedcd6;border-radius:20px;border-collapse:separate">
<tr><td style="padding:12px 12px 0">${front(facts, colors)}</td></tr>
<tr><td class="ink" style="padding:28px 28px 8px;${FONT};color:#1a1b1e">
<h1 style="margin:0 0 16px;font-size:26px;line-height:1.2;font-weight:700;letter-spacing:-0.4px">${waiting}</h1>
<p style="margin:0 0 12px">${fill(hello)}</p>
<p style="margin:0 0 24px">${fill(words.invites)} ${words.ways}</p>
</td></tr>
<tr><td style="padding:0 28px 32px">${button(take, links.claim, colors)}</td></tr>
</table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px">
<tr><td class="soft" style="padding:20px 28px 0;${FONT};font-size:13px;color:#595c63">
<p style="margin:0 0 8px">${fill(words.why)}</p>
<p style="margin:0"><a class="soft" href="${links.unsubscribe}" style="color:#595c63">${fill(words.noMore)}</a></p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** What the card looks like at a glance: its colours, the shop and the title. */
function front({ shop, title }: InviteFacts, colors: CardColors): Html {
  const { background, foreground, label } = colors;
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="edge" style="background-color:${background};border:1px solid ${edgeOf(colors)};border-radius:12px;border-collapse:separate">
<tr><td style="padding:20px 20px 0;${FONT};font-size:14px;font-weight:600;color:${label}">${filledHtml('{shop}', { shop })}</td></tr>
<tr><td style="padding:44px 20px 20px;${FONT};font-size:24px;line-height:1.2;font-weight:700;letter-spacing:-0.4px;color:${foreground};word-break:break-word">${filledHtml('{title}', { title })}</td></tr>
</table>`;
}

function button(label: string, link: string, colors: CardColors): Html {
  const { background, foreground } = colors;
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:separate"><tr><td align="center" class="edge" style="background-color:${background};border:1px solid ${edgeOf(colors)};border-radius:14px"><a href="${link}" style="display:block;padding:16px 20px;${FONT};font-size:17px;line-height:1.25;font-weight:600;color:${foreground};text-decoration:none">${label}</a></td></tr></table>`;
}

/** What tells a colour from the white sheet around it. */
function edgeOf({ background, shade }: CardColors): string {
  return contrast(background, '#ffffff') < 1.25 ? '#c4c2bc' : shade;
}

const FONT = new Html(
  'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5',
);

const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background-color: #121417 !important; }
  .sheet { background-color: #1c1f24 !important; border-color: #31353b !important; }
  .edge { border-color: #4a4f57 !important; }
  .ink { color: #f2f2f0 !important; }
  .soft { color: #abafb6 !important; }
}
`;

/**
 * The name that a mail may greet somebody by. Whoever signs up in a shop chooses it, perhaps with another's address: it
 * is no place for an advertisement or a link.
 */
function greetable(name: string | null): string | null {
  if (name === null || [...name].length > 60) return null;
  return /[:/@\\<>]|www\.|\.\p{L}{2}/iu.test(name) ? null : name;
}

/** German nouns and polite forms keep their capitals; elsewhere a sentence goes on after a colon. */
function lowerFirst(sentence: string, language: string): string {
  const isKept = language.startsWith('de');
  return isKept ? sentence : sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

import { type CardColors, cardColors, contrast } from '../cards/card-colors.ts';
import { type Html, html } from '../kit/html.ts';
import { mailFont, mailStyle } from '../kit/mail/mail-style.ts';
import { filledHtml, filledText } from '../kit/text/fill-words.ts';
import { directionOf } from '../kit/text/language.ts';
import { type Brand, logoSize } from './shop-brand.ts';

/** A mail of a shop to a person who may get a card of it, or has one. */
export interface LetterParts {
  /** BCP 47; the language of its own words. */
  readonly language: string;
  readonly title: string;
  /** What mail programs show next to the title in a list. */
  readonly preview: Html;
  readonly heading: string;
  readonly paragraphs: readonly Html[];
  readonly button: { readonly text: string; readonly link: string };
  /** In small print. */
  readonly foot: readonly Html[];
  /** What it is about. */
  readonly card: LetterCard;
}

interface LetterCard extends Brand {
  readonly title: string;
}

/**
 * The mail as HTML. Tables and inline styles, since that is what mail programs agree on; the style sheet only adds the dark colours. A
 * colour and its ground are both in styles, so that what drops styles drops both and every word is still seen.
 */
export function letterPage(parts: LetterParts): string {
  const { language, title, preview, heading, paragraphs, button, foot, card } = parts;
  const colors = cardColors(card.colors);
  const lines = (texts: readonly Html[], last: string, between: string) =>
    texts.map(
      (text, at) => html`<p style="margin:0 0 ${at === texts.length - 1 ? last : between}">${text}</p>\n`,
    );
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${title}</title>
<style>${mailStyle}</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:#f6f5f2;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;color:#f6f5f2">${preview}</div>
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f6f5f2">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;background-color:#ffffff;border:1px solid #dedcd6;border-radius:20px;border-collapse:separate">
<tr><td style="padding:12px 12px 0">${front(card, colors)}</td></tr>
<tr><td class="ink" style="padding:28px 28px 8px;${mailFont};color:#1a1b1e">
<h1 style="margin:0 0 16px;font-size:26px;line-height:1.2;font-weight:700;letter-spacing:-0.4px">${heading}</h1>
${lines(paragraphs, '24px', '12px')}</td></tr>
<tr><td style="padding:0 28px 32px">${actButton(button, colors)}</td></tr>
</table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px">
<tr><td class="soft" style="padding:20px 28px 0;${mailFont};font-size:13px;color:#595c63">
${lines(foot, '0', '8px')}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.text;
}

/** A link in small print. */
export function footLink(text: Html, link: string): Html {
  return html`<a class="soft" href="${link}" style="color:#595c63">${text}</a>`;
}

/** What the card looks like at a glance: its colours, the shop and the title. */
function front({ shop, title, logo }: LetterCard, colors: CardColors): Html {
  const { background, foreground, label } = colors;
  const mark = logo === null ? filledHtml('{shop}', { shop }) : picture(logo, shop, label);
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="edge" style="background-color:${background};border:1px solid ${edgeOf(colors)};border-radius:12px;border-collapse:separate">
<tr><td style="padding:20px 20px 0;${mailFont};font-size:14px;font-weight:600;color:${label}">${mark}</td></tr>
<tr><td style="padding:44px 20px 20px;${mailFont};font-size:24px;line-height:1.2;font-weight:700;letter-spacing:-0.4px;color:${foreground};word-break:break-word">${filledHtml('{title}', { title })}</td></tr>
</table>`;
}

function picture(logo: NonNullable<Brand['logo']>, shop: string, color: string): Html {
  const { width, height } = logoSize(logo);
  return html`<img src="${logo.url}" alt="${filledText('{shop}', { shop })}" width="${width}" height="${height}" border="0" style="display:block;width:${width}px;height:${height}px;color:${color}">`;
}

function actButton({ text, link }: LetterParts['button'], colors: CardColors): Html {
  const { background, foreground } = colors;
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:separate"><tr><td align="center" class="edge" style="background-color:${background};border:1px solid ${edgeOf(colors)};border-radius:14px"><a href="${link}" style="display:block;padding:16px 20px;${mailFont};font-size:17px;line-height:1.25;font-weight:600;color:${foreground};text-decoration:none">${text}</a></td></tr></table>`;
}

/** Separates a colour from the white sheet around it. */
function edgeOf({ background, shade }: CardColors): string {
  return contrast(background, '#ffffff') < 1.25 ? '#c4c2bc' : shade;
}

import { html } from '../kit/html.ts';
import type { Letter } from '../kit/mail/letter.ts';
import { filledHtml, filledText, type Names } from '../kit/text/fill-words.ts';
import { wordsIn } from '../locales/languages.ts';
import type { Words } from '../locales/words.ts';
import { greetable } from '../mail/mail-names.ts';
import { kindOf, type PassType } from '../passes/pass-row.ts';
import { footLink, letterPage } from '../rendering/letter-page.ts';
import type { Brand } from '../rendering/shop-brand.ts';

/** The content of an invitation. */
export interface InviteFacts {
  readonly brand: Brand;
  readonly title: string;
  readonly type: PassType;
  readonly name: string | null;
  /** BCP 47, of the person or else of the shop. */
  readonly locale: string | null;
  readonly links: { readonly claim: string; readonly unsubscribe: string };
}

/** The mail that invites a person: one button, as HTML without images and as text. */
export function inviteLetter(facts: InviteFacts): Pick<Letter, 'subject' | 'html' | 'text' | 'headers'> {
  const { words: all, language } = wordsIn(facts.locale);
  const words = all.invite;
  const name = greetable(facts.name);
  const names = { shop: facts.brand.shop, title: facts.title, name: name ?? '' };
  const kind = kindOf(facts.type);
  const parts = {
    language,
    waiting: words.waiting[kind],
    hello: name === null ? words.helloUnnamed : words.hello,
    take: words.take[kind],
    words,
    names,
    facts,
  };
  return {
    subject: filledText(`{title}: ${lowerFirst(words.waiting[kind], language)}`, names),
    html: htmlOf(parts),
    text: textOf(parts),
    headers: {
      // RFC 8058: mail programs offer to unsubscribe, and do it by themselves.
      'List-Unsubscribe': `<${facts.links.unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      // RFC 3834, and what others go by: mailboxes are not to answer that their owner is on holiday.
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
  readonly words: Words['invite'];
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

function htmlOf({ language, waiting, hello, take, words, names, facts }: Parts): string {
  const { brand, title, links } = facts;
  const fill = (sentence: string) => filledHtml(sentence, names);
  return letterPage({
    language,
    title: filledText(`{title}: ${waiting}`, names),
    preview: fill(words.invites),
    heading: waiting,
    paragraphs: [fill(hello), html`${fill(words.invites)} ${words.ways}`],
    button: { text: take, link: links.claim },
    foot: [fill(words.why), footLink(fill(words.noMore), links.unsubscribe)],
    card: { ...brand, title },
  });
}

/** German nouns and polite forms keep their capitals; elsewhere a sentence goes on after a colon. */
function lowerFirst(sentence: string, language: string): string {
  const isKept = language.startsWith('de');
  return isKept ? sentence : sentence.charAt(0).toLocaleLowerCase(language) + sentence.slice(1);
}

import { cardColors } from '../cards/card-colors.ts';
import { html } from '../kit/html.ts';
import type { AnswerPage } from '../kit/http/server/exchange.ts';
import { askedLanguage, languages, wordsIn } from '../locales/languages.ts';
import type { Advice, Words } from '../locales/words.ts';
import { pageHeaders } from './link.schema.ts';
import { pageDocument } from './page-document.ts';
import { brandedStyle, ERROR_PAGE_STYLE } from './page-style.ts';
import type { Brand } from './shop-brand.ts';
import { bringsLogo, shopSign } from './shop-sign.ts';

/**
 * The page that replaces an error's body where a shopper would read it. It says what to do next; of a failure
 * on our side it says nothing else, whatever its message holds. In the language of the browser, or in English.
 */
export function errorPage(error: ErrorFacts, requestId: string, acceptLanguage?: string): AnswerPage {
  const { words: all, language } = wordsIn(askedLanguage(acceptLanguage));
  const words = all.error;
  const { title, text } = adviceFor(error, words);
  const brand = (error.about as Brand | null | undefined) ?? null;
  const page = pageDocument({
    title,
    description: null,
    language,
    style: brand === null ? ERROR_PAGE_STYLE : brandedStyle(ERROR_PAGE_STYLE, cardColors(brand.colors)),
    ...(brand !== null && bringsLogo(brand)),
    body: html`<main>
${brand === null ? SIGN : shopSign(brand)}
<h1>${title}</h1>
${text.map((paragraph) => html`<p dir="auto">${paragraph}</p>`)}
<p class="reference">${words.reference} <code>${requestId}</code></p>
</main>`,
  });
  return {
    html: page.html,
    headers: { ...pageHeaders(page.policy), 'cache-control': 'no-store', vary: 'accept-language' },
  };
}

/** A ticket that is torn. */
const SIGN = html`<svg class="sign" viewBox="0 0 80 56" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true"><path d="M34 50H10a6 6 0 0 1-6-6V12a6 6 0 0 1 6-6h26l-6 12 8 10-8 10z"/><path d="M44 6h26a6 6 0 0 1 6 6v32a6 6 0 0 1-6 6H42l-4-12 8-10-8-10z"/><path d="M12 40h8M12 33h12"/></svg>`;

interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** The shop that it concerns. */
  readonly about?: unknown;
  /** The advice that it asks for, by its name among the words. */
  readonly advice?: string | null;
}

type Advised = Exclude<keyof Words['error'], 'reference'>;

/**
 * A refusal without advice of its own is shown with its message: that was written to be read by its cause, in English.
 */
function adviceFor(
  { status, code, message, extra, advice = null }: ErrorFacts,
  words: Words['error'],
): Advice {
  const isLink = code === 'invalid_join' && extra?.reason === 'link';
  const known = isLink ? 'usedLink' : (BY_CODE.get(code) ?? BY_STATUS.get(status));
  if (advice !== null && isAdvised(advice)) return words[advice];
  if (known !== undefined) return words[known];
  if (status >= 500) return words.ourFault;
  const { title, text } = words.failed;
  return { title, text: words === languages.en.error ? [message, ...text] : text };
}

function isAdvised(name: string): name is Advised {
  return name !== 'reference' && Object.hasOwn(languages.en.error, name);
}

const BY_CODE: ReadonlyMap<string, Advised> = new Map(
  Object.entries({
    route_not_found: 'noPage',
    wallet_not_configured: 'noWallet',
    wallet_unavailable: 'walletSilent',
    workspace_suspended: 'suspended',
    invalid_credentials: 'wrongPassword',
    provider_unavailable: 'providerSilent',
    recent_sign_in_required: 'signInAgain',
    invalid_session: 'signedOut',
    invalid_link: 'usedSignIn',
    role_required: 'notAtTill',
    pass_not_found: 'notOpen',
    invalid_join: 'incomplete',
    pass_not_active: 'notOffered',
    pass_archived: 'notOffered',
    pool_exhausted: 'allGone',
    overloaded: 'tooBusy',
  } as const satisfies Record<string, Advised>),
);

const BY_STATUS: ReadonlyMap<number, Advised> = new Map([
  [404, 'brokenLink'],
  [408, 'tooSlow'],
  [429, 'tooOften'],
]);

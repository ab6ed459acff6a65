import { html } from '../kit/html.ts';
import type { AnswerPage } from '../kit/http/exchange.ts';
import { pageHeaders } from './link.schema.ts';
import { pageDocument } from './page-document.ts';
import { ERROR_PAGE_STYLE } from './page-style.ts';

/**
 * The page that stands for an error's body where a shopper would read it. It says what to do next; of a failure
 * on our side it says nothing else, whatever its message holds.
 */
export function errorPage(error: ErrorFacts, requestId: string): AnswerPage {
  const { title, text } = adviceFor(error);
  const page = pageDocument({
    title,
    description: null,
    language: 'en',
    style: ERROR_PAGE_STYLE,
    body: html`<main>
<svg class="sign" viewBox="0 0 80 56" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true"><path d="M34 50H10a6 6 0 0 1-6-6V12a6 6 0 0 1 6-6h26l-6 12 8 10-8 10z"/><path d="M44 6h26a6 6 0 0 1 6 6v32a6 6 0 0 1-6 6H42l-4-12 8-10-8-10z"/><path d="M12 40h8M12 33h12"/></svg>
<h1>${title}</h1>
${text.map((paragraph) => html`<p dir="auto">${paragraph}</p>`)}
<p class="reference">If you ask for help, give this number: <code>${requestId}</code></p>
</main>`,
  });
  return { html: page.html, headers: { ...pageHeaders(page.policy), 'cache-control': 'no-store' } };
}

interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What a shopper is shown instead of an error body. */
interface Advice {
  readonly title: string;
  /** What happened, and what to do. */
  readonly text: readonly string[];
}

/** A refusal without advice of its own is shown with its message: that was written to be read by its cause. */
function adviceFor({ status, code, message, extra }: ErrorFacts): Advice {
  if (code === 'invalid_join' && extra?.reason === 'link') return USED_LINK;
  const known = BY_CODE.get(code) ?? BY_STATUS.get(status);
  if (known !== undefined) return known;
  if (status >= 500) return OUR_FAULT;
  return { title: 'That did not work', text: [message, 'Go back and try again, or ask the shop for help.'] };
}

const OUR_FAULT: Advice = {
  title: 'Something went wrong on our side',
  text: ['Please wait a minute, then load this page again.', 'If it keeps happening, tell the shop.'],
};

const TOO_BUSY: Advice = {
  title: 'Too many people at once',
  text: ['Please wait a minute, then load this page again.'],
};

const NOT_OFFERED: Advice = {
  title: 'This card is not available at the moment',
  text: ['The shop is not giving out this card right now. Cards that people already have keep working.'],
};

const USED_LINK: Advice = {
  title: 'This link does not work any more',
  text: ['Its button works once, for 24 hours.', 'Fill in the form again, and you get another mail.'],
};

const BY_CODE: ReadonlyMap<string, Advice> = new Map(
  Object.entries({
    route_not_found: {
      title: 'There is no such page',
      text: ['The documentation begins at /docs, and can be searched there.'],
    },
    wallet_not_configured: {
      title: 'This wallet is not available here',
      text: ['The shop has not set up this wallet yet.', 'Go back and choose another way to add the card.'],
    },
    wallet_unavailable: {
      title: 'This wallet does not answer',
      text: [
        'Please wait a minute, then load this page again.',
        'Or go back and choose another way to add the card.',
      ],
    },
    workspace_suspended: {
      title: 'This shop’s cards are paused',
      text: ['They cannot be added at the moment. Please ask the shop.'],
    },
    invalid_credentials: {
      title: 'That signs nobody in',
      text: [
        'Go to /sign-in and try again, or another way: without a password you get a link by mail.',
        'Who was not invited is not let in. Ask an owner of the workspace.',
      ],
    },
    provider_unavailable: {
      title: 'The provider that you sign in with does not answer',
      text: ['Please wait a minute, then try again. Or go to /sign-in and sign in another way.'],
    },
    recent_sign_in_required: {
      title: 'Please sign in once more',
      text: [
        'This asks for somebody who signed in within the last ten minutes. Go to /sign-in, then come back.',
      ],
    },
    invalid_session: {
      title: 'You are signed out',
      text: ['Go to /sign-in to sign in again.'],
    },
    invalid_link: {
      title: 'This link does not work any more',
      text: [
        'It signs you in once, and not for long. It may have been used, or part of it may be missing.',
        'Ask for a new one: at /sign-in, or of whoever has sent you this one.',
      ],
    },
    pass_not_found: {
      title: 'Nobody can enrol here at the moment',
      text: [
        'The shop does not give out this card here right now, or a part of the address is missing.',
        'Please ask the shop.',
      ],
    },
    invalid_join: {
      title: 'Something in the form is missing',
      text: ['Go back, fill in what is asked for, and send it again.'],
    },
    pass_not_active: NOT_OFFERED,
    pass_archived: NOT_OFFERED,
    pool_exhausted: {
      title: 'They are all gone',
      text: ['There are none left to give out. Ask the shop whether more will come.'],
    },
    overloaded: TOO_BUSY,
  }),
);

const BY_STATUS: ReadonlyMap<number, Advice> = new Map([
  [
    404,
    {
      title: 'This link does not work',
      text: [
        'Part of it may be missing, or the card was taken back.',
        'Open the link again from the message that it came in. If that does not help, ask the shop for a new one.',
      ],
    },
  ],
  [
    408,
    {
      title: 'The connection was too slow',
      text: ['Load this page again, perhaps where the reception is better.'],
    },
  ],
  [429, TOO_BUSY],
]);

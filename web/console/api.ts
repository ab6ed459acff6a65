import { Sender } from '../../sdk/typescript/src/core/sender.ts';
import { Punchcard } from '../../sdk/typescript/src/punchcard.ts';
import { byCookie } from '../shared/by-cookie.ts';
import { recordCall } from './calls.ts';
import { currentCall, withNames } from './named-calls.ts';

/** Without a session there is nothing to show here. */
const options = byCookie(() => {
  if (!isOperatorPage()) goSignIn();
});

/** The public API in the workspace that is open. */
export const api = withNames(new Punchcard({ ...options, fetch: recorded(options.fetch) }));

/** What of it is about the session itself: keys cannot do that. */
export const sessionCalls = new Sender(options);

/** Keeps what is called, to be shown as curl. */
function recorded(send: typeof fetch): typeof fetch {
  return async (url, init = {}) => {
    const code = currentCall();
    let status = 0;
    try {
      const response = await send(url, init);
      status = response.status;
      return response;
    } finally {
      // What a page has given up was not looked at.
      if (init.signal?.aborted !== true) recordCall(String(url), init, status, code);
    }
  };
}

/** The operator's pages ask for a token of their own, and for no session. */
export function isOperatorPage(): boolean {
  return /^\/console\/operator(?:\/|$)/.test(location.pathname);
}

/** Leaves for the page on which people sign in; they come back to where they are now. */
export function goSignIn(): void {
  const next = `${location.pathname}${location.search}`;
  location.assign(`/sign-in?next=${encodeURIComponent(next)}`);
}

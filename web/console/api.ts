import { openApi } from '../shared/open-api.ts';

/** The public API, and what of it is about the session itself. Without a session there is nothing to show here. */
export const { api, calls: sessionCalls } = openApi(() => {
  if (!isOperatorPage()) goSignIn();
});

/** The operator's pages ask for a token of their own, and for no session. */
export function isOperatorPage(): boolean {
  return /^\/console\/operator(?:\/|$)/.test(location.pathname);
}

/** Leaves for the page on which people sign in; they come back to where they are now. */
export function goSignIn(): void {
  const next = `${location.pathname}${location.search}`;
  location.assign(`/sign-in?next=${encodeURIComponent(next)}`);
}

import { Sender } from '../../sdk/typescript/src/core/sender.ts';
import { Punchcard } from '../../sdk/typescript/src/punchcard.ts';
import { workspaceId } from './session.ts';

/** Sends the browser's cookie, and says which workspace is meant. Without a session there is nothing to show here. */
const send: typeof fetch = async (url, init) => {
  const headers = new Headers(init?.headers);
  if (workspaceId.value !== null) headers.set('x-workspace', workspaceId.value);
  const response = await fetch(url, { ...init, headers, credentials: 'same-origin' });
  if (response.status === 401 && !isOperatorPage() && !(await isWrongPassword(response))) goSignIn();
  return response;
};

const options = { baseUrl: location.origin, fetch: send, maxRetries: 2 };

/** The public API in the workspace that is open. */
export const api = new Punchcard(options);

/** What of the API is about the session itself, which client libraries do not have. */
export const sessionCalls = new Sender(options);

/** The operator's pages ask for a token of their own, and for no session. */
export function isOperatorPage(): boolean {
  return /^\/console\/operator(?:\/|$)/.test(location.pathname);
}

/** Leaves for the page on which people sign in; they come back to where they are now. */
export function goSignIn(): void {
  const next = `${location.pathname}${location.search}`;
  location.assign(`/sign-in?next=${encodeURIComponent(next)}`);
}

async function isWrongPassword(response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return (body as { readonly code?: unknown } | null)?.code === 'invalid_credentials';
}

import type { PunchcardOptions } from '../../sdk/typescript/src/core/options.ts';
import { workspaceId } from './session.ts';

/**
 * The options of a client that calls by the browser's cookie, in the workspace that is open. `onNobody` runs after an answer
 * that asks for a sign-in first.
 */
export function byCookie(onNobody: () => void) {
  const send: typeof fetch = async (url, init) => {
    const headers = new Headers(init?.headers);
    if (workspaceId.value !== null) headers.set('x-workspace', workspaceId.value);
    const response = await fetch(url, { ...init, headers, credentials: 'same-origin' });
    if (response.status === 401 && !(await isWrongPassword(response))) onNobody();
    return response;
  };
  return { baseUrl: location.origin, maxRetries: 2, fetch: send } satisfies PunchcardOptions;
}

async function isWrongPassword(response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return (body as { readonly code?: unknown } | null)?.code === 'invalid_credentials';
}

import { Sender } from '../../sdk/typescript/src/core/sender.ts';
import { Punchcard } from '../../sdk/typescript/src/punchcard.ts';
import { workspaceId } from './session.ts';

/**
 * The public API, by the browser's cookie and in the workspace that is open, and `calls` for what of it is about the
 * session itself, which client libraries do not have. `onNobody` hears of answers that want a sign-in first; `around` stands
 * between the public API and what sends its calls.
 */
export function openApi(onNobody: () => void, around: (send: typeof fetch) => typeof fetch = (send) => send) {
  const send: typeof fetch = async (url, init) => {
    const headers = new Headers(init?.headers);
    if (workspaceId.value !== null) headers.set('x-workspace', workspaceId.value);
    const response = await fetch(url, { ...init, headers, credentials: 'same-origin' });
    if (response.status === 401 && !(await isWrongPassword(response))) onNobody();
    return response;
  };
  const options = { baseUrl: location.origin, maxRetries: 2 };
  return {
    api: new Punchcard({ ...options, fetch: around(send) }),
    calls: new Sender({ ...options, fetch: send }),
  };
}

async function isWrongPassword(response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return (body as { readonly code?: unknown } | null)?.code === 'invalid_credentials';
}

import { retryAfterMs } from '../kit/http/http-date.ts';
import { type StoreAnswer, StoreTrouble } from './connector.ts';

/** How soon a store that is out of order, or has had enough, is asked again unless it says when. */
const usualWaitMs = 5_000;
const shortestWaitMs = 1_000;
const longestWaitMs = 3_600_000;

/** Raises StoreTrouble for an answer that is none to our question; `reason` is what its body says of it. */
export function checkStatus({ status, headers }: StoreAnswer, reason: () => string | null): void {
  if (status >= 200 && status < 300) return;
  const said = reason();
  const trouble = (kind: StoreTrouble['reason'], what: string, retryMs: number | null = null) =>
    new StoreTrouble(kind, said === null ? `${what} (${status}).` : `${what} (${status}): ${said}`, retryMs);
  if (status === 401 || status === 403)
    throw trouble('store_unauthorized', 'The store refuses the credentials, or they lack a permission');
  if (status === 429)
    throw trouble('store_throttled', 'The store wants to be asked less often', waitOf(headers));
  if (status === 408 || status === 425 || status >= 500)
    throw trouble('store_unavailable', 'The store is out of order', waitOf(headers));
  if (status >= 300 && status < 400)
    throw trouble(
      'store_not_connected',
      'The store sends us elsewhere: connect it by the host that it names',
    );
  if ([402, 404, 410, 423].includes(status))
    throw trouble('store_not_connected', 'There is no open store of this platform at the domain');
  throw trouble('store_answer_unreadable', 'The store does not understand the question');
}

/** What `Retry-After` asks for: seconds, or a date by the store's own clock. */
function waitOf({ 'retry-after': asked, date = '' }: StoreAnswer['headers']): number {
  const ms = retryAfterMs(asked, new Date(date)) ?? usualWaitMs;
  return Math.min(Math.max(ms, shortestWaitMs), longestWaitMs);
}

import type { Logger } from 'pino';
import { type RootKey, readRootKeys } from './callback.ts';
import { exchange, reasonOf } from './exchange.ts';
import { KeysUnavailable } from './google-wallet.ts';

interface CallbackKeysOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly log: Pick<Logger, 'warn'>;
  now(): Date;
}

const mostAgeMs = 3_600_000;
const betweenFreshMs = 10_000;
/** After a failure the keys of before stay in use for so long. */
const graceMs = 60_000;

/** Google's keys for call-backs, kept as GoogleWallet.callbackKeys promises. */
export function createCallbackKeys(options: CallbackKeysOptions): (fresh?: boolean) => Promise<RootKey[]> {
  const { url, timeoutMs, log, now } = options;
  let keys: readonly RootKey[] = [];
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let forcedAt = Number.NEGATIVE_INFINITY;
  let coming: Promise<void> | null = null;

  const usable = () => keys.filter(({ expiresAt }) => expiresAt > now());

  /** Keys that are known stay in use while no others can be had. */
  async function refetch(): Promise<void> {
    const asked = now().getTime();
    const answer = await exchange(url, { method: 'GET', timeoutMs, now });
    const found = answer.kind === 'answer' && answer.status === 200 ? readRootKeys(answer.body) : [];
    if (found.length > 0) {
      keys = found;
      fetchedAt = asked;
      return;
    }
    const reason = answer.kind === 'unreachable' ? answer.reason : reasonOf(answer);
    if (usable().length === 0)
      throw new KeysUnavailable(`Google's call-back keys cannot be fetched: ${reason}`);
    fetchedAt = asked - mostAgeMs + graceMs;
    log.warn({ reason }, "Google's call-back keys cannot be fetched: those of before are used");
  }

  function refetchOnce(): Promise<void> {
    coming ??= refetch().finally(() => {
      coming = null;
    });
    return coming;
  }

  return async (fresh = false) => {
    const at = now().getTime();
    const isForced = fresh && at - forcedAt >= betweenFreshMs;
    if (isForced) forcedAt = at;
    if (isForced || at - fetchedAt >= mostAgeMs || usable().length === 0) await refetchOnce();
    return usable();
  };
}

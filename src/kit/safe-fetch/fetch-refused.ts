/** Why a URL was not fetched, or not called. */
export type FetchReason =
  | 'invalid_url'
  | 'blocked_host'
  | 'unreachable'
  | 'timeout'
  | 'too_many_redirects'
  | 'too_large'
  | 'invalid_header'
  | 'busy';

/** Raised when a URL cannot or may not be fetched. The message says what to fix and holds nothing of the answer. */
export class FetchRefused extends Error {
  readonly reason: FetchReason;

  constructor(reason: FetchReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Ends work that takes too long, or that nobody waits for any more. */
export interface Deadline {
  /** Aborted by the deadline or by the caller; its reason is what to raise. */
  readonly signal: AbortSignal;
  /** The work has ended: nothing is aborted any more. */
  clear(): void;
}

/** Starts a deadline of so many milliseconds, and follows the caller's signal. */
export function startDeadline(ms: number, overdue: () => Error, caller?: AbortSignal): Deadline {
  const controller = new AbortController();
  const end = performance.now() + ms;
  const follow = () => controller.abort(caller?.reason);
  // A timer counts from the beginning of the event loop's turn, so it may come early.
  const check = () => {
    const left = end - performance.now();
    if (left > 0) timer = setTimeout(check, Math.ceil(left));
    else controller.abort(overdue());
  };
  let timer = setTimeout(check, ms);
  if (caller?.aborted) follow();
  caller?.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', follow);
    },
  };
}

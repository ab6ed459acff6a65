/** Whether what is sent to an address stays secret: https, or plain http that does not leave this machine. */
export function isSafeUrl(url: string): boolean {
  return /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$))/i.test(url);
}

/** Why `fetch` failed: of its error only what is certain to hold nothing of the request, since some messages quote a header. */
export function fetchFailure(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'the request failed';
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  return typeof code === 'string' ? `the request failed: ${code}` : 'the request failed';
}

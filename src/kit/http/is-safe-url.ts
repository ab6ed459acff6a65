/** Whether what is sent to an address stays secret: https, or plain http that does not leave this machine. */
export function isSafeUrl(url: string): boolean {
  return /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$))/i.test(url);
}

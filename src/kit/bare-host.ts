/** The host of a URL as sockets take it: an address of IPv6 without its brackets. */
export function bareHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '');
}

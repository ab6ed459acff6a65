/**
 * The holder's identifier on the card of a store's customer: stores count their customers each for themselves. Domains
 * and numbers are short enough for the 255 characters that it may have.
 */
export function identifierOf({ domain }: { readonly domain: string }, customerId: string): string {
  return `${domain}/${customerId}`;
}

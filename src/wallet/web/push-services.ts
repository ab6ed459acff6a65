/** The push services of the browsers. Each of these companies decides alone who answers below its name. */
const known: readonly (string | { readonly below: string })[] = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  { below: '.push.apple.com' },
  { below: '.notify.windows.com' },
];

/**
 * Whether an endpoint belongs to a push service that this installation sends to: over https, without credentials, on a
 * known host and its usual port, or on one of `more` (`host`, or `host:port`).
 *
 * An endpoint comes from a stranger's browser, and the service posts to it from inside its own network. Without this
 * list anybody with a link could have it knock at any address there (server-side request forgery); a check of the
 * address that a name resolves to could be undone by an answer that changes, a list of names cannot.
 */
export function isPushService(endpoint: string, more: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, host, username, password } = new URL(endpoint);
  if (protocol !== 'https:' || username !== '' || password !== '') return false;
  // `host` has the port where it is not the usual one.
  return (
    more.includes(host) ||
    known.some((one) => (typeof one === 'string' ? host === one : isBelow(host, one.below)))
  );
}

function isBelow(host: string, domain: string): boolean {
  return host.endsWith(domain) && /^[a-z0-9.-]+$/.test(host);
}

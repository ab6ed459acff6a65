type Headers = Readonly<Record<string, string | string[] | undefined>>;

interface Request {
  readonly method: string;
  /** A page may be opened by a link of another site. */
  readonly isPage: boolean;
  /** Where the service is reached. */
  readonly publicUrl: string;
}

/**
 * Whether a browser sends a request on behalf of a page of ours, or of its user, and not of another site. As
 * `CrossOriginProtection` of Go 1.25: Sec-Fetch-Site says so; where it is absent, as on plain http, Origin; where both
 * are, what changes nothing is let in. What changes something is then from no browser that could be trusted.
 */
export function isOurs(headers: Headers, { method, isPage, publicUrl }: Request): boolean {
  const isSafe = method === 'GET' || method === 'HEAD';
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return true;
    return (
      isPage && isSafe && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
    );
  }
  const { origin, host } = headers;
  if (typeof origin !== 'string') return isSafe;
  const ours = new URL(publicUrl);
  const sent = URL.parse(origin);
  if (sent === null) return false;
  return sent.origin === ours.origin || (sent.host === host && sent.protocol === ours.protocol);
}

/** Whether a browser says that another site has sent the request; a program that is no browser says nothing. */
export function isForeign(headers: Headers, request: Request): boolean {
  const says = headers['sec-fetch-site'] !== undefined || headers.origin !== undefined;
  return says && !isOurs(headers, request);
}

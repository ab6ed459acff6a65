/** What a URL may be besides plain https to a host that may have a public address. */
export interface UrlRules {
  readonly allowsLocalhost: boolean;
  readonly allowsHttp: boolean;
  /** A host, with its port, that may be anywhere. */
  readonly trustedHost: string | null;
}

/**
 * Reads the URL of a fetch, or what a redirect names, and refuses what is not plain https to a host that may have a
 * public address, unless the rules allow more. Addresses are checked later: here only what the URL itself shows.
 */
export function checkUrl(text: string, rules: UrlRules, base?: URL): URL {
  const { allowsLocalhost, allowsHttp, trustedHost } = rules;
  if (text.length > longestUrl) throw invalid(`must have ${longestUrl} characters at most`);
  // The parser would drop or encode these without a word.
  if (hasControlOrSpace(text))
    throw invalid('must not hold spaces or control characters; write a space as %20');
  const url = URL.parse(text, base?.href);
  if (url === null) throw invalid('is not a valid URL');
  const isHttp = url.protocol === 'http:' && allowsHttp;
  if (url.protocol !== 'https:' && !isHttp) throw invalid('must begin with https://');
  if (url.username !== '' || url.password !== '') throw invalid('must not hold a user name or password');
  // The dot at the end says that the name is complete. All names are, here; and no certificate has it.
  url.hostname = url.hostname.replace(/\.+$/, '');
  if (url.href.length > longestUrl) throw invalid(`must have ${longestUrl} characters at most`);
  const isLocalhost = url.hostname === 'localhost' && allowsLocalhost;
  const isTrusted = url.host === trustedHost;
  if (isBlockedName(url.hostname) && !isLocalhost && !isTrusted)
    throw new FetchRefused('blocked_host', blockedHost);
  return url;
}

/** Refuses a URL at a port where another protocol is spoken. */
export function refuseOtherPort({ port, host }: URL, { trustedHost }: Pick<UrlRules, 'trustedHost'>): void {
  if (!otherPorts.has(port) || host === trustedHost) return;
  throw new FetchRefused(
    'unreachable',
    `The host cannot be reached at port ${port}: another protocol is spoken there.`,
  );
}

/** The same for every address, so that callers do not learn what is there. */
export const blockedHost =
  'The host is local, private or reserved. Use a URL that everyone on the Internet can open.';

const longestUrl = 2_048;

/** "Bad ports" of the Fetch standard, and those of databases and queues: what is said there might be taken for an order. */
const otherPorts: ReadonlySet<string> = new Set(
  (
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 ' +
    '137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 ' +
    '1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080 ' +
    '1433 1521 2181 2379 3050 3306 5432 5672 6379 6380 7687 9042 9092 9200 9300 11211 27017 27018 27019'
  ).split(' '),
);

/** Names that only mean something inside of a machine or network, those of the metadata services of clouds included. */
const blockedNames = /(?:^|\.)(?:localhost|local|internal)$|^metadata\.goog$/;

function isBlockedName(hostname: string): boolean {
  const isName = !hostname.startsWith('[');
  return isName && (!hostname.includes('.') || blockedNames.test(hostname));
}

function hasControlOrSpace(text: string): boolean {
  return /[\s\p{Cc}]/u.test(text);
}

function invalid(what: string): FetchRefused {
  return new FetchRefused('invalid_url', `The URL, or one that it redirects to, ${what}.`);
}

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

import type { TypeWords } from './type-words.ts';

/** Refusals that come before any operation is known. */
export const beforeRouting: ReadonlySet<string> = new Set([
  'route_not_found',
  'method_not_allowed',
  'uri_too_long',
  'expectation_failed',
  'not_implemented',
  'headers_too_large',
]);

/** The guides in the order of reading; docs/guides has a file for each, and nothing else from there is served. */
export const guides = [
  'first-card',
  'till',
  'another-program',
  'gift-cards',
  'appointments',
  'clients',
  'retries',
  'following-events',
  'live-with-apple',
  'live-with-google',
  'nfc',
];

/** The client libraries of sdk/, by the language of the examples. */
export const clients = {
  TypeScript: { from: 'punchcard-client', className: 'Punchcard', variable: 'punchcard' },
  Python: { from: 'punchcard', className: 'Punchcard', variable: 'client' },
};

/** How texts of the API are called on its pages. */
export const words: TypeWords = {
  idPrefixes: {
    passId: 'pass',
    instanceId: 'inst',
    programId: 'prog',
    partnerId: 'part',
    entryId: 'entry',
    storeId: 'store',
    workspaceId: 'ws',
    keyId: 'key',
    personId: 'person',
    sessionId: 'session',
    passkeyId: 'passkey',
    deviceId: 'device',
    inviteId: 'invite',
    sweepId: 'sweep',
    eventId: 'evt',
  },
  patterns: {
    '^#[0-9a-fA-F]{6}$': 'color, `#rrggbb`',
    '^[a-z][a-z0-9_]{0,39}$': '1 to 40 lower-case letters, digits and `_`, the first a letter',
    '^([1-9][0-9]?|100)$': 'whole number, 1 to 100',
    '^[a-z_]{1,64}$': 'small letters and `_`',
    '^[0-9]{4,8}$': '4 to 8 digits',
    '^[0-9]{1,30}$': '1 to 30 digits',
    '^(?:\\*\\.)?[a-z0-9](?:[a-z0-9\\-]{0,62}\\.)*[a-z0-9\\-]{0,62}[a-z0-9](?::[0-9]{1,5})?$':
      'host, such as `shop.example.com` or `*.example.com`',
    '^[A-Za-z]{1,64}$': 'letters',
    '^[a-z]+\\.[a-z]+(,[a-z]+\\.[a-z]+)*$': 'kinds of events, such as `points.awarded,reward.redeemed`',
    '^(0|[1-9][0-9]{0,14})$': 'whole number',
    '^([0-9]|[12][0-9]|30)$': 'whole number, 0 to 30',
    '^[1-5][0-9][0-9]$': 'HTTP status, such as `409`',
    '^(0|[1-9][0-9]{0,2})$': 'whole number, 0 to 999',
    '^[1-9][0-9]{0,2}$': 'whole number, 1 to 999',
    '^(0|[1-9][0-9]{0,15})(\\.[0-9]{1,4})?$': 'amount as text, such as `12.50`',
    '^(0|[1-9][0-9]{0,9})(\\.[0-9]{1,12})?$': 'rate as text, such as `0.0064`',
    '^(?=.*[1-9])(0|[1-9][0-9]{0,9})(\\.[0-9]{1,12})?$': 'rate above 0 as text, such as `0.0064`',
    '^(?:19|2[0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](?:\\.[0-9]+)?(?:Z|[+\\-](?:[01][0-9]|2[0-3]):[0-5][0-9])$':
      'date and time with its offset, such as `2026-11-23T12:00:00Z`',
    '^2[0-9]{3}-(?:0[1-9]|1[0-2])$': 'month, such as `2026-11`',
    '^2[0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$': 'day, such as `2026-11-25`',
    '^[A-Z]{2}$': 'country, such as `DE`',
    '^[A-Za-z]{2,3}([\\-_][A-Za-z0-9]{2,8}){0,3}$': 'language, such as `pt-BR`',
    '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$': 'language, such as `pt-BR`',
    '^[A-Za-z0-9_+\\/\\-]+$': 'time zone, such as `Europe/Lisbon`',
    '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$': 'UUID in lower case',
    '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$': 'UUID',
    '^[A-Za-z][A-Za-z0-9+.\\-]*:[\\x21-\\x7e]+$': 'address with its scheme, such as `shop://card`',
    '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$': 'name of a package, such as `com.example.shop`',
    '^[a-z0-9]+(\\.[a-z0-9]+)*$': 'name of a symbol, such as `cup.and.saucer.fill`',
    '^(?:(?:[0-9A-Fa-f]{2}){8,100}|[A-Za-z0-9:._~+\\/=%\\-]{0,999}[G-Zg-z:._~+\\/=%\\-][A-Za-z0-9:._~+\\/=%\\-]{0,999})$':
      '16 to 200 hexadecimal digits, or up to 1,024 characters of another push service',
    '^[\\x20-\\x7e]{16,255}$': '16 to 255 printable ASCII characters',
    '^[\\x21-\\x7e]+$': 'printable ASCII without spaces',
    '^[\\x21-\\x39\\x3b-\\x7e]+$': 'printable ASCII without spaces and `:`',
    '^[A-Za-z0-9_\\-]+$': 'base64url',
    '^[A-Za-z0-9+\\/=\\x0d\\x0a]+$': 'base64',
    '^[A-Za-z0-9._\\-]+$': '1 to 64 letters, digits, `.`, `_` and `-`',
  },
};

/** Codes that something else than another request ends. */
const retries: Readonly<Record<string, string>> = {
  internal_error: 'Only with `retryable: true` in the body.',
  insufficient_credits: 'After a top-up.',
  pool_exhausted: 'After an upload of barcodes.',
  workspace_suspended: 'After the operator has lifted the suspension.',
  sweep_running: 'After the sweep has ended.',
  sweep_failed: 'When the store can be read again.',
  request_timeout: 'Yes, at once.',
};

/** Whether a request that was refused with this code may be sent again. */
export function retryOf(code: string, status: number): string {
  const known = retries[code];
  if (known !== undefined) return known;
  if (status === 429 || status === 503) return 'Yes, after the seconds in `Retry-After`.';
  return 'No: change the request, or what it is about, first.';
}

import { signal } from '@preact/signals';

/** A call to the API that a page of this tab has made. */
export interface RecordedCall {
  readonly requestId: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** What was sent: JSON with its secrets masked, or of what kind a file was; null where nothing was. */
  readonly body: { readonly json: unknown } | { readonly mediaType: string } | null;
  /** Whether it has a key of its own that makes a repeat harmless. */
  readonly isKeyed: boolean;
  /** As it reads with the TypeScript client; null where that is not known. */
  readonly code: string | null;
  /** What it was answered; 0 where it got no answer. */
  readonly status: number;
  readonly at: number;
}

/** So many are kept, in memory alone. */
const most = 20;

/** The newest first. */
export const calls = signal<readonly RecordedCall[]>([]);

/** Keeps what was called. The same read again, and another attempt, take the place of what was before. */
export function recordCall(url: string, init: RequestInit, status: number, code: string | null): void {
  const headers = new Headers(init.headers);
  const { pathname, search } = new URL(url, location.origin);
  const [requestId, method, path] = [
    headers.get('x-request-id') ?? '',
    init.method ?? 'GET',
    pathname + search,
  ];
  const before = calls.peek();
  const call: RecordedCall = {
    requestId,
    method,
    path,
    body: bodyOf(init.body, headers.get('content-type') ?? ''),
    isKeyed: headers.has('idempotency-key'),
    code: code ?? before.find((one) => one.requestId === requestId)?.code ?? null,
    status,
    at: Date.now(),
  };
  const isSame = (one: RecordedCall) =>
    one.requestId === requestId || (method === 'GET' && one.method === 'GET' && one.path === path);
  calls.value = [call, ...before.filter((one) => !isSame(one))].slice(0, most);
}

function bodyOf(body: RequestInit['body'], mediaType: string): RecordedCall['body'] {
  if (body === null || body === undefined) return null;
  if (typeof body !== 'string' || mediaType !== 'application/json') return { mediaType };
  return { json: masked(JSON.parse(body)) };
}

/** The same without what opens something. */
export function masked(value: unknown): unknown {
  const text = JSON.stringify(value, (name, one: unknown) => (isSecret(name, one) ? '…' : one));
  return text === undefined ? undefined : JSON.parse(text);
}

function isSecret(name: string, value: unknown): boolean {
  const secret = /secret|token|consumerKey|password|passphrase|^pin$|^p12$|^serviceAccount$/i;
  return typeof value === 'string' && secret.test(name);
}

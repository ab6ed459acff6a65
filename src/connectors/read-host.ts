import { invalidRequest } from '../kit/http/api-error.ts';

/** Customers are named `<host>/<number>` in 255 characters. */
const longest = 150;

/** A host with a port where that is not 443, in lower case. Raises `invalid_request` for everything else. */
export function readHost(text: string): string {
  const url = URL.parse(`https://${text}`);
  const host = url?.host ?? '';
  const isPlain = url?.href === `https://${host}/` && /^[^\s/\\?#@]+$/.test(text);
  const hasDot = host.includes('.') || host.startsWith('[');
  if (!isPlain || !hasDot || host.endsWith('.'))
    throw invalidRequest(
      'domain: must be a host such as shop.example.com, without https:// and without a path.',
    );
  if (host.length > longest) throw invalidRequest(`domain: must have at most ${longest} characters.`);
  return host;
}

import { answer } from '../../engine/endpoints.ts';
import { matchesEtag } from '../../kit/http/endpoints/headers.ts';

/**
 * A PNG whose address changes with its content, so that clients may cache it for good. `etag` names its content,
 * `known` is the If-None-Match of the request.
 */
export function immutablePicture(png: Buffer, etag: string, known: string | undefined) {
  const quoted = `"${etag}"`;
  const caching = { etag: quoted, 'cache-control': 'public, max-age=31536000, immutable' };
  return matchesEtag(known, quoted) ? answer(304, null, caching) : answer(200, png, caching);
}

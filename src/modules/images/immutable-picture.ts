import { answer } from '../../endpoints.ts';

/**
 * A PNG whose address changes when it does: whoever has it need never ask for it again. `etag` names its content,
 * `known` is the If-None-Match of the request.
 */
export function immutablePicture(png: Buffer, etag: string, known: string | undefined) {
  const quoted = `"${etag}"`;
  const caching = { etag: quoted, 'cache-control': 'public, max-age=31536000, immutable' };
  const isKnown = known?.split(',').some((each) => each.trim() === quoted);
  return isKnown ? answer(304, null, caching) : answer(200, png, caching);
}

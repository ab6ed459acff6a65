/**
 * Whether a client that sends this If-None-Match has what the entity tag (in its quotes) names. RFC 9110 §13.1.2:
 * weak tags compare as strong ones, `*` matches whatever there is.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return known.includes(etag) || known.includes('*');
}

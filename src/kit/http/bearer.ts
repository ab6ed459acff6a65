const LONGEST_TOKEN = 512;
/** `token68` of RFC 9110 §11.2, the only form that RFC 6750 allows for a Bearer token. */
const TOKEN = /^[0-9A-Za-z._~+/-]+=*$/;

export type Bearer =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string };

/**
 * The Bearer token of a request (RFC 6750 §2.1), read from all its Authorization header values: hand over
 * every one that was sent, because Node's `headers` object silently keeps only the first of two.
 *
 * `none`: no header, an empty one, or another scheme. `malformed`: more than one header, a comma-joined one,
 * more than 512 characters, or anything but exactly one space before a token of the characters that RFC
 * allows.
 */
export function bearerToken(authorizations: readonly string[]): Bearer {
  if (authorizations.length > 1) return { kind: 'malformed' };
  const [value = ''] = authorizations;
  if (!/^bearer(?![^ \t])/i.test(value) || /^bearer[ \t]*$/i.test(value)) return { kind: 'none' };
  const token = value.slice('bearer '.length);
  const wellFormed = value[6] === ' ' && token.length <= LONGEST_TOKEN && TOKEN.test(token);
  return wellFormed ? { kind: 'token', token } : { kind: 'malformed' };
}

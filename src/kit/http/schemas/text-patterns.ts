/**
 * Patterns of text that every dialect of regular expressions reads alike: ECMAScript with and without its flags, RE2,
 * Python, Java. That leaves explicit ranges: `\s`, `\d` and `\w` differ from one to the next, `\p` and look-around are
 * missing in some, and none of the escapes of what lies above U+00FF is known to all, so that such characters stand
 * for themselves. In a class what the `v` flag reserves is escaped. Classes of characters beyond U+FFFF are negated.
 */

/** Control characters, as part of a class. */
const CONTROLS = '\\x00-\\x1f\\x7f-\\x9f';
const LINE_SEPARATORS = '\u2028\u2029';
/** What else ECMAScript takes for white space. */
const SPACES = '\\x20\\xa0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff';
const WHITE_SPACE = `\\x09-\\x0d${SPACES}${LINE_SEPARATORS}`;

const IN_LINE = `[^${CONTROLS}${LINE_SEPARATORS}]`;
const VISIBLE = `[^${CONTROLS}${LINE_SEPARATORS}${SPACES}]`;

/** One line that is not blank. */
export const linePattern = `^[${SPACES}]*${VISIBLE}${IN_LINE}*$`;
/** Text without control characters. */
export const printablePattern = `^[^${CONTROLS}]+$`;
/** Text without control characters, or none. */
export const labelPattern = `^[^${CONTROLS}]*$`;
/** Several lines, with tabs. */
export const prosePattern = '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]+$';

const AROUND_AT = `[^@${CONTROLS}${LINE_SEPARATORS}${SPACES}]+`;

/** Something like an e-mail address. */
export const addressPattern = `^${AROUND_AT}@${AROUND_AT}$`;
/** Something like an e-mail address, with white space around it. */
export const paddedAddressPattern = `^[${WHITE_SPACE}]*${AROUND_AT}@${AROUND_AT}[${WHITE_SPACE}]*$`;

/** RFC 5321 §4.1.2, dot-string, with the letters of RFC 6531: what ASCII has no place in it is left out. */
const ATOM = `[^\\x00-\\x20"\\(\\),.:;<>@\\[\\\\\\]\\x7f-\\x9f${LINE_SEPARATORS}]+`;
/** Of a host name in letters of any language; three characters besides the full stop separate labels too. */
const LABEL = `[^\\x00-\\x2c.\\/\\x3a-\\x40\\x5b-\\x60\\x7b-\\x9f${SPACES}${LINE_SEPARATORS}\u3002\uff0e\uff61]+`;

/** What stands before the `@` of an address that a mail server may take. */
export const localPartPattern = `^${ATOM}(?:\\.${ATOM})*$`;
/** An address that a mail server may take; spaces around it are none of it. */
export const mailboxPattern = `^[${SPACES}${LINE_SEPARATORS}]*${ATOM}(?:\\.${ATOM})*@${LABEL}(?:[.\u3002\uff0e\uff61]${LABEL})+[${SPACES}${LINE_SEPARATORS}]*$`;

/** Printable ASCII without the comma, by which Node joins a header that was sent twice. */
export const idempotencyKeyPattern = '^[\\x20-\\x2b\\x2d-\\x7e]{1,255}$';

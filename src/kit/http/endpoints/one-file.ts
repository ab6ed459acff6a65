import { invalidAs } from '../api-error.ts';

/**
 * The bytes of the one file that a body of `multipart/form-data` (RFC 7578) holds, a view of the body. Its name, and what
 * else is said of it, are not looked at. Raises `invalid_request` where there is no file, more than that, or a body that
 * is broken or cut off.
 */
export function oneFile(body: Buffer, contentType: string): Buffer {
  const [, quoted, token] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? token;
  if (boundary === undefined)
    throw invalidAs('syntax', 'Content-Type: multipart/form-data needs a `boundary` of 1 to 70 characters.', {
      path: 'Content-Type',
      part: 'header',
    });
  const delimiter = Buffer.from(`${CRLF}--${boundary}`, 'latin1');
  const head = endOfFirst(body, delimiter);
  if (head === -1) throw broken();
  if (isClosing(body, head)) throw severalOrNone('no file');
  const headLength = body.subarray(head, head + MOST_HEAD).indexOf(`${CRLF}${CRLF}`);
  if (headLength === -1) throw broken();
  if (body.subarray(head, head + headLength).includes(delimiter)) throw broken();
  const start = head + headLength + 4;
  const end = body.indexOf(delimiter, start);
  if (end === -1) throw broken();
  if (!isClosing(body, end + delimiter.length)) throw severalOrNone('several parts');
  return body.subarray(start, end);
}

const BOUNDARY = /;\s*boundary=(?:"([^"\\]{1,70})"|([^\s;,"]{1,70}))\s*(?:;|$)/i;
const CRLF = '\r\n';
/** The headers of a part have a few hundred bytes. */
const MOST_HEAD = 16_384;

/** Where the first delimiter ends; -1 where there is none. The body may begin with it, without a line before. */
function endOfFirst(body: Buffer, delimiter: Buffer): number {
  const line = delimiter.subarray(CRLF.length);
  if (body.subarray(0, line.length).equals(line)) return line.length;
  const at = body.indexOf(delimiter);
  return at === -1 ? -1 : at + delimiter.length;
}

/** Whether the delimiter that ends here is the last. */
function isClosing(body: Buffer, at: number): boolean {
  return body.toString('latin1', at, at + 2) === '--';
}

function severalOrNone(what: string) {
  return invalidAs('syntax', `The body holds ${what}. Send one part, the file.`);
}

function broken() {
  return invalidAs('syntax', 'The body is no multipart/form-data of that boundary, or it is cut off.');
}

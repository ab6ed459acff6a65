/** A mail as it arrived, read as a mail program reads it. */
export interface ReceivedMail {
  /** Of the envelope. */
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly raw: string;
  /** Lower-case names; unfolded and decoded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
}

/** Reads a mail of two parts that say the same; raises an Error for anything else. */
export function readMail(
  raw: string,
  envelope: { sender: string; recipients: readonly string[] },
): ReceivedMail {
  const { headers, body } = split(raw);
  const type = headers.get('content-type') ?? '';
  const boundary = /^multipart\/alternative;.*boundary="([^"]+)"/s.exec(type)?.[1];
  if (boundary === undefined) throw new Error(`not a mail of two forms: ${type}`);
  const [, ...parts] = body.split(`--${boundary}`);
  const end = parts.pop();
  if (end === undefined || !end.startsWith('--')) throw new Error('the mail has no end');
  const read = new Map(
    parts.map((part) => {
      const { headers: of, body: coded } = split(part.replace(/^\r\n/, ''));
      const [kind = ''] = (of.get('content-type') ?? '').split(';');
      const text = decodeBody(coded, of.get('content-transfer-encoding') ?? '7bit');
      return [kind, text.replaceAll('\r\n', '\n')];
    }),
  );
  // RFC 2046 §5.1.4: the best form comes last.
  if ([...read.keys()].join() !== 'text/plain,text/html')
    throw new Error(`the forms are ${[...read.keys()].join()}`);
  return { ...envelope, raw, headers, text: read.get('text/plain') ?? '', html: read.get('text/html') ?? '' };
}

/** The links of a mail, as its HTML has them. */
export function linksOf(mail: ReceivedMail): string[] {
  return [...mail.html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
}

function split(text: string): { headers: Map<string, string>; body: string } {
  const at = text.indexOf('\r\n\r\n');
  if (at === -1) throw new Error('a part without a body');
  const headers = new Map<string, string>();
  for (const line of text
    .slice(0, at)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (!/^[a-z0-9-]+$/.test(name)) throw new Error(`not a header: ${line}`);
    if (headers.has(name)) throw new Error(`two headers ${name}`);
    headers.set(name, decodeWords(line.slice(colon + 1).trim()));
  }
  return { headers, body: text.slice(at + 4) };
}

/** RFC 2047. */
function decodeWords(text: string): string {
  return text
    .replace(/(=\?[^?]+\?[BQ]\?[^?]*\?=)\s+(?==\?)/gi, '$1')
    .replace(/(?:=\?utf-8\?[BQ]\?[^?]*\?=)+/gi, (words) =>
      Buffer.concat(
        [...words.matchAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi)].map(([, kind = '', coded = '']) =>
          kind.toUpperCase() === 'B' ? Buffer.from(coded, 'base64') : quotedBytes(coded.replaceAll('_', ' ')),
        ),
      ).toString('utf8'),
    );
}

function decodeBody(body: string, encoding: string): string {
  const text = body.replace(/\r\n$/, '');
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8');
  if (encoding === 'quoted-printable') return quotedBytes(text.replace(/=\r\n/g, '')).toString('utf8');
  return text;
}

function quotedBytes(text: string): Buffer {
  return Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

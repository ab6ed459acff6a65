import type { NodemailerError } from 'nodemailer';

/** A mail to one person, in two forms that say the same. */
export interface Letter {
  /** Letters, digits and underscores; one letter has one key, whenever it is sent. */
  readonly key: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Further headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly date: Date;
}

/** A letter as it travels. */
export interface SealedLetter {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly bytes: Buffer;
}

/** Writes a letter out. The same letter has the same Message-ID each time. */
export async function composeLetter(letter: Letter): Promise<SealedLetter> {
  // A process that sends no mail does not load the library.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { key, from, to, subject, html, text, headers, date } = letter;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const composer = new MailComposer({
    messageId: `<${key}@${domain}>`,
    from: { name: headerText(from.name), address: from.address },
    // As an object: nothing in an address is taken for a second one.
    to: { name: '', address: to },
    subject: headerText(subject),
    date,
    html,
    text,
    headers: Object.entries(headers).map(([name, value]) => ({ key: name, value })),
    // Mails are made of our own words; nothing is read from anywhere.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { key, from: from.address, to, bytes: await composer.compile().build() };
}

/** One line without what would turn the rest of the header around. */
function headerText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
}

/** The outcome of a letter. */
export type MailOutcome =
  | { readonly kind: 'sent' }
  /** The server refuses it for now. `status` is its reply in numbers: `451 4.7.1`. */
  | { readonly kind: 'deferred'; readonly status: string }
  /** The server refuses it for good; perhaps because the address does not exist. */
  | { readonly kind: 'refused'; readonly status: string; readonly isBadAddress: boolean }
  /** No server took anything: it cannot be reached, does not let us in, or wants no mail of ours. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** It was handed over, and the server did not say whether it took it. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** What is needed of an error to judge it. */
export type MailFailure = Pick<NodemailerError, 'code' | 'command' | 'response' | 'responseCode'>;

/** What a failure means for the letter; `wasHandedOver` once the server has begun to read it. */
export function judgeFailure(failure: MailFailure, wasHandedOver: boolean): MailOutcome {
  const { code = 'ECONNECTION', command = '', response = '', responseCode } = failure;
  if (responseCode === undefined) {
    if (wasHandedOver) return { kind: 'unknown', reason: code };
    // Nothing was asked of the server: the letter itself cannot travel this way.
    if (code === 'EENVELOPE' || code === 'EMESSAGE')
      return { kind: 'refused', status: code, isBadAddress: false };
    return { kind: 'unavailable', reason: code };
  }
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  const status = enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`;
  // 421: it closes the connection. Before a recipient is named, a reply is about us and not about the letter.
  if (!wasHandedOver && (responseCode === 421 || !/^(RCPT TO|DATA)/.test(command)))
    return { kind: 'unavailable', reason: `${code} ${status}` };
  if (responseCode < 500) return { kind: 'deferred', status };
  const isBadAddress = command.startsWith('RCPT TO') && BAD_ADDRESS.has(enhanced ?? '');
  return { kind: 'refused', status, isBadAddress };
}

/** RFC 3463 §3.2, those about the recipient: no mailbox, no system, bad syntax, moved away, a domain without mail. */
const BAD_ADDRESS: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10']);

import type { NodemailerError } from 'nodemailer';

/** What became of a letter. */
export type MailOutcome =
  | { readonly kind: 'sent' }
  /** The server refuses it for now. `status` is its reply in numbers: `451 4.7.1`. */
  | { readonly kind: 'deferred'; readonly status: string }
  /** The server refuses it for good; perhaps because nobody has the address. */
  | { readonly kind: 'refused'; readonly status: string; readonly isBadAddress: boolean }
  /** No server took anything: it cannot be reached, does not let us in, or wants no mail of ours. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** It was handed over, and nobody has heard whether it arrived. */
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
  // 421: it takes leave. Before a recipient is named, a reply is about us and not about the letter.
  if (!wasHandedOver && (responseCode === 421 || !/^(RCPT TO|DATA)/.test(command)))
    return { kind: 'unavailable', reason: `${code} ${status}` };
  if (responseCode < 500) return { kind: 'deferred', status };
  const isBadAddress = command.startsWith('RCPT TO') && BAD_ADDRESS.has(enhanced ?? '');
  return { kind: 'refused', status, isBadAddress };
}

/** RFC 3463 §3.2, those about the recipient: no mailbox, no system, bad syntax, moved away, a domain without mail. */
const BAD_ADDRESS: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10']);

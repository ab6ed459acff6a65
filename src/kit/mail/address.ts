import { domainToASCII } from 'node:url';
import { localPartPattern } from '../http/schemas/text-patterns.ts';

/** An e-mail address as it is compared, whether or not it is one: trimmed, in Unicode's NFC form, in lower case. */
export function foldAddress(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

/** An e-mail address as it is kept and compared. Null for what no mail server would take. */
export function normalEmail(text: string): string | null {
  const address = foldAddress(text);
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const isUsable =
    at > 0 &&
    Buffer.byteLength(address) <= 254 &&
    Buffer.byteLength(local) <= 64 &&
    LOCAL_PART.test(local) &&
    isDomain(address.slice(at + 1));
  return isUsable ? address : null;
}

const LOCAL_PART = new RegExp(localPartPattern);

function isDomain(text: string): boolean {
  if (/[\s:/?#[\]@\\%]/.test(text)) return false;
  const labels = domainToASCII(text).split('.');
  return (
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

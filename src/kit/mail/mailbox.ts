/**
 * The mailbox that an address, in lower case, leads to, for counting: without the tag behind a plus, which most servers leave
 * aside, and at Gmail without dots. Two mailboxes of a server that does neither are counted as one.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const [name = ''] = address.slice(0, at).split(/(?<=.)\+/);
  const domain = address.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com');
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`;
}

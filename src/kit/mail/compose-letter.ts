import MailComposer from 'nodemailer/lib/mail-composer';

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

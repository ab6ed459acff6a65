import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { tryMailServer } from '../kit/mail/mail.ts';
import type { Finding } from '../wallet/apple/certificates/inspect-identity.ts';

/** Whether invitations can leave: the mail server lets us in, or the folder can be written to. Nothing is sent. */
export async function checkMail({ mail: { smtpUrl, from }, dataDir }: Config): Promise<Finding> {
  if (smtpUrl === null) return checkFolder(dataDir);
  const { hostname, port, protocol } = new URL(smtpUrl);
  const server = `${hostname}:${port || (protocol === 'smtps:' ? 465 : 587)}`;
  const reason = await tryMailServer(smtpUrl, {
    patience: { connectMs: 5_000, answerMs: 5_000, letterMs: 10_000 },
  });
  if (reason === null)
    return { level: 'ok', what: `The mail server ${server} lets us in; mails come from ${from}` };
  const advice = remedies.find(([pattern]) => pattern.test(reason))?.[1] ?? 'Ask the operator of the server.';
  return {
    level: 'error',
    what: `The mail server ${server} does not let us in (${reason}): invitations wait`,
    advice,
  };
}

/** The sentence for each code of nodemailer; where the server has answered, its reply follows. */
const remedies: readonly (readonly [reason: RegExp, advice: string])[] = [
  [
    /^EAUTH/,
    'Check the user and the password in SMTP_URL; what is special in them is written as %40 and the like.',
  ],
  [
    /^ETLS/,
    'It offers no TLS, or its certificate is not trusted: use the name in it, port 587 with smtp:// or 465 with smtps://. A password is sent by TLS only.',
  ],
  [/^(EDNS|ENOTFOUND)/, 'Its name is not known: check the host in SMTP_URL.'],
  [
    /^(ESOCKET|ECONNECTION|ETIMEDOUT|ECONNREFUSED)/,
    'Check host and port in SMTP_URL, and that this machine may connect there: many providers block 25.',
  ],
];

async function checkFolder(dataDir: string): Promise<Finding> {
  const folder = join(dataDir, 'mail');
  const what = `No mail server is set up: invitations become files in ${folder}`;
  try {
    // It is made with the first mail, and not here: that would make it this account's.
    await access(existsSync(folder) ? folder : dataDir, constants.W_OK | constants.X_OK);
    return { level: 'ok', what };
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    if (reason === 'ENOENT') return { level: 'ok', what };
    return {
      level: 'error',
      what: `${what}, where this account may not write (${reason})`,
      advice: 'Set SMTP_URL, or let the account of the service write there.',
    };
  }
}

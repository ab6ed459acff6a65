import { randomBytes } from 'node:crypto';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bareHost } from '../bare-host.ts';
import { backOff } from '../time.ts';
import {
  composeLetter,
  judgeFailure,
  type Letter,
  type MailFailure,
  type MailOutcome,
  type SealedLetter,
} from './letter.ts';
import type { SmtpLines, SmtpPatience, SmtpServer } from './smtp.ts';

/** Where letters are posted. */
export interface Mail {
  /** Posts a letter, once; never raises for what a mail server does. */
  send(letter: Letter): Promise<MailOutcome>;
  /** By `performance.now()`: the server takes nothing, and is left alone until then; null: it is asked. */
  readonly pausedUntil: number | null;
  close(): void;
}

interface Options {
  /** `smtp://user:password@host:587` or `smtps://…`; null: letters become files. */
  readonly smtpUrl: string | null;
  /** Where the files go. */
  readonly folder: string;
  readonly log: { info(fields: object, message: string): void };
  /** Certificates that are trusted instead of the usual ones. */
  readonly ca?: string;
  readonly patience?: SmtpPatience;
  readonly firstPauseMs?: number;
}

const usualPatience: SmtpPatience = { connectMs: 15_000, answerMs: 60_000, letterMs: 120_000 };
const usualPauseMs = 2_000;
const mostPauseMs = 120_000;

/** Posts letters by SMTP, or files them where there is no server. What fails is left alone for a while. */
export function createMail(options: Options): Mail {
  const { smtpUrl, ca, patience = usualPatience, firstPauseMs = usualPauseMs } = options;
  const server = smtpUrl === null ? null : { ...readSmtpUrl(smtpUrl), ...(ca !== undefined && { ca }) };
  let lines: SmtpLines | null = null;
  let failures = 0;
  let pausedUntil: number | null = null;

  async function post(letter: Letter): Promise<MailOutcome> {
    const sealed = await composeLetter(letter);
    if (server === null) return file(options, sealed);
    // A process that sends no mail does not load the library.
    const { createSmtpLines } = await import('./smtp.ts');
    lines ??= createSmtpLines(server, patience);
    return lines.send(sealed);
  }

  return {
    async send(letter) {
      const outcome = await post(letter);
      // A server that breaks off after every letter would leave a whole queue of letters whose outcome is unknown.
      if (outcome.kind === 'unavailable' || outcome.kind === 'unknown') {
        const longestMs = backOff({ firstMs: firstPauseMs, mostMs: mostPauseMs }, failures);
        // Letters that fail side by side are one failure.
        if (pausedUntil === null || pausedUntil <= performance.now()) failures += 1;
        // Spread, so that processes which lost the server together do not come back together.
        pausedUntil = performance.now() + longestMs * (0.5 + Math.random() / 2);
      } else {
        failures = 0;
        pausedUntil = null;
      }
      return outcome;
    },
    get pausedUntil() {
      return pausedUntil !== null && pausedUntil > performance.now() ? pausedUntil : null;
    },
    close: () => lines?.close(),
  };
}

/** Whether a mail server lets us in, by a connection without a letter; else why not, as `EAUTH 535 5.7.8`. */
export async function tryMailServer(
  smtpUrl: string,
  { ca, patience = usualPatience }: Pick<Options, 'ca' | 'patience'> = {},
): Promise<string | null> {
  const { SmtpLine } = await import('./smtp.ts');
  try {
    const line = await SmtpLine.open({ ...readSmtpUrl(smtpUrl), ...(ca !== undefined && { ca }) }, patience);
    line.close();
    return null;
  } catch (error) {
    const outcome = judgeFailure(error as MailFailure, false);
    return 'reason' in outcome ? outcome.reason : 'status' in outcome ? outcome.status : outcome.kind;
  }
}

async function file({ folder, log }: Options, letter: SealedLetter): Promise<MailOutcome> {
  try {
    const path = await fileLetter(folder, letter);
    log.info({ path }, 'a mail was written to a file, since no mail server is set up');
    return { kind: 'sent' };
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'EFILE';
    return { kind: 'unavailable', reason };
  }
}

/**
 * A password never travels in the clear, unless within this very machine, whose own server has no certificate that
 * clients would trust.
 */
function readSmtpUrl(smtpUrl: string): SmtpServer {
  const url = new URL(smtpUrl);
  const { protocol, port, username, password } = url;
  const host = bareHost(url);
  const isHere = /^(localhost|127(\.\d+){3}|::1)$/.test(host);
  const login =
    username === '' ? null : { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  if (protocol === 'smtps:') return { host, port: Number(port || 465), tls: 'at once', login };
  const tls = isHere ? 'never' : login === null ? 'offered' : 'required';
  return { host, port: Number(port || 587), tls, login };
}

/**
 * Writes a letter as `<key>.eml`, whole or not at all, for the owner's eyes only; answers its path. A file that is there
 * already stays as it is.
 */
async function fileLetter(folder: string, { key, bytes }: SealedLetter): Promise<string> {
  const path = join(folder, `${key}.eml`);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(draft, bytes, { mode: 0o600, flush: true });
    await link(draft, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return path;
}

import type { SealedLetter } from './compose-letter.ts';
import { judgeFailure, type MailFailure, type MailOutcome } from './mail-outcome.ts';
import { SmtpLine, type SmtpPatience, type SmtpServer } from './smtp-line.ts';

/** Connections to one mail server, kept for the next letter. */
export interface SmtpLines {
  send(letter: SealedLetter): Promise<MailOutcome>;
  close(): void;
}

/** A server that hears nothing for so long may be gone without a word; and many end the connection earlier. */
const mostIdleMs = 20_000;
/** Some servers take no more on one connection. */
const mostLetters = 100;

/** As many connections as there are letters at the same time: whoever sends bounds them. */
export function createSmtpLines(server: SmtpServer, patience: SmtpPatience): SmtpLines {
  const idle: { line: SmtpLine; letters: number; timer: NodeJS.Timeout }[] = [];
  let isClosed = false;

  async function send(letter: SealedLetter): Promise<MailOutcome> {
    const kept = takeIdle();
    if (kept !== undefined) {
      const outcome = await sendOn(kept.line, kept.letters, letter);
      // The server may have ended a connection that rested; nothing was handed over.
      if (outcome.kind !== 'unavailable' || isClosed) return outcome;
    }
    try {
      return await sendOn(await SmtpLine.open(server, patience), 0, letter);
    } catch (error) {
      return judgeFailure(error as MailFailure, false);
    }
  }

  async function sendOn(line: SmtpLine, letters: number, letter: SealedLetter): Promise<MailOutcome> {
    const outcome = await line.send(letter);
    if (!line.isOpen) return outcome;
    if (isClosed || letters + 1 >= mostLetters) line.close();
    else {
      const timer = setTimeout(() => line.close(), mostIdleMs).unref();
      idle.push({ line, letters: letters + 1, timer });
    }
    return outcome;
  }

  function takeIdle() {
    for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
      clearTimeout(kept.timer);
      if (kept.line.isOpen) return kept;
    }
    return undefined;
  }

  return {
    send,
    close() {
      isClosed = true;
      for (const { line, timer } of idle.splice(0)) {
        clearTimeout(timer);
        line.close();
      }
    },
  };
}

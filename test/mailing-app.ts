import { after } from 'node:test';
import { Mailbox } from '../tools/fakes/mailbox.ts';
import { startTestApp, type TestApp } from './harness.ts';
import { freePort } from './service-process.ts';

/** A service that browsers of this machine reach and that sends its mails to a mailbox, for a test file. */
export async function startMailingApp(
  overrides: Record<string, string> = {},
): Promise<{ readonly app: TestApp; readonly mailbox: Mailbox }> {
  const mailbox = await Mailbox.start();
  const port = await freePort();
  const app = await startTestApp({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'cards@shop.example',
    ...overrides,
  });
  after(() => mailbox.close());
  return { app, mailbox };
}

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { type Fault, Mailbox, type Stage } from '../../../tools/fakes/mailbox.ts';
import { linksOf, readMail } from '../../../tools/fakes/received-mail.ts';
import type { Letter } from './letter.ts';
import { createMail, type Mail } from './mail.ts';
import { createSmtpLines } from './smtp.ts';

const folder = await mkdtemp(join(tmpdir(), 'mail-test-'));
const open: (Mailbox | Mail)[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
after(() => rm(folder, { recursive: true }));

const letter: Letter = {
  key: 'letter_1',
  from: { name: 'Blue Bean', address: 'cards@shop.example' },
  to: 'ada@example.com',
  subject: 'Your card',
  html: '<!doctype html><p>Hello <a href="https://x.example/?a=1&amp;b=2">Ada</a></p>',
  text: 'Hello Ada',
  headers: { 'List-Unsubscribe': '<https://shop.example/unsubscribe/abc>' },
  date: new Date('2027-01-31T12:00:00Z'),
};
const patience = { connectMs: 20_000, answerMs: 20_000, letterMs: 60_000 };
/** For a server that never answers. */
const littlePatience = { connectMs: 2_000, answerMs: 2_000, letterMs: 8_000 };
const quiet = { info() {} };

async function startMailbox(options: Parameters<typeof Mailbox.start>[0] = {}): Promise<Mailbox> {
  const mailbox = await Mailbox.start(options);
  open.push(mailbox);
  return mailbox;
}

function mailTo(smtpUrl: string, options: Partial<Parameters<typeof createMail>[0]> = {}): Mail {
  const mail = createMail({ smtpUrl, folder, log: quiet, patience, firstPauseMs: 50, ...options });
  open.push(mail);
  return mail;
}

describe('a letter', () => {
  it('arrives in both forms, with its headers, and always under one Message-ID', async () => {
    const mailbox = await startMailbox();
    const mail = mailTo(mailbox.url);
    assert.deepEqual(await mail.send(letter), { kind: 'sent' });
    assert.deepEqual(await mail.send(letter), { kind: 'sent' });
    const [one, two] = mailbox.mails;
    assert.ok(one && two);
    assert.equal(one.sender, 'cards@shop.example');
    assert.deepEqual(one.recipients, ['ada@example.com']);
    assert.equal(one.text, letter.text);
    assert.equal(one.html, letter.html);
    assert.deepEqual(linksOf(one), ['https://x.example/?a=1&b=2']);
    const header = (name: string) => one.headers.get(name);
    assert.equal(header('from'), 'Blue Bean <cards@shop.example>');
    assert.equal(header('to'), 'ada@example.com');
    assert.equal(header('message-id'), '<letter_1@shop.example>');
    assert.equal(two.headers.get('message-id'), header('message-id'));
    assert.equal(header('date'), 'Sun, 31 Jan 2027 12:00:00 +0000');
    assert.equal(header('list-unsubscribe'), '<https://shop.example/unsubscribe/abc>');
    assert.equal(mailbox.connections, 1, 'the second went over the same connection');
  });

  it('keeps hostile names and subjects in their place', async () => {
    const mailbox = await startMailbox();
    const mail = mailTo(mailbox.url);
    const name = 'Evil"\r\nBcc: victim@example.com\r\n\r\n<b>, other@example.com \u202egnp.exe';
    const subject = 'Subject\r\nBcc: victim@example.com\r\n\r\nbody\u2028Ω 你好';
    await mail.send({ ...letter, from: { name, address: letter.from.address }, subject });
    const [received] = mailbox.mails;
    assert.ok(received);
    assert.deepEqual(received.recipients, ['ada@example.com']);
    assert.equal(received.headers.has('bcc'), false);
    assert.equal(received.headers.get('subject'), 'Subject Bcc: victim@example.com body Ω 你好');
    assert.match(received.headers.get('from') ?? '', /<cards@shop\.example>$/);
    assert.doesNotMatch(received.headers.get('from') ?? '', /\u202e/);
    assert.equal(received.text, letter.text);
  });

  it('goes to international addresses where the server takes them', async () => {
    const mailbox = await startMailbox();
    assert.deepEqual(await mailTo(mailbox.url).send({ ...letter, to: 'ζωή@例え.example' }), { kind: 'sent' });
  });
});

describe('what a server says', () => {
  const cases: readonly [stage: Stage, fault: Fault, outcome: object][] = [
    ['connect', '554 5.7.1 go away', { kind: 'unavailable', reason: 'EPROTOCOL 554 5.7.1' }],
    ['connect', 'cut', { kind: 'unavailable', reason: 'ECONNECTION' }],
    ['connect', 'hang', { kind: 'unavailable', reason: 'ETIMEDOUT' }],
    ['sender', '451 4.7.1 slow down', { kind: 'unavailable', reason: 'EENVELOPE 451 4.7.1' }],
    ['sender', '550 5.7.1 not you', { kind: 'unavailable', reason: 'EENVELOPE 550 5.7.1' }],
    ['sender', 'cut', { kind: 'unavailable', reason: 'ECONNECTION' }],
    ['recipient', '450 4.2.0 greylisted', { kind: 'deferred', status: '450 4.2.0' }],
    ['recipient', '421 4.3.2 shutting down', { kind: 'unavailable', reason: 'ECONNECTION 421 4.3.2' }],
    ['recipient', '550 5.1.1 nobody', { kind: 'refused', status: '550 5.1.1', isBadAddress: true }],
    ['recipient', '550 no such user', { kind: 'refused', status: '550', isBadAddress: false }],
    ['recipient', '550 5.7.1 relaying', { kind: 'refused', status: '550 5.7.1', isBadAddress: false }],
    ['recipient', 'hang', { kind: 'unavailable', reason: 'ETIMEDOUT' }],
    ['data', '552 5.3.4 too big', { kind: 'refused', status: '552 5.3.4', isBadAddress: false }],
    ['data', '550 5.1.1 late', { kind: 'refused', status: '550 5.1.1', isBadAddress: false }],
    ['data', '452 4.3.1 full', { kind: 'deferred', status: '452 4.3.1' }],
    ['data', '421 4.3.2 shutting down', { kind: 'deferred', status: '421 4.3.2' }],
    ['data', 'cut', { kind: 'unknown', reason: 'ECONNECTION' }],
    ['data', 'hang', { kind: 'unknown', reason: 'ETIMEDOUT' }],
  ];
  for (const [stage, fault, outcome] of cases) {
    it(`${fault} at ${stage} is ${Object.values(outcome).join(' ')}`, async () => {
      const mailbox = await startMailbox();
      mailbox.script = (at) => (at === stage ? fault : undefined);
      const mail = mailTo(mailbox.url, fault === 'hang' ? { patience: littlePatience } : {});
      assert.deepEqual(await mail.send(letter), outcome);
      assert.ok(mailbox.arrivals.length <= 1, 'it was handed over once at most');
      mailbox.script = () => undefined;
      assert.deepEqual(await mail.send(letter), { kind: 'sent' });
    });
  }

  it('an ended connection that rested costs nothing', async () => {
    const mailbox = await startMailbox();
    const mail = mailTo(mailbox.url);
    await mail.send(letter);
    mailbox.script = (stage) => (stage === 'sender' && mailbox.connections === 1 ? 'cut' : undefined);
    assert.deepEqual(await mail.send(letter), { kind: 'sent' });
    assert.equal(mailbox.connections, 2);
    assert.equal(mailbox.mails.length, 2);
  });

  it('a server that is not there is left alone, ever longer, until it is back', async () => {
    const mailbox = await startMailbox();
    const { url, port } = mailbox;
    await mailbox.close();
    const mail = mailTo(url);
    assert.equal(mail.pausedUntil, null);
    const outcome = await mail.send(letter);
    assert.equal(outcome.kind, 'unavailable');
    assert.ok((mail.pausedUntil ?? 0) > performance.now());
    await startMailbox({ port });
    assert.deepEqual(await mail.send(letter), { kind: 'sent' });
    assert.equal(mail.pausedUntil, null);
  });

  it('a server that breaks off after a letter is left alone, too', async () => {
    const mailbox = await startMailbox();
    mailbox.script = (stage) => (stage === 'data' ? 'cut' : undefined);
    const mail = mailTo(mailbox.url, { firstPauseMs: 60_000 });
    assert.equal((await mail.send(letter)).kind, 'unknown');
    assert.notEqual(mail.pausedUntil, null);
    mailbox.script = () => undefined;
    assert.deepEqual(await mail.send(letter), { kind: 'sent' });
    assert.equal(mail.pausedUntil, null);
  });
});

describe('a server with a login', () => {
  const login = { user: 'us@er', password: 'p:a/ss wörd%' };
  const server = { host: '127.0.0.1', tls: 'required', login } as const;

  it('hears it over TLS only, and only with a certificate that is trusted', async () => {
    const mailbox = await startMailbox({ login, tls: true });
    const ca = mailbox.certificate;
    const sealed = { key: 'k', from: 'a@x.example', to: 'b@x.example', bytes: bytesOf() };
    const trusting = createSmtpLines({ ...server, port: mailbox.port, ca }, patience);
    assert.deepEqual(await trusting.send(sealed), { kind: 'sent' });
    trusting.close();
    const wary = createSmtpLines({ ...server, port: mailbox.port }, patience);
    assert.equal((await wary.send(sealed)).kind, 'unavailable');
    wary.close();
    const plain = await startMailbox({ login });
    const strict = createSmtpLines({ ...server, port: plain.port, ca }, patience);
    assert.match(JSON.stringify(await strict.send(sealed)), /^\{"kind":"unavailable","reason":"ETLS 50/);
    strict.close();
  });

  it('takes it from the URL; a wrong one is no fault of the letter', async () => {
    const mailbox = await startMailbox({ login });
    const as = (password: string) =>
      mailbox.url.replace('//', `//${encodeURIComponent(login.user)}:${encodeURIComponent(password)}@`);
    // TLS is not asked for on this very machine; the simulated server allows that where it offers none.
    const wrong = await mailTo(as('wrong')).send(letter);
    assert.equal(wrong.kind, 'unavailable');
    assert.match(JSON.stringify(wrong), /EAUTH 53/);
    assert.deepEqual(await mailTo(as(login.password)).send(letter), { kind: 'sent' });
  });
});

describe('without a server', () => {
  it('a letter becomes a file, once, for the owner alone', async () => {
    const lines: object[] = [];
    const into = join(folder, 'files');
    const mail = createMail({ smtpUrl: null, folder: into, log: { info: (fields) => lines.push(fields) } });
    assert.deepEqual(await mail.send(letter), { kind: 'sent' });
    const path = join(into, 'letter_1.eml');
    assert.deepEqual(lines, [{ path }]);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(into)).mode & 0o777, 0o700);
    const raw = await readFile(path, 'latin1');
    assert.equal(readMail(raw, { sender: '', recipients: [] }).text, letter.text);
    await mail.send({ ...letter, text: 'something else' });
    assert.equal(await readFile(path, 'latin1'), raw);
    assert.deepEqual(await readdir(into), ['letter_1.eml']);
  });

  it('a folder that cannot be written to is as good as a server that is not there', async () => {
    const into = join(folder, 'no-folder');
    await writeFile(into, '');
    const mail = createMail({ smtpUrl: null, folder: into, log: quiet });
    const outcome = await mail.send(letter);
    assert.equal(outcome.kind, 'unavailable');
    assert.ok(mail.pausedUntil !== null);
  });
});

function bytesOf(): Buffer {
  const part = (type: string) => `--b\r\nContent-Type: ${type}\r\n\r\nx\r\n`;
  return Buffer.from(
    `Content-Type: multipart/alternative; boundary="b"\r\n\r\n${part('text/plain')}${part('text/html')}--b--\r\n`,
  );
}

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { Client } from '../../test/client.ts';
import { makeCard, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { Mailbox } from '../../tools/fakes/mailbox.ts';
import { readMail } from '../../tools/fakes/received-mail.ts';
import { decodeId, newUuidV7 } from '../kit/ids.ts';
import { invite, inviteByMail, inviteLinks } from './invites.fixture.ts';

const minuteMs = 60_000;
const login = { user: 'mail@er', password: 'p4ss:w/rd' };
const mailbox = await Mailbox.start({ login });
after(() => mailbox.close());
const logged: string[] = [];
const app = await startTestApp(
  {
    SMTP_URL: mailbox.url.replace(
      '//',
      `//${login.user.replace('@', '%40')}:${encodeURIComponent(login.password)}@`,
    ),
    MAIL_FROM: 'cards@shop.example',
    MAIL_PER_MINUTE: '6000',
  },
  pino({ level: 'trace' }, { write: (line) => logged.push(line) }),
);
let client: Client;
let workspaceId: string;
let passId: string;
let people = 0;
beforeEach(async () => {
  mailbox.script = () => undefined;
  mailbox.delayMs = 0;
  ({ client, workspaceId } = await app.newWorkspace());
  ({ passId } = await makePass(client));
});
const newAddress = () => `guest-${++people}@example.com`;
const ofPass = async (id = passId) => (await client.get(`/passes/${id}/invites?limit=100`)).body.data;
const statusOf = async (email: string) => {
  const [row] = (await client.get(`/passes/${passId}/invites?email=${encodeURIComponent(email)}`)).body.data;
  return [row.status, row.problem].filter((value) => value !== null).join(' ');
};
const becomes = (email: string, status: string) =>
  until(`${email} is ${status}`, async () => (await statusOf(email)) === status);

describe('the mail', () => {
  it('says the same as HTML and as text, with links that work and the headers of bulk mail', async () => {
    const { passId: id } = await makePass(client, {
      title: 'Blue Bean Club',
      colors: { background: '#10324a', foreground: '#ffffff', label: '#c8d7e0' },
    });
    const email = newAddress();
    const mail = await inviteByMail({ client, mailbox }, id, { email, name: 'Ada' } as { email: string });
    const links = inviteLinks(app, mail);
    const header = (name: string) => mail.headers.get(name);
    assert.equal(mail.sender, 'cards@shop.example');
    assert.equal(header('from'), 'Blue Bean <cards@shop.example>');
    assert.equal(header('to'), email);
    assert.equal(header('subject'), 'Blue Bean Club: your card is waiting');
    assert.equal(header('list-unsubscribe'), `<${app.config.publicUrl}${links.unsubscribe}>`);
    assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    assert.equal(header('auto-submitted'), 'auto-generated');
    assert.equal(header('precedence'), 'bulk');
    assert.equal(header('content-language'), 'en');
    const [row] = await ofPass(id);
    assert.equal(header('message-id'), `<${row.inviteId}@shop.example>`);
    for (const text of [mail.text, mail.html.replace(/<[^>]+>/g, '')]) {
      assert.match(text, /Hello Ada,/);
      assert.match(text, /Blue Bean invites you to Blue Bean Club\./);
      assert.match(text, /Get your card/);
      assert.match(text, /Blue Bean has invited you at this address/);
      assert.match(text, /No more mail from Blue Bean/);
    }
    assert.ok(mail.text.includes(`${app.config.publicUrl}${links.claim}\n`));
    assert.ok(mail.text.includes(`${app.config.publicUrl}${links.unsubscribe}\n`));
    assert.match(mail.html, /<html lang="en" dir="ltr">/);
    assert.match(mail.html, /prefers-color-scheme: dark/);
    assert.match(mail.html, /background-color:#10324a/);
    assert.doesNotMatch(mail.html, /<img|<script|<link|url\(/);
    assert.equal((await app.anyone.get(links.claim)).status, 200);
    assert.equal((await app.anyone.get(links.unsubscribe)).status, 200);
  });

  it('speaks the languages that pages speak', async () => {
    const subjects = {
      de: 'Blue Bean Club: Ihre Karte wartet auf Sie',
      fr: 'Blue Bean Club: votre carte vous attend',
      es: 'Blue Bean Club: tu tarjeta te espera',
      it: 'Blue Bean Club: la tua carta ti aspetta',
      tr: 'Blue Bean Club: kartınız sizi bekliyor',
      ja: 'Blue Bean Club: カードをお受け取りください',
      sv: 'Blue Bean Club: your card is waiting',
    };
    for (const [locale, subject] of Object.entries(subjects)) {
      const mail = await inviteByMail({ client, mailbox }, passId, { email: newAddress(), locale } as {
        email: string;
      });
      assert.equal(mail.headers.get('subject'), subject);
      assert.match(mail.html, new RegExp(`<html lang="${locale === 'sv' ? 'en' : locale}"`));
      assert.doesNotMatch(mail.text + mail.html, /\{\w+\}/);
    }
  });

  it('keeps hostile names and titles in their place', async () => {
    const title = 'Club</title><script>alert(1)</script> \u202etxt.exe "\'&';
    const hostile = await makePass(client, { title });
    await client.patch('/workspace', { name: 'Evil"><img src=x> <cards@evil.example>, b@evil.example' });
    const email = newAddress();
    const mail = await inviteByMail({ client, mailbox }, hostile.passId, {
      email,
      name: '<b onmouseover=alert(1)>Ada</b>',
    } as { email: string });
    assert.deepEqual(mail.recipients, [email]);
    assert.match(mail.headers.get('from') ?? '', /<cards@shop\.example>$/);
    assert.doesNotMatch(mail.html, /<script|<img|<b |onmouseover/);
    assert.match(mail.html, /&lt;script&gt;alert\(1\)/);
    assert.doesNotMatch(mail.raw + mail.html + mail.text, /\u202e/);
    inviteLinks(app, mail);
  });

  it('greets no person by an advertisement', async () => {
    for (const name of [
      'Win big: https://evil.example',
      'www.evil.example',
      'evil.example',
      'a@evil.example',
    ]) {
      const mail = await inviteByMail({ client, mailbox }, passId, { email: newAddress(), name } as {
        email: string;
      });
      assert.match(mail.text, /^Hello,/);
      assert.doesNotMatch(mail.text + mail.html + mail.raw, /evil/);
    }
  });
});

describe('a mail server that refuses', () => {
  it('for now is asked again, ever later, and given up at last', async () => {
    const email = newAddress();
    const asked: number[] = [];
    mailbox.script = (stage, detail) => {
      if (stage !== 'recipient' || detail !== email) return undefined;
      asked.push(Date.now());
      return '450 4.2.0 come back';
    };
    await invite(client, passId, { email });
    await becomes(email, 'queued 450 4.2.0');
    await sleep(1_500);
    assert.equal(asked.length, 1);
    const attempts = async () =>
      (await app.sql('select attempts from invites where email = $1', [email]))[0]?.attempts;
    for (let more = 1; more < 8; more++) {
      await until('the refusal is written down', async () => (await attempts()) === more);
      app.advance(8 * 60 * minuteMs);
      await until(`it asks for the ${more + 1}th time`, () => asked.length === more + 1);
    }
    await becomes(email, 'failed 450 4.2.0');
    mailbox.script = () => undefined;
    assert.equal((await invite(client, passId, { email })).status, 'queued');
    await mailbox.mailTo(email);
    assert.equal(mailbox.to(email).length, 1);
  });

  it('for good is not asked again; an address that does not exist is never written to', async () => {
    const [policy, unknownUser] = [newAddress(), newAddress()];
    mailbox.script = (stage, detail) => {
      if (stage !== 'recipient') return undefined;
      if (detail === policy) return '550 5.7.1 no thanks';
      return detail === unknownUser ? '550 5.1.1 no such user' : undefined;
    };
    await invite(client, passId, { email: policy });
    await invite(client, passId, { email: unknownUser });
    await becomes(policy, 'failed 550 5.7.1');
    await becomes(unknownUser, 'failed 550 5.1.1');
    mailbox.script = () => undefined;
    const other = await makePass(client);
    assert.equal((await invite(client, other.passId, { email: unknownUser })).status, 'suppressed');
    assert.equal((await invite(client, other.passId, { email: policy })).status, 'queued');
    await mailbox.mailTo(policy);
    assert.equal(mailbox.to(unknownUser).length, 0);
  });

  it('all recipients holds up the queue, and costs no mail', async () => {
    const emails = [newAddress(), newAddress(), newAddress()];
    mailbox.script = (stage) => (stage === 'sender' ? '530 5.7.0 log in first' : undefined);
    for (const email of emails) await invite(client, passId, { email });
    await until('it was asked', async () => (await statusOf(emails[0] ?? '')).includes('unavailable'));
    mailbox.script = () => undefined;
    for (const email of emails) await becomes(email, 'sent');
    const [row] = await app.sql('select max(attempts) as attempts from invites where pass_id = $1', [
      decodeId('pass', passId),
    ]);
    assert.equal(row?.attempts, 0);
    assert.deepEqual(
      emails.map((email) => mailbox.to(email).length),
      [1, 1, 1],
    );
  });

  it('for three days is too late', async () => {
    const email = newAddress();
    mailbox.script = (stage) => (stage === 'connect' ? '421 4.3.2 not today' : undefined);
    // Over the connections that are open it would still be sent.
    await sleep(50);
    mailbox.script = (stage) => (stage === 'connect' || stage === 'sender' ? 'cut' : undefined);
    await invite(client, passId, { email });
    await becomes(email, 'queued mail_server_unavailable');
    app.advance(3 * 24 * 60 * minuteMs + 1);
    await until(
      'it is given up',
      async () => (await statusOf(email)) === 'failed mail_server_unavailable',
      30_000,
    );
  });

  it('to report the outcome of a mail: it is not sent again', async () => {
    const email = newAddress();
    mailbox.script = (stage, detail) => (stage === 'data' && detail === email ? 'cut' : undefined);
    await invite(client, passId, { email });
    await becomes(email, 'unknown ECONNECTION');
    const arrived = mailbox.arrivals.length;
    mailbox.script = () => undefined;
    assert.equal((await invite(client, passId, { email })).status, 'unknown');
    app.advance(7 * 24 * 60 * minuteMs);
    await inviteByMail({ client, mailbox }, passId, { email: newAddress() });
    assert.equal(mailbox.arrivals.length, arrived + 1);
    assert.equal(mailbox.to(email).length, 0);
  });
});

describe('at the moment of sending', () => {
  /** Invites while the mail server is away, changes something, and lets it come back. */
  async function duringSending(email: string, change: () => Promise<unknown>): Promise<void> {
    mailbox.script = (stage) => (stage === 'connect' || stage === 'sender' ? 'cut' : undefined);
    await invite(client, passId, { email });
    await becomes(email, 'queued mail_server_unavailable');
    await change();
    mailbox.script = () => undefined;
  }

  it('a person who has got a card since is not mailed', async () => {
    const email = newAddress();
    await duringSending(email, () => makeCard(client, passId, { holder: { email } }));
    await becomes(email, 'already_holder');
    assert.equal(mailbox.to(email).length, 0);
  });

  it('nor is who has unsubscribed', async () => {
    const email = newAddress();
    const other = await makePass(client);
    const mail = await inviteByMail({ client, mailbox }, other.passId, { email });
    await duringSending(email, () => app.anyone.post(inviteLinks(app, mail).unsubscribe));
    await becomes(email, 'suppressed');
    assert.equal(mailbox.to(email).length, 1);
  });

  it('a pass that is no longer published invites no person', async () => {
    const email = newAddress();
    await duringSending(email, () => client.patch(`/passes/${passId}`, { status: 'archived' }));
    await becomes(email, 'cancelled pass_not_active');
    assert.equal(mailbox.to(email).length, 0);
    await client.patch(`/passes/${passId}`, { status: 'published' });
    await inviteByMail({ client, mailbox }, passId, { email });
  });

  it('a suspended workspace waits', async () => {
    const email = newAddress();
    const suspend = (suspended: boolean) =>
      app.operator.patch(`/operator/workspaces/${workspaceId}`, { suspended });
    await duringSending(email, () => suspend(true));
    const problem = async () =>
      (await app.sql('select problem from invites where email = $1', [email]))[0]?.problem;
    await until('it waits', async () => (await problem()) === 'workspace_suspended');
    await suspend(false);
    app.advance(61 * minuteMs);
    await mailbox.mailTo(email);
  });
});

it('who is forgotten while their mail is refused for now does not wait for another try', async () => {
  const email = newAddress();
  mailbox.delayMs = 1_000;
  mailbox.script = (stage, detail) => (stage === 'data' && detail === email ? '451 4.3.0 later' : undefined);
  const { inviteId } = await invite(client, passId, { email });
  await until('the mail has come in', () => mailbox.arrivals.includes(email));
  // As a store's customers are forgotten, if nothing else is kept of them.
  const forgotten = await app.sql(
    "update invites set email = null, name = null, identifier = null where email = $1 and status = 'sending' returning 1",
    [email],
  );
  assert.equal(forgotten.length, 1);
  const row = async () => {
    const [found] = await app.sql('select status, due_at from invites where invite_id = $1', [
      decodeId('invite', inviteId),
    ]);
    return found;
  };
  await until('the refusal is written down', async () => (await row())?.status !== 'sending');
  assert.deepEqual(await row(), { status: 'suppressed', due_at: null });
});

describe('many mails', () => {
  /** Has all of them due at once, as those of one sweep. */
  async function queue(emails: readonly string[]): Promise<string> {
    const sweepId = newUuidV7();
    await app.sql(
      `insert into invites (workspace_id, invite_id, pass_id, sweep_id, email, email_hash, link_secret, status, due_at, created_at)
       select $1, gen_random_uuid(), $2, $3, e, sha256(e::bytea), sha256(e::bytea), 'queued', $5, $5 from unnest($4::text[]) e`,
      [decodeId('ws', workspaceId), decodeId('pass', passId), sweepId, emails, app.running.app.now()],
    );
    return sweepId;
  }

  it('of a turn that fails go on at once, where no worker had taken them', async () => {
    const emails = Array.from({ length: 10 }, () => newAddress());
    // The number of failures is not rolled back.
    await app.sql('create sequence failures');
    await app.sql(`create function fail() returns trigger language plpgsql as $$ begin
      if nextval('failures') <= 6 then raise 'made up'; end if;
      return new;
    end $$`);
    await app.sql(
      "create trigger fail before update on invites for each row when (new.status = 'sending') execute function fail()",
    );
    const sent = () => emails.filter((email) => mailbox.to(email).length > 0).length;
    await queue(emails);
    await until('those four are sent', () => sent() === 4);
    app.advance(5 * minuteMs + 1);
    await until('the others are sent', () => sent() === 10);
    await app.sql('drop trigger fail on invites');
    await app.sql('drop function fail');
    await app.sql('drop sequence failures');
  });

  it('share the way: a long queue keeps no other waiting', async () => {
    const long = Array.from({ length: 300 }, () => newAddress());
    mailbox.delayMs = 20;
    const sweepId = await queue(long);
    await until('some are sent', () => mailbox.mails.some(({ recipients: [to = ''] }) => long.includes(to)));
    const single = newAddress();
    await inviteByMail({ client, mailbox }, passId, { email: single });
    const before = mailbox.mails.filter(({ recipients: [to = ''] }) => long.includes(to)).length;
    assert.ok(before < 200, `${before} others went first`);
    await until(
      'all are sent',
      async () => {
        const rows = await app.sql('select status from invites where sweep_id = $1', [sweepId]);
        return tally(rows.map(({ status }) => status)).sent === 300;
      },
      30_000,
    );
    assert.ok(mailbox.mostConnections <= 8, `${mailbox.mostConnections} connections`);
    assert.deepEqual(
      long.filter((email) => mailbox.to(email).length !== 1),
      [],
    );
  });
});

describe('the log', () => {
  it('holds no address, link or password', async () => {
    const email = newAddress();
    mailbox.script = (stage, detail) =>
      stage === 'recipient' && detail === email ? `451 4.7.1 <${email}> is greylisted` : undefined;
    await invite(client, passId, { email });
    await becomes(email, 'queued 451 4.7.1');
    const text = logged.join('');
    assert.match(text, /the mail server takes no mail/);
    assert.match(text, /"route":"\/invites\/\{token\}"/);
    assert.doesNotMatch(text, /@example\.com|p4ss|mail%40er|unsubscribe\/[\w-]{64}|invites\/[\w-]{64}/);
  });
});

describe('without a mail server', () => {
  it('an invitation becomes a file, once', async () => {
    const filed = await startTestApp();
    const workspace = await filed.newWorkspace();
    const pass = await makePass(workspace.client);
    const email = newAddress();
    const { inviteId } = await invite(workspace.client, pass.passId, { email });
    const folder = join(filed.config.dataDir, 'mail');
    const status = async () =>
      (await workspace.client.get(`/passes/${pass.passId}/invites`)).body.data[0].status;
    await until('it is written', async () => (await status()) === 'sent');
    assert.deepEqual(await readdir(folder), [`${inviteId}.eml`]);
    const raw = await readFile(join(folder, `${inviteId}.eml`), 'latin1');
    const mail = readMail(raw, { sender: '', recipients: [] });
    assert.equal(mail.headers.get('from'), 'Blue Bean <no-reply@cards.example.test>');
    assert.equal((await filed.anyone.get(inviteLinks(filed, mail).claim)).status, 200);
  });
});

it('/metrics says what waits', async () => {
  const email = newAddress();
  mailbox.script = (stage, detail) =>
    stage === 'recipient' && detail === email ? '450 4.2.0 later' : undefined;
  await invite(client, passId, { email });
  await becomes(email, 'queued 450 4.2.0');
  assert.match((await app.anyone.get('/metrics')).text, /mails_waiting\{state="later"\} [1-9]/);
});

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { decodeId, encodeId, newUuidV7 } from '../src/kit/ids.ts';
import { Mailbox } from '../tools/fakes/mailbox.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp, temporaryDataDir } from './harness.ts';
import { type CommandRun, runCommand, succeed } from './run-command.ts';
import { freePort, ServiceProcess } from './service-process.ts';
import { until } from './wallets.ts';

const app = await startTestApp({ WORKERS: 'off' });
const { instanceId } = await makeCard(app.client, (await makePass(app.client)).passId);
// Its events would wait to be counted, and after a minute be work without a worker.
await app.sql('update event_counters set follow_at = null');

/** `punchcard doctor` on the machine of the service, with its settings. */
function doctor(args: readonly string[], settings: Record<string, string> = {}): Promise<CommandRun> {
  return runCommand(['doctor', ...args], {
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: app.config.dataDir,
    PUBLIC_URL: app.config.publicUrl,
    PORT: new URL(app.url).port,
    ...settings,
  });
}

describe('punchcard doctor --instance', () => {
  it('prints what the running service finds, and fails on an error', async () => {
    for (const HOST of ['127.0.0.1', '0.0.0.0', 'localhost']) {
      const { code, printed, complained } = await doctor(['--instance', instanceId], { HOST });
      assert.equal(complained, '');
      assert.match(printed, /^✓ The card is active\n/);
      assert.match(printed, /^! Development certificate: .*\n {4}Set APPLE_PASS_CERT/m);
      assert.match(printed, /^✗ No wallet holds the card: its link was never opened\n {4}Send the holder/m);
      assert.equal(code, 1);
    }
  });

  it('succeeds without an error', async () => {
    await app.sql('update instances set web_wallets = 1, installed = true');
    const { code, printed } = await doctor(['--instance', instanceId]);
    assert.match(printed, /^✓ Held by 0 Apple devices, 0 Google accounts, 1 web card$/m);
    assert.equal(code, 0, printed);
  });

  const refused = async (reason: RegExp, args: readonly string[], settings: Record<string, string> = {}) => {
    const { code, printed, complained } = await doctor(args, settings);
    assert.equal(code, 1);
    assert.equal(printed, '');
    assert.match(complained, reason);
    assert.match(complained, /^punchcard: [^\n]+\n$/);
  };

  it('says that the service does not run', async () => {
    const PORT = String(await freePort());
    const reason = new RegExp(`No service answers at http://127\\.0\\.0\\.1:${PORT}\\. Start it`);
    await refused(reason, ['--instance', instanceId], { PORT });
  });

  it('says that something else listens there', async () => {
    const other = createServer((_, reply) => reply.end('<h1>It works!</h1>')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    after(() => other.close());
    const PORT = String((other.address() as AddressInfo).port);
    await refused(/What answers at .* is not Punchcard/, ['--instance', instanceId], { PORT });
  });

  it('says that the card does not exist', async () => {
    const unknown = encodeId('inst', newUuidV7());
    await refused(new RegExp(`No card has the id "${unknown}"`), ['--instance', unknown]);
    await refused(/No card has the id "inst_1\/2"/, ['--instance', 'inst_1/2']);
  });

  it('says that the operator token is another', async () => {
    const OPERATOR_TOKEN = 'op_of-another-installation';
    await refused(/refuses the operator token/, ['--instance', instanceId], { OPERATOR_TOKEN });
  });

  it('says that there is no operator token, and generates none', async () => {
    const DATA_DIR = await temporaryDataDir();
    await refused(/There is no operator token in/, ['--instance', instanceId], { DATA_DIR });
    assert.equal(existsSync(join(DATA_DIR, 'secrets.json')), false);
  });
});

describe('punchcard doctor', () => {
  it('lists the alarms', async () => {
    assert.equal((await doctor([])).code, 0);
    await stopApple(app.running.app.apple.passTypeIdentifier);
    const { code, printed } = await doctor([]);
    assert.equal(code, 1);
    assert.match(
      printed,
      /^✗ Apple has refused everything for pass\.dev\.punchcard\.local since .*\(TopicDisallowed\)/m,
    );
    assert.match((await app.anyone.get('/metrics')).text, /^wallet_stopped\{wallet="apple"\} 1$/m);
    await app.sql('delete from wallet_stops');
  });

  it('knows of the last backup and of the disk', async () => {
    const file = join(await temporaryDataDir(), 'a.backup');
    assert.match((await doctor([])).printed, /^! No backup was made yet/m);
    const settings = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.config.dataDir };
    await succeed(['backup', file], settings);
    const { printed } = await doctor([]);
    assert.match(printed, /^✓ The last backup is of \d{4}-/m);
    assert.match(printed, /^. [\d.]+ GB of [\d.]+ GB are free on the disk of/m);
  });

  it('is joined by a figure that says when the certificate ends', async () => {
    const { validToDate } = app.running.app.apple.certificate;
    const line = `certificate_expires_seconds{wallet="apple"} ${validToDate.getTime() / 1_000}`;
    assert.ok((await app.anyone.get('/metrics')).text.split('\n').includes(line));
  });

  it('raises no alarm for a certificate that was replaced', async () => {
    await stopApple('pass.of-another-certificate');
    assert.equal((await doctor([])).code, 0);
    assert.doesNotMatch((await app.anyone.get('/metrics')).text, /^wallet_stopped\{/m);
    await app.sql('delete from wallet_stops');
  });

  const stopApple = (scope: string) =>
    app.sql("insert into wallet_stops values ('apple', $1, 'TopicDisallowed', now(), now())", [scope]);

  it('says that a newer program has made the schema', async () => {
    await app.sql("insert into schema_migrations (name, checksum) values ('9999_later.sql', 'x')");
    const { code, printed } = await doctor([]);
    assert.equal(code, 1);
    assert.match(
      printed,
      /^✗ The database and the program do not fit together\n {4}The database has migration 9999_later/m,
    );
    await app.sql("delete from schema_migrations where name = '9999_later.sql'");
    assert.equal((await doctor([])).code, 0);
  });

  it('says what sessions of the database lack', async () => {
    const database = new URL(app.databaseUrl).pathname.slice(1);
    await app.sql(`alter database ${database} set synchronous_commit = off`);
    const { code, printed } = await doctor([]);
    assert.equal(code, 1);
    assert.match(printed, /^✗ A crash of the database loses what was acknowledged: synchronous_commit=off$/m);
    await app.sql(`alter database ${database} reset synchronous_commit`);
    assert.equal((await doctor([])).code, 0);
  });

  it('says that no process does the background work, and what waits for it', async () => {
    const { code, printed } = await doctor([]);
    assert.match(printed, /^! No process does the background work: nothing waits\n {4}Start the service/m);
    assert.equal(code, 0);
    await leaveToDo();
    const late = await doctor([]);
    assert.match(late.printed, /^✗ No process does the background work: expireWebCards has waited since 20/m);
    assert.equal(late.code, 1);
    await app.sql('delete from web_cards');
  });

  it('says that work is late although there are workers, and that it is done', async () => {
    await leaveToDo();
    // A lock on the row keeps workers from it.
    const holder = await app.running.app.database.pool.connect();
    after(() => holder.release(true));
    await holder.query('begin');
    await holder.query('set local idle_in_transaction_session_timeout = 0');
    await holder.query('select from instances where instance_id = $1 for update', [
      decodeId('inst', instanceId),
    ]);
    const settings = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.config.dataDir };
    const worker = new ServiceProcess(0, settings, ['work']);
    after(() => worker.end('SIGKILL'));
    worker.launch();
    await until('it works', () => worker.isWorking);
    const { code, printed } = await doctor([]);
    assert.match(printed, /^! Background work is late: expireWebCards has waited since 20.*\n {4}The log/m);
    assert.equal(code, 0, printed);
    await holder.query('rollback');
    await until('it is done', async () => (await app.sql('select from web_cards')).length === 0);
    // The event of that is numbered a moment later.
    const isDone = async () => /^✓ Background work: nothing waits$/m.test((await doctor([])).printed);
    await until('nothing waits', isDone);
    assert.equal(await worker.end('SIGTERM'), 0);
  });

  it('says that webhooks fail, and that events wait for them', async () => {
    assert.doesNotMatch((await doctor([])).printed, /Webhooks/);
    await app.client.post('/webhooks', { url: 'https://8.8.8.8/', types: ['*'] });
    assert.match((await doctor([])).printed, /^✓ Webhooks: 1 active, 0 failing, 0 disabled$/m);
    await app.sql('update webhooks set failing_since = now()');
    await app.sql(`
      insert into webhook_deliveries
      select webhook_id, gen_random_uuid(), workspace_id, gen_random_uuid(), 'pool.low', 'waiting',
        now() - interval '10 minutes', false, false, 0, '[]', now()
      from webhooks`);
    const { printed } = await doctor([]);
    assert.match(printed, /^! Webhooks: 1 of 1 fail, and 0 were disabled\n {4}So many/m);
    assert.match(
      printed,
      /^! Webhooks: an event has waited for its first attempt since 20.*\n {4}Its receiver/m,
    );
    await app.sql('delete from webhook_deliveries');
    await app.sql('delete from webhooks');
  });

  /** A browser closed the card ten minutes ago, and no worker has recorded it. */
  const leaveToDo = () =>
    app.sql(
      `insert into web_cards (workspace_id, instance_id, viewer_id, expires_at)
       select workspace_id, instance_id, gen_random_uuid(), now() - interval '10 minutes' from instances`,
    );

  it('knows the workers of a service that does both, on a database of its own', async () => {
    const DATA_DIR = await temporaryDataDir();
    const service = new ServiceProcess(await freePort(), { DATA_DIR });
    after(() => service.end('SIGKILL'));
    await service.start();
    const settings = { DATABASE_URL: '', DATA_DIR };
    assert.match((await doctor([], settings)).printed, /^✓ Background work: nothing waits$/m);
    assert.equal(await service.end('SIGTERM'), 0);
    assert.match(
      (await doctor([], settings)).printed,
      /^✓ Embedded PostgreSQL in .* \(the service does not run, so that nothing was asked of it\)$/m,
    );
  });

  it('asks the mail server to be let in', async () => {
    const login = { user: 'till', password: 'right' };
    const mailbox = await Mailbox.start({ login });
    const { url } = mailbox;
    const ask = (url: string) => doctor([], { SMTP_URL: url, MAIL_FROM: 'cards@shop.example' });
    const as = (password: string) => url.replace('//', `//till:${password}@`);
    const good = await ask(as('right'));
    assert.match(good.printed, /^✓ The mail server 127\.0\.0\.1:\d+ lets us in; mails come from cards@shop/m);
    assert.equal(good.code, 0, good.printed);
    const wrong = await ask(as('wrong'));
    assert.match(
      wrong.printed,
      /^✗ The mail server .* \(EAUTH 535 5\.7\.8\): .*\n {4}Check the user and the password/m,
    );
    assert.equal(wrong.code, 1);
    assert.doesNotMatch(wrong.printed, /wrong/);
    await mailbox.close();
    const away = await ask(url);
    assert.match(away.printed, /^✗ The mail server .*\n {4}Check host and port in SMTP_URL/m);
    assert.equal(away.code, 1);
    assert.equal(mailbox.mails.length, 0);
  });

  it('says where mails go without a server, and that they cannot', async () => {
    assert.match(
      (await doctor([])).printed,
      /^✓ No mail server is set up: invitations become files in .*mail$/m,
    );
    const file = join(await temporaryDataDir(), 'file');
    await writeFile(file, '');
    const { code, printed } = await doctor([], {
      DATA_DIR: file,
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
    });
    assert.match(printed, /^✗ No mail server .*, where this account may not write \(EACCES\)/m);
    assert.equal(code, 1);
  });

  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const account = JSON.stringify({
    client_email: 'cards@example.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
  const GOOGLE_ISSUER_ID = '3388000000000000001';

  it('checks the account at Google, as text or as a file', async () => {
    const file = join(await temporaryDataDir(), 'account.json');
    await writeFile(file, account);
    for (const GOOGLE_SERVICE_ACCOUNT of [account, file]) {
      const { code, printed } = await doctor([], { GOOGLE_ISSUER_ID, GOOGLE_SERVICE_ACCOUNT });
      assert.match(printed, /^✓ Google Wallet: issuer 3388000000000000001, service account cards@example/m);
      assert.equal(code, 0, printed);
    }
    assert.match((await doctor([])).printed, /^✓ Google Wallet is not set up/m);
  });

  for (const [name, settings, line] of [
    ['half of it', { GOOGLE_ISSUER_ID }, /✗ Google Wallet needs GOOGLE_SERVICE_ACCOUNT, too/],
    [
      'another kind of key',
      { GOOGLE_ISSUER_ID, GOOGLE_SERVICE_ACCOUNT: '{"type":"authorized_user"}' },
      /✗ Google Wallet cannot be used\n {4}GOOGLE_SERVICE_ACCOUNT: type is not "service_account"/,
    ],
    [
      'a file that is not there',
      { GOOGLE_ISSUER_ID, GOOGLE_SERVICE_ACCOUNT: '/nowhere/account.json' },
      /✗ Google Wallet cannot be used\n {4}.*\/nowhere\/account\.json" cannot be read \(ENOENT\)/,
    ],
  ] as const) {
    it(`says what is wrong with ${name}`, async () => {
      const { code, printed } = await doctor([], settings);
      assert.match(printed, line);
      assert.equal(code, 1);
    });
  }
});

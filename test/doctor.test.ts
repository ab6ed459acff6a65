import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encodeId, newUuidV7 } from '../src/kit/ids.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp, temporaryDataDir } from './harness.ts';
import { succeed } from './run-command.ts';
import { freePort } from './service-process.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const app = await startTestApp({ WORKERS: 'off' });
const { instanceId } = await makeCard(app.client, (await makePass(app.client)).passId);

interface Run {
  readonly code: number;
  readonly printed: string;
  readonly complained: string;
}

/** `punchcard doctor` on the machine of the service, with its settings. */
function doctor(args: readonly string[], settings: Record<string, string> = {}): Promise<Run> {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: app.config.dataDir,
    PUBLIC_URL: app.config.publicUrl,
    PORT: new URL(app.url).port,
    ...settings,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, 'doctor', ...args], { env }, (error, printed, complained) =>
      resolve({ code: error === null ? 0 : Number(error.code), printed, complained }),
    );
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

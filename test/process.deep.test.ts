import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { eventually, isServed } from '../src/kit/embedded-postgres/harness.fixture.ts';
import { silentLog } from '../src/kit/embedded-postgres/log.ts';
import { stopAbandonedServer } from '../src/kit/embedded-postgres/postmaster.ts';
import { RawClient } from '../src/kit/http/server/raw-client.fixture.ts';
import { Client } from './client.ts';
import { makeCard, makePass } from './factories.ts';
import { createTestDatabase, dropTestDatabase, temporaryDataDir } from './harness.ts';
import { runCommand, succeed } from './run-command.ts';
import { freePort, ServiceProcess } from './service-process.ts';

const databaseUrl = await createTestDatabase();
const sharedDataDir = await temporaryDataDir();
const services: ServiceProcess[] = [];
const dataDirs: string[] = [];
after(async () => {
  for (const service of services) await service.end('SIGKILL');
  for (const dataDir of dataDirs) await stopAbandonedServer(join(dataDir, 'postgres'), silentLog);
  await dropTestDatabase(databaseUrl);
});

async function newService(environment: Record<string, string> = {}, port?: number): Promise<ServiceProcess> {
  const service = new ServiceProcess(port ?? (await freePort()), {
    DATABASE_URL: databaseUrl,
    DATA_DIR: sharedDataDir,
    ...environment,
  });
  services.push(service);
  return service;
}

async function newDataDir(): Promise<string> {
  const dataDir = await temporaryDataDir();
  dataDirs.push(dataDir);
  return dataDir;
}

/** With a database of its own. */
function embedded(dataDir: string) {
  return { DATABASE_URL: '', DATA_DIR: dataDir };
}

async function clientOf(service: ServiceProcess, dataDir: string): Promise<Client> {
  const { apiKey, url } = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
  return new Client(service.url, url, apiKey);
}

/** The service ended by itself, and said why in one line that is no stack. */
async function assertGaveUp(service: ServiceProcess, reason: RegExp): Promise<void> {
  assert.equal(await service.ended(), 1, service.said);
  assert.match(service.complained, reason);
  assert.match(service.complained, /^punchcard: [^\n]+\n$/);
}

function readiness(service: ServiceProcess): Promise<Response> {
  return fetch(`${service.url}/readyz`);
}

async function isDraining(service: ServiceProcess): Promise<boolean> {
  return (await readiness(service)).status === 503;
}

async function isDeaf(service: ServiceProcess): Promise<boolean> {
  return readiness(service).then(
    () => false,
    () => true,
  );
}

/** The lines of its log. */
function logged(service: ServiceProcess): (Record<string, unknown> & { msg: string; time: number })[] {
  const lines = service.printed.split('\n').filter((line) => line.startsWith('{'));
  // The last write may overtake one that the system has not carried out.
  return lines.map((line) => JSON.parse(line)).sort((a, b) => a.time - b.time);
}

/** A request that is in flight until the rest of it is sent. */
async function sendSlowly(
  service: ServiceProcess,
  caller: Client,
  path: string,
  content: object,
  bytesSent = 10,
) {
  const client = new RawClient(service.port);
  after(() => client.destroy());
  const body = JSON.stringify(content);
  client.send(
    `POST /v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${caller.secret}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, bytesSent)}`,
  );
  // What was sent before on another connection has been answered, so this one has been read as well.
  await eventually('the slow request is sent', async () => client.socket.bytesWritten > 0);
  await caller.get('/me');
  return { client, sendRest: () => client.send(body.slice(bytesSent)) };
}

describe('a signal', () => {
  it('SIGTERM: says that it leaves, serves on for DRAIN_MS, finishes what is in flight, exits with 0', async () => {
    const service = await newService({ DRAIN_MS: '5000' });
    await service.start();
    const client = await clientOf(service, sharedDataDir);
    const slow = await sendSlowly(service, client, '/passes', { title: 'Sent slowly', type: 'coupon' });

    service.signal('SIGTERM');
    await eventually('readiness turns', () => isDraining(service));
    const notReady = await readiness(service);
    assert.match(notReady.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal(notReady.headers.get('connection'), 'close');
    const refusal = (await notReady.json()) as Record<string, unknown>;
    assert.equal(refusal.code, 'overloaded');
    assert.equal(refusal.requestId, notReady.headers.get('x-request-id'));
    const served = await client.get('/me');
    assert.deepEqual([served.status, served.headers.get('connection')], [200, 'close']);

    // The slow client sends the rest only now, when no other client gets in.
    await eventually('it no longer listens', () => isDeaf(service));
    assert.ok(service.isRunning);
    slow.sendRest();
    const answer = await slow.client.answer();
    assert.equal(answer?.status, 201, answer?.body);
    assert.equal(answer?.headers.connection, 'close');
    assert.equal(await service.ended(), 0, service.said);
  });

  for (const [signal, environment] of [
    ['SIGINT', { DRAIN_MS: '25000' }],
    // DRAIN_MS is 0 unless set.
    ['SIGTERM', {}],
  ] as const) {
    it(`${signal}: serves no later client, says what it does, and stops`, async () => {
      const service = await newService({ ...environment, LOG_LEVEL: 'info' });
      await service.start();
      assert.equal(await service.end(signal), 0, service.said);
      const said = logged(service);
      const steps = ['ending', 'finishing requests, stopping jobs', 'stopped'];
      assert.deepEqual(
        said.filter(({ msg }) => steps.includes(msg)).map(({ msg }) => msg),
        steps,
      );
      assert.equal(said.find(({ msg }) => msg === 'ending')?.drainMs, 0);
    });
  }

  it('twice within a second, as of Ctrl-C under npm, is one: a batch of 1,000 gets its whole answer', async () => {
    const service = await newService({ LOG_LEVEL: 'info' });
    await service.start();
    const client = await clientOf(service, sharedDataDir);
    const { passId } = await makePass(client);
    const instances = Array.from({ length: 1_000 }, (_, card) => ({ externalRef: `batch-${card}` }));
    const batch = await sendSlowly(service, client, `/passes/${passId}/instances/batch`, { instances });
    service.signal('SIGINT');
    service.signal('SIGTERM');
    await eventually('it no longer listens', () => isDeaf(service));
    batch.sendRest();
    const answer = await batch.client.answer();
    assert.equal(answer?.status, 200, answer?.body);
    const { results } = JSON.parse(answer?.body ?? '') as { results: { status: number }[] };
    assert.equal(results.length, 1_000);
    assert.equal(await service.ended(), 0, service.said);
    // The question whether it still listens may be in flight, too.
    assert.ok(Number(logged(service).find(({ msg }) => msg.startsWith('finishing'))?.requests) >= 1);
  });

  it('a second one after more than a second ends it at once, with 1', async () => {
    const service = await newService({ DRAIN_MS: '25000' });
    await service.start();
    const client = await clientOf(service, sharedDataDir);
    const cut = await sendSlowly(service, client, '/passes', { title: 'Never sent', type: 'coupon' });
    service.signal('SIGTERM');
    await eventually('it drains', () => isDraining(service));
    await sleep(1_100);
    assert.equal(await service.end('SIGTERM'), 1);
    assert.equal(await cut.client.answer(), null);
    assert.ok(service.said.includes('a second signal: ended at once'), service.said);
  });

  it('cuts what does not come to its end in ten seconds, and says so', async () => {
    const service = await newService();
    await service.start();
    const client = await clientOf(service, sharedDataDir);
    const instances = Array.from({ length: 1_000 }, (_, card) => ({ externalRef: `never-sent-${card}` }));
    // Fast enough so far: a client that sends almost nothing is given up sooner.
    const cut = await sendSlowly(service, client, `/passes/none/instances/batch`, { instances }, 30_000);
    assert.equal(await service.end('SIGTERM'), 1);
    assert.equal(await cut.client.answer(), null);
    assert.equal(logged(service).find(({ msg }) => msg === 'not finished in 10 s: cut')?.requests, 1);
  });
});

it('the sessions of the database say whose they are', async () => {
  const [service, worker] = [
    await newService({ WORKERS: 'off' }),
    new ServiceProcess(0, { DATABASE_URL: databaseUrl, DATA_DIR: sharedDataDir }, ['work']),
  ];
  services.push(worker);
  await service.start();
  worker.launch();
  await eventually('it works', async () => worker.isWorking);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    'select distinct application_name as name from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() order by 1',
  );
  await client.end();
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => name !== ''),
    ['punchcard serve', 'punchcard work'],
  );
  assert.equal(await service.end('SIGINT'), 0);
  assert.equal(await worker.end('SIGINT'), 0);
});

describe('with a database of its own', async () => {
  // One after the other on one data directory, as its operator would.
  const dataDir = await newDataDir();
  const firstRunFile = join(dataDir, 'first-run.json');
  const service = await newService({ ...embedded(dataDir), DRAIN_MS: '0' });
  let firstRun: { apiKey: string; operatorToken: string };

  it('prints no secret into a pipe, but where they are; a signal stops the database', async () => {
    await service.start();
    firstRun = JSON.parse(await readFile(firstRunFile, 'utf8'));
    assert.equal((await stat(firstRunFile)).mode & 0o777, 0o600);
    for (const secret of [firstRun.apiKey, firstRun.operatorToken]) assert.ok(!service.said.includes(secret));
    await eventually('it says where they are', async () => service.printed.includes(firstRunFile));
    assert.equal(await service.end('SIGTERM'), 0, service.said);
    assert.equal(await isServed(dataDir), false);

    await service.start();
    for (const secret of [firstRun.apiKey, firstRun.operatorToken]) assert.ok(!service.said.includes(secret));
    assert.ok(service.printed.includes(firstRunFile), 'it says where they are');
    assert.deepEqual(JSON.parse(await readFile(firstRunFile, 'utf8')), firstRun);
  });

  it('refuses a second service on the same directory, which does not disturb the first', async () => {
    const second = await newService(embedded(dataDir));
    second.launch();
    await assertGaveUp(second, new RegExp(`already running on ${dataDir} \\(pid ${service.pid}\\)`));
    assert.equal((await makePass(await clientOf(service, dataDir))).status, 'published');
  });

  it('loses nothing that was acknowledged when it is killed', async () => {
    const client = await clientOf(service, dataDir);
    const { passId } = await makePass(client);
    const cards: string[] = [];
    const load = Array.from({ length: 8 }, async (_, worker) => {
      for (let turn = 0; service.isRunning; turn++) {
        const issued = makeCard(client, passId, { externalRef: `${worker}-${turn}` });
        await issued.then(({ instanceId }) => cards.push(instanceId)).catch(() => undefined);
      }
    });
    await eventually('cards were issued', async () => cards.length > 40);
    await service.end('SIGKILL');
    await Promise.all(load);

    await service.start();
    assert.deepEqual(JSON.parse(await readFile(firstRunFile, 'utf8')), firstRun);
    assert.ok(!service.said.includes(firstRun.apiKey));
    for (const instanceId of cards)
      assert.equal((await client.get(`/instances/${instanceId}`)).status, 200, instanceId);
    const { counts } = (await client.get(`/passes/${passId}`)).body;
    assert.ok(counts.issued >= cards.length && counts.issued <= cards.length + 8, `${counts.issued}`);
  });

  it('leaves no database behind when two signals end it', async () => {
    await service.end('SIGINT');
    const slow = await newService({ ...embedded(dataDir), DRAIN_MS: '25000' });
    await slow.start();
    slow.signal('SIGTERM');
    await eventually('it drains', () => isDraining(slow));
    await sleep(1_100);
    assert.equal(await slow.end('SIGTERM'), 1);
    await eventually('the database is gone', async () => !(await isServed(dataDir)));
  });

  it('leaves no database behind when its port is taken', async () => {
    const blocker = createServer().listen(service.port, '127.0.0.1');
    await once(blocker, 'listening');
    after(() => blocker.close());
    service.launch();
    await assertGaveUp(service, new RegExp(`Port ${service.port} on 127\\.0\\.0\\.1 is in use\\..*PORT`));
    assert.equal(await isServed(dataDir), false);
  });

  it('stops what it has started when a signal comes during the start', async () => {
    const fresh = await newDataDir();
    const starting = await newService(embedded(fresh));
    starting.launch();
    await eventually('it has begun', async () => existsSync(join(fresh, 'postgres.lock')));
    starting.signal('SIGTERM');
    assert.equal(await starting.ended(), 0, starting.said);
    assert.equal(await isServed(fresh), false);
  });
});

it('says its version', async () => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  assert.equal(await succeed(['--version'], {}), `${version}\n`);
});

describe('a start that cannot succeed says why in one line', () => {
  const settings: [string, Record<string, string>, RegExp][] = [
    ['a port that is none', { PORT: 'http' }, /PORT must be a whole number from 0 to 65535, not "http"/],
    [
      'a misspelt setting',
      { PUBLIC_ULR: 'https://x.example' },
      /PUBLIC_ULR is no setting: PUBLIC_URL was probably meant/,
    ],
    ['a short key', { ENCRYPTION_KEY: 'abc' }, /ENCRYPTION_KEY must be 32 bytes/],
    ['a certificate that is not there', { APPLE_PASS_CERT: '/nowhere/pass.pem' }, /\/nowhere\/pass\.pem/],
    [
      'an address of another machine',
      { HOST: '192.0.2.1' },
      /192\.0\.2\.1 is not an address of this machine/,
    ],
  ];
  for (const [name, environment, reason] of settings) {
    it(name, async () => {
      const { PORT, ...others } = environment;
      const service = await newService(others, PORT as unknown as number);
      service.launch();
      await assertGaveUp(service, reason);
    });
  }

  it('a data directory that is a file, with a database of another server too', async () => {
    const file = join(await temporaryDataDir(), 'data');
    await writeFile(file, 'no folder');
    // Nothing that it would keep there is missing: it would be found out when something is first written.
    const secrets = { OPERATOR_TOKEN: 'o'.repeat(24), ENCRYPTION_KEY: 'a'.repeat(64) };
    const service = await newService({
      ...secrets,
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
      DATA_DIR: file,
    });
    service.launch();
    await assertGaveUp(service, /data is not a directory\. Remove it, or set DATA_DIR to another directory/);
  });

  it('a data directory where none can be made', { skip: process.platform !== 'linux' }, async () => {
    const service = await newService({
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
      DATA_DIR: '/proc/punchcard/data',
    });
    service.launch();
    await assertGaveUp(service, /mkdir '\/proc\/punchcard'\. Check the path/);
  });

  it('a port that is taken, before it makes a database', async () => {
    const dataDir = await newDataDir();
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    after(() => blocker.close());
    const service = await newService(embedded(dataDir), (blocker.address() as AddressInfo).port);
    service.launch();
    await assertGaveUp(service, /Port \d+ on 127\.0\.0\.1 is in use\..*PORT/);
    assert.equal(existsSync(join(dataDir, 'postgres')), false);
  });

  it('a command that does not exist, with those that do', async () => {
    const service = new ServiceProcess(await freePort(), {}, ['bakup']);
    service.launch();
    assert.equal(await service.ended(), 1);
    assert.match(service.complained, /^There is no command "bakup"\.\n[\s\S]*^ {2}backup /m);
    assert.equal(service.printed, '');
  });

  it('an option that does not exist, with the help of its command, or of all', async () => {
    const doctor = await runCommand(['doctor', '--instnace', 'inst_1'], {});
    assert.equal(doctor.code, 1);
    assert.match(
      doctor.complained,
      /unknown option '--instnace'[\s\S]*^Usage: punchcard doctor .*\n[\s\S]*--instance <id>/m,
    );
    const none = await runCommand(['--instance', 'inst_1'], {});
    assert.equal(none.code, 1);
    assert.match(
      none.complained,
      /^There is no option "--instance" before a command\.\n\nUsage: punchcard \[options\] \[command\]/,
    );
  });

  it('a database of another kind, without repeating the password', async () => {
    const service = await newService({ DATABASE_URL: 'mysql://me:hunter2@127.0.0.1/db' });
    service.launch();
    await assertGaveUp(service, /DATABASE_URL must be a URL that begins with postgres:/);
    assert.ok(!service.said.includes('hunter2'));
  });

  it('a database without a server', async () => {
    const service = await newService({
      DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${await freePort()}/db`,
    });
    service.launch();
    await assertGaveUp(
      service,
      /database cannot be used: connect ECONNREFUSED 127\.0\.0\.1:\d+\. Check DATABASE_URL/,
    );
    assert.ok(!service.said.includes('hunter2'));
  });

  it('a database that does not exist', async () => {
    const url = new URL(databaseUrl);
    url.pathname = '/punchcard_test_nowhere';
    const service = await newService({ DATABASE_URL: url.href });
    service.launch();
    await assertGaveUp(service, /database "punchcard_test_nowhere" does not exist/);
  });

  it('damaged secrets, which it leaves alone', async () => {
    const dataDir = await temporaryDataDir();
    const file = join(dataDir, 'secrets.json');
    await writeFile(file, '{"operatorToken":"op_x","encr');
    const service = await newService({ DATA_DIR: dataDir });
    service.launch();
    await assertGaveUp(service, /secrets\.json is damaged\. Restore it from a backup, or set OPERATOR_TOKEN/);
    assert.equal(await readFile(file, 'utf8'), '{"operatorToken":"op_x","encr');
  });
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isServed } from '../../src/kit/embedded-postgres/harness.fixture.ts';
import { silentLog } from '../../src/kit/embedded-postgres/log.ts';
import { stopAbandonedServer } from '../../src/kit/embedded-postgres/postmaster.ts';
import { findRunningServer } from '../../src/kit/embedded-postgres/start.ts';
import { RawClient } from '../../src/kit/http/server/raw-client.fixture.ts';
import { decodeId } from '../../src/kit/ids.ts';
import { Client } from '../client.ts';
import { makeKey, makePass } from '../factories.ts';
import { deviceOf, fillInstalledCards } from '../fill-cards.ts';
import { createTestDatabase, dropTestDatabase, temporaryDataDir } from '../harness.ts';
import { freePort, ServiceProcess } from '../service-process.ts';
import { startDevelopmentApns, until } from '../wallets.ts';
import { type ChildProcess, childrenOf, isAlive } from './children.ts';
import { flood, judge } from './flood.ts';
import { Asking, getAfresh } from './fresh-connection.ts';

const skip = process.platform === 'linux' ? false : 'only on Linux can processes share a port';
const isBusy = 180_000;

describe('npm start with PROCESSES=2', { skip }, async () => {
  const dataDir = await temporaryDataDir();
  const apns = await startDevelopmentApns();
  const service = new ServiceProcess(await freePort(), {
    DATA_DIR: dataDir,
    PROCESSES: '2',
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_SECOND: '100000',
    APNS_URL: apns.url,
  });
  after(async () => {
    await service.end('SIGKILL');
    await stopAbandonedServer(join(dataDir, 'postgres'), silentLog);
  });
  await service.start();
  await until('it has said so', () => service.printed.includes('first-run.json'));
  const firstRun = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
  const client = new Client(service.url, firstRun.url, firstRun.apiKey);
  const asKey = (secret: string | null) => ({ authorization: `Bearer ${secret}` });

  const children = () => childrenOf(service.pid);
  const pidsOf = async (role?: string) =>
    (await children()).filter((child) => role === undefined || child.role === role).map(({ pid }) => pid);
  /** Waits until there are two and one, and none of those given. */
  async function complete(without: readonly number[] = []): Promise<void> {
    const wanted = { serve: 2, work: 1 };
    await until(
      'all processes run',
      async () => {
        const now = await children();
        const counts = Object.entries(wanted).map(
          ([role, count]) => now.filter((child) => child.role === role).length === count,
        );
        return counts.every(Boolean) && !now.some(({ pid }) => without.includes(pid)) && (await isWhole());
      },
      isBusy,
    );
  }
  /** What /metrics says; asked again where a process that ends takes the connection with it. */
  async function metrics(): Promise<string> {
    for (;;) {
      const { status, text } = await getAfresh(`${service.url}/metrics`);
      if (status === 200) return text;
    }
  }
  /** The figure of that name and label in an answer of /metrics. */
  const figure = (text: string, name: string, labels = '') => {
    const line = text.split('\n').find((one) => one.startsWith(`${name}${labels && `{${labels}}`} `));
    return line === undefined ? null : Number(line.split(' ').at(-1));
  };
  const isWhole = async () => figure(await metrics(), 'processes', 'state="answered"') === 3;
  const served = (text: string) =>
    figure(text, 'http_request_duration_seconds_count', 'op="getMe",status="200"') ?? 0;
  /** The processes that have answered requests of that operation, as the log has them. */
  const servers = (op: string) =>
    new Set(
      [...service.printed.matchAll(/"pid":(\d+),(?=[^\n]*"op":"(\w+)")/g)].flatMap(([, pid, named]) =>
        named === op ? [Number(pid)] : [],
      ),
    );

  it('says once what runs, and prints no secret into a pipe', async () => {
    assert.equal(service.printed.split('Punchcard serves').length, 2);
    assert.match(service.printed, /^ {2}2 processes serve, one works$/m);
    for (const secret of [firstRun.apiKey, firstRun.operatorToken]) assert.ok(!service.said.includes(secret));
    await complete();
  });

  it('two processes answer, and /metrics adds up what they have done', async () => {
    const before = served(await metrics());
    let asked = 0;
    while (servers('getMe').size < 2 || asked < 20) {
      asked += 1;
      assert.equal((await getAfresh(`${service.url}/v1/me`, asKey(client.secret))).status, 200);
      if (asked > 20) await until('the log is written', () => servers('getMe').size > 0);
    }
    assert.deepEqual([...servers('getMe')].toSorted(), (await pidsOf('serve')).toSorted());
    await until('all are counted', async () => served(await metrics()) === before + asked);
    const text = await metrics();
    assert.equal(figure(text, 'processes', 'state="running"'), 3);
    assert.match(text, /^nodejs_version_info\{.*\} 1$/m);
    assert.equal(text.split('# TYPE http_request_duration_seconds ').length, 2);
  });

  it('hold a key exactly to its limit, both together', async () => {
    const rate = 20;
    const complaints = () => service.printed.split('the parent does not answer').length;
    for (let isShared = false; !isShared; ) {
      await until('the limits are shared', async () => !(await metrics()).includes('rate_limits_degraded{'));
      const { client: key } = await makeKey(client, { rateLimit: rate });
      const before = complaints();
      const found = await flood(
        Array.from({ length: 8 }, () => afresh(key)),
        1_500,
      );
      // A machine that stood still has made them count for themselves.
      isShared = complaints() === before;
      if (isShared) assert.equal(judge(found, rate, 2 * rate), null);
    }
  });

  /** A client whose every request may reach another process. */
  const afresh = (key: Client) => ({
    get: (path: string) => getAfresh(`${service.url}/v1${path}`, asKey(key.secret)),
  });

  it('go on without an answer of the parent, each for itself, and say so', async () => {
    process.kill(service.pid ?? 0, 'SIGSTOP');
    const statuses = await Promise.all(
      Array.from(
        { length: 40 },
        async () => (await getAfresh(`${service.url}/v1/me`, asKey(client.secret))).status,
      ),
    );
    const text = await metrics();
    process.kill(service.pid ?? 0, 'SIGCONT');
    assert.deepEqual([...new Set(statuses)], [200]);
    assert.equal(figure(text, 'processes', 'state="answered"'), 1);
    // Its own counts alone would look like a restart.
    assert.equal(text.includes('http_request_duration_seconds'), false);
    await until('the limits are shared', async () => !(await metrics()).includes('rate_limits_degraded{'));
    await complete();
  });

  describe('with cards on phones', async () => {
    const cards = 3;
    const pass = await makePass(client, {}, 'published');
    const pool = new pg.Pool({ connectionString: (await findRunningServer(dataDir)) ?? '', max: 1 });
    await fillInstalledCards(pool, {
      workspaceId: decodeId('ws', firstRun.workspaceId) ?? '',
      passId: decodeId('pass', pass.passId) ?? '',
      passTypeIdentifier: 'pass.dev.punchcard.local',
      cards,
      devices: cards,
    });
    await pool.end();
    const listed = (await client.get(`/passes/${pass.passId}/instances`)).body.data;
    const tokens = Array.from({ length: cards }, (_, n) => deviceOf(n).pushToken);
    const pushes = () => tokens.map((token) => apns.deliveriesTo(token));
    async function change(text: string): Promise<void> {
      for (const { instanceId } of listed)
        await client.patch(`/instances/${instanceId}/fields`, { fields: { tier: text } });
    }

    it('a figure of the database is reported once, and a process that does not answer is left out', async () => {
      const [worker = 0] = await pidsOf('work');
      process.kill(worker, 'SIGSTOP');
      await change('Silver');
      const text = await metrics();
      process.kill(worker, 'SIGCONT');
      assert.equal(figure(text, 'pushes_waiting', 'wallet="apple"'), cards);
      assert.equal(figure(text, 'processes', 'state="running"'), 3);
      assert.equal(figure(text, 'processes', 'state="answered"'), 2);
      await until('all are pushed', () => pushes().every((count) => count > 0));
    });

    it('kill -9 of the one that works: another follows, and pushes what has changed', async () => {
      const [killed = 0] = await pidsOf('work');
      // What it has taken and not finished would have to wait for the end of its lease.
      await until(
        'nothing waits',
        async () => figure(await metrics(), 'pushes_waiting', 'wallet="apple"') === 0,
      );
      const before = pushes();
      process.kill(killed, 'SIGKILL');
      await change('Gold');
      await complete([killed]);
      await until('all are pushed', () => pushes().every((count, at) => count > (before[at] ?? 0)), isBusy);
    });
  });

  it('kill -9 of one that serves: the other goes on, another follows, and no count falls', async () => {
    const [killed = 0, other] = await pidsOf('serve');
    const before = served(await metrics());
    process.kill(killed, 'SIGKILL');
    await until('it is gone', async () => !(await isAlive(killed)));
    assert.equal(served(await metrics()), before);
    const asking = new Asking(`${service.url}/v1/me`, asKey(client.secret));
    await complete([killed]);
    const { answered } = asking;
    await until('requests are served', () => asking.answered > answered + 100, isBusy);
    await asking.finish();
    assert.deepEqual(asking.failures, []);
    assert.ok((await pidsOf('serve')).includes(other ?? 0));
    await until('all are counted', async () => served(await metrics()) >= before + asking.answered);
  });

  it('SIGHUP exchanges them one by one, and a client that asks again where a connection broke sees nothing of it', async () => {
    const before = await pidsOf();
    const asking = new Asking(`${service.url}/v1/me`, asKey(client.secret));
    let most = 0;
    service.signal('SIGHUP');
    await until(
      'all are exchanged',
      async () => {
        most = Math.max(most, (await children()).length);
        return service.printed.includes('all processes were exchanged');
      },
      isBusy,
    );
    await asking.finish();
    assert.deepEqual(asking.failures, []);
    assert.ok(asking.answered > 0);
    await complete(before);
    // Of a child that began, the next began only when the one before was gone.
    assert.ok(most <= 4, String(most));
    const places = [...service.printed.matchAll(/"role":"(\w+)","child":(\d+),"next":(\d+)/g)];
    assert.deepEqual(
      places.map(([, role]) => role),
      ['serve', 'serve', 'work'],
    );
    assert.deepEqual(places.map(([, , old]) => Number(old)).toSorted(), before.toSorted());
    const { client: key } = await makeKey(client, {});
    assert.equal((await key.get('/me')).status, 200);
  });

  it('SIGHUP when the new one cannot start: the old ones stay', async () => {
    const before = await pidsOf();
    const secrets = join(dataDir, 'secrets.json');
    const whole = await readFile(secrets, 'utf8');
    await writeFile(secrets, '{"operatorToken":"op_x","encr');
    service.signal('SIGHUP');
    await until(
      'it says so',
      () => service.printed.includes('the new process ended: the old ones stay'),
      isBusy,
    );
    await writeFile(secrets, whole);
    assert.deepEqual((await pidsOf()).toSorted(), before.toSorted());
    assert.match(service.complained, /^punchcard: .*secrets\.json is damaged/m);
    assert.equal((await client.get('/me')).status, 200);
  });

  it('kill -9 of the parent: all end with it, and the next start has their place', async () => {
    const before = await pidsOf();
    assert.equal(before.length, 3);
    await service.end('SIGKILL');
    for (const pid of before) await until(`${pid} ends`, async () => !(await isAlive(pid)));
    await service.start();
    await complete(before);
    assert.equal((await client.get('/me')).status, 200);
  });

  it('SIGTERM: all finish what they do and end, with 0, and nothing is left', async () => {
    const before: readonly ChildProcess[] = await children();
    const slow = new RawClient(service.port);
    after(() => slow.destroy());
    const body = JSON.stringify({ title: 'Sent slowly', type: 'coupon' });
    const headers = `Host: localhost\r\nAuthorization: Bearer ${client.secret}\r\nContent-Type: application/json\r\n`;
    // It is heard: the service asks for the rest.
    slow.send(
      `POST /v1/passes HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    const answered = slow.answer('POST');
    await until('the slow request is heard', () => slow.isContinued);
    service.signal('SIGTERM');
    await until(
      'no process listens',
      async () => (await getAfresh(`${service.url}/readyz`)).code === 'ECONNREFUSED',
    );
    slow.send(body);
    const answer = await answered;
    assert.equal(answer?.status, 201, answer?.body);
    assert.equal(await service.ended(), 0, service.said);
    for (const { pid } of before) assert.equal(await isAlive(pid), false);
    assert.equal(await isServed(dataDir), false);
    assert.equal(existsSync(join(dataDir, 'postgres', 'postmaster.pid')), false);
    assert.equal(service.printed.match(/"msg":"ending"/g)?.length, 3);
  });
});

describe('npm start with PROCESSES=2 and WORKERS=off, on a database of its operator', { skip }, async () => {
  const databaseUrl = await createTestDatabase();
  const service = new ServiceProcess(await freePort(), {
    DATABASE_URL: databaseUrl,
    DATA_DIR: await temporaryDataDir(),
    PROCESSES: '2',
    WORKERS: 'off',
    DRAIN_MS: '25000',
  });
  after(async () => {
    await service.end('SIGKILL');
    await dropTestDatabase(databaseUrl);
  });
  await service.start();

  it('two serve, and none works', async () => {
    await until('it has said so', () => service.printed.includes('2 processes serve, none works'));
    assert.deepEqual(
      (await childrenOf(service.pid)).map(({ role }) => role),
      ['serve', 'serve'],
    );
  });

  it('SIGTERM: both say that they leave, and a second one ends all at once, with 1', async () => {
    const before = await childrenOf(service.pid);
    service.signal('SIGTERM');
    for (let refusals = 0; refusals < 20; ) {
      const { status } = await getAfresh(`${service.url}/readyz`);
      refusals = status === 503 ? refusals + 1 : 0;
    }
    await sleep(1_100);
    assert.equal(await service.end('SIGTERM'), 1, service.said);
    for (const { pid } of before) await until(`${pid} ends`, async () => !(await isAlive(pid)));
    assert.match(service.printed, /a second signal: ended at once/);
  });
});

describe('a start with PROCESSES that cannot succeed says why in one line', { skip }, async () => {
  const dataDir = await temporaryDataDir();
  after(() => stopAbandonedServer(join(dataDir, 'postgres'), silentLog));

  it('a port that is in use', async () => {
    const server = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    after(() => server.close());
    const service = new ServiceProcess(port, { DATA_DIR: dataDir, PROCESSES: '2' });
    service.launch();
    assert.equal(await service.ended(), 1, service.said);
    assert.match(service.complained, /^punchcard: Port \d+ on 127\.0\.0\.1 is in use[^\n]+\n$/);
    assert.ok(!service.printed.includes('Punchcard serves'));
    assert.equal(await isServed(dataDir), false);
  });

  it('a number that is none', async () => {
    const service = new ServiceProcess(await freePort(), { DATA_DIR: dataDir, PROCESSES: 'abc' });
    service.launch();
    assert.equal(await service.ended(), 1, service.said);
    assert.equal(
      service.complained,
      'punchcard: PROCESSES must be a whole number from 1 to 32, or auto, not "abc"\n',
    );
  });
});

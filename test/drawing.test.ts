import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { makeJoinPass } from '../src/enrolment/join.fixture.ts';
import { makeProgram } from '../src/loyalty/account.fixture.ts';
import { Client, type Reply } from './client.ts';
import { makeCard } from './factories.ts';
import { createTestDatabase, dropTestDatabase, temporaryDataDir } from './harness.ts';
import { freePort, ServiceProcess } from './service-process.ts';

const databaseUrl = await createTestDatabase();
const dataDir = await temporaryDataDir();
const service = new ServiceProcess(await freePort(), {
  DATABASE_URL: databaseUrl,
  DATABASE_NODE_POOL: '0',
  DATA_DIR: dataDir,
  WORKERS: 'off',
  RATE_LIMIT_PER_SECOND: '100000',
});
after(async () => {
  await service.end('SIGKILL');
  await dropTestDatabase(databaseUrl);
});
await service.start();
const { apiKey, url } = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
const client = new Client(service.url, url, apiKey);
const anyone = client.as(null);
const { impatient } = anyone;

/** The commands of the processes that the service has started. */
function sideProcesses(): string[] {
  const children = readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8')
    .trim()
    .split(' ');
  return children.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' '));
}

/** The libraries that the service itself has loaded. */
const loaded = () => readFileSync(`/proc/${service.pid}/maps`, 'utf8');

describe('the process that serves', { skip: process.platform !== 'linux' && 'needs /proc' }, () => {
  it('draws no poster, however many are asked for at once: each is there, or is to be asked for later', async () => {
    const { passId } = await makeJoinPass(client);
    const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'];
    const replies = await Promise.all(
      ['pdf', 'png'].flatMap((format) =>
        languages.map((language) => impatient.get(`/join/${passId}/poster.${format}?lang=${language}`)),
      ),
    );
    for (const { status, headers, text } of replies)
      if (status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      else assert.equal(status, 200, text);
    assert.ok(replies.some(({ status }) => status === 200));
    assert.ok(sideProcesses().some((command) => command.includes('drawing-process')));
    assert.doesNotMatch(loaded(), /libvips/);
    const repeat = await impatient.get(`/join/${passId}/poster.png?lang=en`);
    assert.ok([200, 503].includes(repeat.status), repeat.text);
  });

  it('draws nothing else either: previews, icons and pictures of passes', async () => {
    const { pass } = await makeProgram(client);
    const card = await makeCard(client, pass.passId);
    const path = new URL(card.links.card).pathname.replace(/\/card$/, '');
    const ask: (() => Promise<Reply>)[] = [
      () => client.get(`/passes/${pass.passId}/preview.png`),
      () => client.get(`/passes/${pass.passId}/preview.png?platform=google`),
      () => anyone.get(`/passes/${pass.passId}/logo.png`),
      () => anyone.get(`${path}/apple.pkpass`),
      () => anyone.get(`${path}/picture.png`),
      () => anyone.get(`${path}/icons/512.png`),
      () => anyone.get(`${path}/card`),
      () => anyone.get(`${path}/qr.svg`),
    ];
    assert.equal((await fetch(`${service.url}/scan/icons/512.png`)).status, 200);
    for (const reply of await Promise.all(ask.map((send) => send())))
      assert.equal(reply.status, 200, reply.text.slice(0, 200));
    assert.doesNotMatch(loaded(), /libvips/);
  });
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installClient, needsPython } from '../sdk/python/test/python.ts';
import { compileClient } from '../sdk/typescript/test/compile-client.ts';
import { routes } from '../src/routes.ts';
import type { Json } from './client.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';

const app = await startTestApp({ WORKERS: 'off', RATE_LIMIT_PER_SECOND: '10000' });

const root = fileURLToPath(new URL('..', import.meta.url));

/** The page of each operation. */
const pages = new Map<string, string>();
for (const { endpoint } of routes)
  pages.set(endpoint.op, await (await fetch(`${app.url}/docs/${endpoint.op}`)).text());

/** The examples of an operation as its page shows them, by language. */
function samplesOf(op: string): Map<string, string> {
  const page = pages.get(op) ?? '';
  const found = page.matchAll(/data-language="(\w+)"[^>]*><code>(.*?)<\/code><\/pre>/gs);
  return new Map(
    [...found].map(([, language = '', code = '']) => [
      language,
      code
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&'),
    ]),
  );
}

/** What examples send as a file. */
const sampleFiles = ['FILE.csv', 'FILE.png'];

describe('the examples', needsPython, async () => {
  const withClient = await installClient();
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-docs-'));
  after(() => rm(folder, { recursive: true, force: true }));
  for (const name of sampleFiles) await writeFile(join(folder, name), 'a,b\n');
  // The client library as it would be published.
  const home = join(folder, 'node_modules', 'punchcard-client');
  await mkdir(home, { recursive: true });
  await cp(join(root, 'sdk/typescript/package.json'), join(home, 'package.json'));
  await compileClient(join(home, 'dist'));

  /** Runs programs of one language, one after the other in one process. */
  async function run(language: string, programs: readonly string[], key: string): Promise<string> {
    const env = { API_KEY: key, OPERATOR_TOKEN: 'operator' };
    const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1 << 24 };
    const exec = promisify(execFile);
    if (language === 'curl') {
      const script = `uuidgen() { echo 3d4a8a4e-6f0b-4c53-9d0a-5b1f5d1f7c11; }\nset -e\n${programs.map((one) => one.replace(/^curl/, 'curl -sS --fail-with-body')).join('\n')}`;
      return (await exec('sh', ['-c', script], options)).stdout;
    }
    if (language === 'Python') {
      const all = JSON.stringify(programs);
      await writeFile(join(withClient.folder, 'all.json'), all);
      for (const name of sampleFiles) await writeFile(join(withClient.folder, name), 'a,b\n');
      const run = 'import json\nfor one in json.load(open("all.json")): exec(one, {})';
      return withClient.run(['-c', run], env);
    }
    for (const [index, one] of programs.entries()) await writeFile(join(folder, `${index}.mts`), one);
    const main = programs.map((_, index) => `await import('./${index}.mts');`).join('\n');
    await writeFile(join(folder, 'main.mts'), main);
    return (await exec(process.execPath, ['main.mts'], options)).stdout;
  }

  test('send the same in every language', async () => {
    const received: object[] = [];
    const server = createServer(async (request, response) => {
      received.push(await whatWasSent(request));
      response.setHeader('content-type', 'application/json').end('{"data":[],"nextCursor":null}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const sent = new Map<string, object[]>();
    for (const language of ['curl', 'TypeScript', 'Python']) {
      const programs = routes.map(({ endpoint: { op } }) =>
        (samplesOf(op).get(language) ?? assert.fail(`${op} has no example in ${language}`)).replaceAll(
          app.config.publicUrl,
          url,
        ),
      );
      await run(language, programs, 'secret');
      sent.set(language, received.splice(0));
    }
    server.closeAllConnections();
    server.close();
    const [curl = [], ...others] = sent.values();
    assert.equal(curl.length, routes.length);
    for (const [index, { method, path, endpoint, access }] of routes.entries()) {
      for (const other of others) assert.deepEqual(other[index], curl[index], endpoint.op);
      const one = curl[index] as Awaited<ReturnType<typeof whatWasSent>>;
      assert.equal(one.method, method);
      assert.match(
        one.path,
        new RegExp(`^/v1${path.replaceAll(/\{\w+\}/g, '[A-Z_]+').replaceAll('.', '\\.')}(\\?|$)`),
      );
      const isOpen = ['public', 'signed', 'probe', 'session'].includes(access);
      const bearer = access === 'operator' ? 'Bearer operator' : 'Bearer secret';
      assert.equal(one.authorization, isOpen ? undefined : bearer, endpoint.op);
      const bringsKey = Object.keys(endpoint.example ?? {}).includes('externalRef');
      assert.equal(one.hasKey, endpoint.idempotent === true && !bringsKey, endpoint.op);
      if (endpoint.example !== undefined) assert.deepEqual(one.body, endpoint.example, endpoint.op);
    }
  });

  for (const [language, name] of [
    ['TypeScript', 'ts'],
    ['Python', 'python'],
  ] as const) {
    test(`of the guide to clients work in ${language}`, async () => {
      const { client } = await app.newWorkspace('pro', 1_000);
      const { passId } = await makePass(client);
      await makeCard(client, passId, { holder: { identifier: 'cust_8841' } });
      const terms = { passId, mode: 'POINTS', reward: { title: 'Cake', cost: 20 } };
      const { programId } = (await client.post('/loyalty/programs', terms)).body;
      await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
      const guide = await readFile(join(root, 'docs/guides/clients.md'), 'utf8');
      const [, program = ''] = new RegExp(`\`\`\`${name}\\n(.*?)\`\`\``, 's').exec(guide) ?? [];
      const here = program.replace('http://localhost:3000', app.url).replace('pass_…', passId);
      const said = await run(language, [here], client.secret ?? '');
      assert.match(said, /^12 points\n20\S+Z 12\n8 points are missing\n$/);
    });
  }

  test('of guides for a shell do what they say, one guide after the other', async () => {
    const { client } = await app.newWorkspace();
    await mkdir(join(folder, 'data'), { recursive: true });
    await writeFile(join(folder, 'data', 'first-run.json'), JSON.stringify({ apiKey: client.secret }));
    const guides = ['first-card', 'till', 'another-program', 'gift-cards', 'appointments'].map((name) =>
      readFile(join(root, `docs/guides/${name}.md`), 'utf8'),
    );
    const blocks = (await Promise.all(guides)).flatMap((guide) =>
      [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block),
    );
    const script = [
      'set -eo pipefail',
      'curl() { command curl --fail-with-body "$@"; }',
      ...blocks.filter((block) => !block.includes('npm start')),
    ].join('\n');
    const options = {
      cwd: folder,
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    };
    await promisify(execFile)('bash', ['-c', script.replaceAll('http://localhost:3000', app.url)], options);
    const passes = new Map<string, string>(
      (await client.get('/passes')).body.data.map(({ title, passId }: Json) => [title, passId]),
    );
    const cardsOf = async (title: string): Promise<Json[]> =>
      (await client.get(`/passes/${passes.get(title)}/instances`)).body.data;
    const data = await cardsOf('Blue Bean Club');
    const balances = data.map(async ({ instanceId }: Json) => {
      const { holder, loyalty } = (await client.get(`/instances/${instanceId}`)).body;
      return `${holder.identifier} ${loyalty.balance}`;
    });
    assert.deepEqual((await Promise.all(balances)).toSorted(), [
      'cust_1 -100',
      'cust_1001 95',
      'cust_1002 10',
    ]);
    const gifts = (await cardsOf('Gift card')).map(async ({ instanceId, status }: Json) => {
      const { loyalty } = (await client.get(`/instances/${instanceId}`)).body;
      return `${status} ${loyalty.amount.amount}`;
    });
    assert.deepEqual((await Promise.all(gifts)).toSorted(), ['active 20.00', 'voided 0.00']);
    const [visit] = await cardsOf('Salon Circle');
    assert.deepEqual([visit?.fields.with, visit?.fields.next], ['Mara', null]);
  });

  for (const language of ['curl', 'TypeScript', 'Python']) {
    test(`in ${language} do what they say`, async () => {
      const { client } = await app.newWorkspace('pro', 1_000);
      const key = client.secret ?? '';
      const sample = (op: string, ...changes: [string, string][]) =>
        [[app.config.publicUrl, app.url] as [string, string], ...changes].reduce(
          (program, [from, to]) => program.replaceAll(from, to),
          samplesOf(op).get(language) ?? '',
        );
      await run(language, [sample('createPass')], key);
      const [pass] = (await client.get('/passes')).body.data;
      assert.equal(pass.title, 'Blue Bean Club');
      await client.patch(`/passes/${pass.passId}`, { status: 'published' });
      await run(language, [sample('issueInstance', ['PASS_ID', pass.passId])], key);
      const program = await client.post('/loyalty/programs', {
        passId: pass.passId,
        mode: 'POINTS',
        reward: { title: 'Cake', cost: 5 },
      });
      await client.patch(`/loyalty/programs/${program.body.programId}`, { status: 'active' });
      // Twice: the externalRef counts once.
      const award = sample('earnPoints', ['pass_…', pass.passId]);
      const said = await run(language, [award, award], key);
      assert.match(said, /balance\W+12/);
      const [card] = (await client.get(`/passes/${pass.passId}/instances`)).body.data;
      const found = await client.get(`/instances/${card.instanceId}`);
      assert.equal(found.body.loyalty.balance, 12);
    });
  }
});

async function whatWasSent(request: IncomingMessage) {
  const sent = await text(request);
  const type = request.headers['content-type'];
  const body = type === 'application/json' ? JSON.parse(sent) : sent;
  // A client makes an externalRef where it can.
  const { externalRef, ...rest } = body;
  const isMade = /^[0-9a-f]{32}$/.test(externalRef);
  return {
    method: request.method,
    path: request.url ?? '',
    authorization: request.headers.authorization,
    type,
    hasKey: isMade || /^[0-9a-f-]{32,36}$/.test(String(request.headers['idempotency-key'])),
    body: isMade ? rest : body,
  };
}

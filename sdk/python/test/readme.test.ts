import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import type { Client, Json } from '../../../test/client.ts';
import { makeCard } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { freePort } from '../../../test/service-process.ts';
import { installClient, needsPython } from './python.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [first = '', till = '', receiver = '', importer = ''] = [
  ...readme.matchAll(/^```python\n(.*?)^```$/gms),
].map(([, code = '']) => code);

/** Each program is pasted into a folder that has the package and nothing else. */
describe('the README of the Python client, as it stands', needsPython, async () => {
  const app = await startTestApp({ FETCH_ALLOW_CIDRS: '127.0.0.1/32', WEBHOOK_ALLOW_HTTP: 'yes' });
  const python = await installClient();
  for (const [name, code] of Object.entries({ first, till, receiver, importer }))
    await writeFile(join(python.folder, `${name}.py`), code);

  const settingsOf = (client: Client) => ({
    PUNCHCARD_URL: app.url,
    PUNCHCARD_API_KEY: client.secret ?? '',
  });

  it('keeps its promises of length', () => {
    const lines = (code: string) => code.split('\n').filter((line) => line.trim() !== '').length;
    assert.ok(lines(till) <= 25, `the till has ${lines(till)} lines`);
    assert.ok(lines(receiver) <= 15, `the receiver has ${lines(receiver)} lines`);
  });

  it('makes a club, a card and an award', async () => {
    const { client } = await app.newWorkspace();
    const said = await python.run(['first.py'], settingsOf(client));
    assert.match(said, /^\S+Z 120 points\n120 points are on https:\/\/\S+\n$/);
    const { body } = await client.get(
      `/loyalty/entries?limit=100&identifier=ada&passId=${await onlyPass(client)}`,
    );
    assert.deepEqual(
      body.data.map(({ points }: Json) => points),
      [120],
    );
  });

  it('is a till', async () => {
    const { client } = await app.newWorkspace();
    await python.run(['first.py'], settingsOf(client));
    const { barcode } = await makeCard(client, await onlyPass(client), { holder: { identifier: 'bob' } });
    const lines = [
      `r1 ${barcode} 120`,
      `r1 ${barcode} 120`,
      `r2 ${barcode} redeem`,
      `r3 ${barcode} redeem`,
      'r4 NOBODY 5',
    ];
    const said = await python.run(['till.py'], settingsOf(client), `${lines.join('\n')}\n`);
    assert.deepEqual(said.trimEnd().split('\n'), [
      'r1: 120 points, 120 in all',
      'r1: 120 points, 120 in all',
      'r2: hand over A cake, 20 left',
      'r3: 20 of 100 points',
      'r4: no such card, scan again',
    ]);
    const revoked = await python.run(
      ['till.py'],
      { ...settingsOf(client), PUNCHCARD_API_KEY: 'sk_no' },
      `${lines[0]}\n`,
    );
    assert.match(revoked, /^r1: This API key .*\(invalid_api_key, req_\w+\): ask a manager\n$/);
  });

  it('receives webhooks, and no others', async () => {
    const { client } = await app.newWorkspace();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hooks`;
    const hook = await client.post('/webhooks', { url, types: ['pass.created'] });
    assert.equal(hook.status, 201, hook.text);
    const child = python.start(['receiver.py'], { WEBHOOK_SECRET: hook.body.secret, PORT: String(port) });
    after(() => child.kill());
    if (child.stdout === null) throw new Error('it has no output');
    const heard = createInterface(child.stdout)[Symbol.asyncIterator]();
    await listens(url);
    const forged = await fetch(url, {
      method: 'POST',
      body: '{}',
      headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' },
    });
    assert.equal(forged.status, 400);
    const pass = await client.post('/passes', { title: 'Heard of', type: 'coupon' });
    const { body: events } = await client.get('/events?type=pass.created');
    const { value } = await heard.next();
    assert.equal(value, `pass.created ${events.data[0].eventId} None`);
    assert.equal(events.data[0].passId, pass.body.passId);
  });

  it('imports cards, once, and says what was refused', async () => {
    const { client } = await app.newWorkspace();
    await python.run(['first.py'], settingsOf(client));
    const passId = await onlyPass(client);
    const lines = Array.from(
      { length: 1_100 },
      (_, index) => `OLD-${index},c${index},"Name ${index}",${index}`,
    );
    lines[700] = 'OLD-700,c700,Name,-5';
    await writeFile(
      join(python.folder, 'cards.csv'),
      `\ufeffbarcode,identifier,name,balance\r\n${lines.join('\r\n')}\r\n`,
    );
    for (const _ of ['first', 'again']) {
      const said = await python.run(['importer.py', passId, 'cards.csv'], settingsOf(client));
      assert.match(
        said,
        /^\r500 of 1100, 0 refused\rline 702: .*\n\r1000 of 1100, 1 refused\r1100 of 1100, 1 refused\n$/,
      );
    }
    const { body } = await client.get(`/passes/${passId}`);
    assert.equal(body.counts.issued, 1_100);
    const card = await client.get(`/instances/lookup?barcode=OLD-1099&passId=${passId}`);
    assert.equal(card.body.loyalty.balance, 1_099);
  });
});

async function onlyPass(client: Client): Promise<string> {
  return (await client.get('/passes')).body.data[0].passId;
}

/** Until a server answers there. */
async function listens(url: string): Promise<void> {
  while ((await fetch(url).catch(() => null)) === null);
}

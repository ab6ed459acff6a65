import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawClient } from '../../src/kit/http/server/raw-client.fixture.ts';
import { makeProgram } from '../../src/loyalty/account.fixture.ts';
import { routes } from '../../src/routes.ts';
import { makeCard, tally } from '../factories.ts';
import { startTestApp } from '../harness.ts';
import { makeTenant, pathWith } from './tenant.ts';

/**
 * Requests whose bodies never come, to every route, with a key that is good where one is asked for. More of them than the
 * service has requests in flight at a time; each costs the sender a connection, and no other client an answer.
 */
const app = await startTestApp({ WORKERS: 'off', DATABASE_POOL: '20' });
const { client: attacker, names } = await makeTenant(app);
const { client: quiet } = await app.newWorkspace();
const { pass } = await makeProgram(quiet, {
  mode: 'POINTS',
  reward: { title: 'Coffee', cost: 1_000_000 },
});
const card = await makeCard(quiet, pass.passId);
const port = Number(new URL(app.url).port);

const host = 'Host: cards.example.test\r\n';
const takers = routes.filter(({ endpoint }) => endpoint.body !== undefined || endpoint.accepts !== undefined);
const others = routes.filter((route) => !takers.includes(route));
const connections = 3_200;

/** The head of a request to a route, and the first byte of its body. */
function stalled({ method, path, access, endpoint }: (typeof routes)[number]): string {
  const secret = access === 'operator' ? app.operator.secret : attacker.secret;
  const type = Object.keys(endpoint.accepts ?? {})[0] ?? 'application/json';
  return `${method} ${pathWith(path, names)} HTTP/1.1\r\n${host}Authorization: Bearer ${secret}\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n{`;
}

let receipts = 0;

/** A till that awards points in one piece and in two, and a phone without a key; the status of each answer. */
async function workQuietly(): Promise<number[]> {
  const award = { passId: pass.passId, instanceId: card.instanceId, points: 1, externalRef: '' };
  const whole = await quiet.impatient.post('/loyalty/points', { ...award, externalRef: `r-${receipts++}` });
  const body = JSON.stringify({ ...award, externalRef: `r-${receipts++}` });
  const inPieces = new RawClient(port);
  inPieces.send(
    `POST /v1/loyalty/points HTTP/1.1\r\n${host}Authorization: Bearer ${quiet.secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n{`,
  );
  await sleep(20);
  inPieces.send(body.slice(1));
  const phone = new RawClient(port, '127.200.0.1');
  const log = '{"logs":["A message"]}';
  phone.send(
    `POST /apple/v1/log HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: ${log.length}\r\n\r\n`,
  );
  await sleep(20);
  phone.send(log);
  const answers = await Promise.all([inPieces.answer(), phone.answer()]);
  for (const client of [inPieces, phone]) client.destroy();
  return [whole.status, ...answers.map((answer) => answer?.status ?? 0)];
}

for (const [what, addressOf] of [
  ['one address', () => '127.0.0.1'],
  ['many addresses', (n: number) => `127.1.${n >> 8}.${n & 255}`],
] as const)
  it(`${connections} bodies that do not come, to each route, from ${what} harm no other client`, {
    timeout: 300_000,
  }, async () => {
    const seen: number[] = [];
    const clients: RawClient[] = [];
    for (let n = 0; n < connections; n++) {
      // As many at once as a rate limit lets through, which this service has none of: what is tested is the waiting.
      if (n % 400 === 0) seen.push(...(await workQuietly()));
      // Routes without a body are a fifth: they refuse at once, and are done when the body does not follow.
      const targets = n % 5 === 0 ? others : takers;
      const target = targets[n % targets.length];
      assert.ok(target);
      const client = new RawClient(port, addressOf(n));
      client.send(stalled(target));
      clients.push(client);
    }
    const ended = Promise.all(
      clients.map(async (client) => {
        const status = (await client.answer())?.status ?? 0;
        await client.end();
        return status;
      }),
    );
    let isOver = false;
    void ended.finally(() => {
      isOver = true;
    });
    while (!isOver) seen.push(...(await workQuietly()));
    assert.deepEqual(Object.keys(tally(seen)), ['200'], JSON.stringify(tally(seen)));
    const statuses = tally(await ended);
    assert.ok(
      Object.keys(statuses).every((status) => /^(4\d\d|503)$/.test(status)),
      JSON.stringify(statuses),
    );
    assert.ok((statuses['408'] ?? 0) > 2_000, JSON.stringify(statuses));
  });

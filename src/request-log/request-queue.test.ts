import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp } from '../../test/harness.ts';
import { type Database, openDatabase } from '../kit/db/database.ts';
import type { AnswerFacts } from '../kit/http/server/answer-facts.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';

const app = await startTestApp({ WORKERS: 'off' });
const database = openDatabase({
  url: app.databaseUrl,
  name: 'test',
  connections: 2,
  onError: () => undefined,
});

const facts = (requestId: string, more: Partial<AnswerFacts> = {}): AnswerFacts => ({
  requestId,
  op: 'createPass',
  method: 'POST',
  path: '/passes',
  status: 201,
  code: null,
  message: null,
  ms: 1,
  ...more,
});

const open = (on: Pick<Database, 'transaction'>, warnings: string[] = []) =>
  createRequestLog({
    database: on,
    now: () => new Date(),
    log: { warn: (_fields, message) => warnings.push(message) },
    probes: new Set(),
  });

const figures = async ({ gauges }: RequestLog) =>
  Object.assign({}, ...(await Promise.all(gauges.map(({ read }) => read()))));
const count = async (prefix: string) =>
  Number(
    (
      await app.sql<{ n: string }>(`select count(*) as n from request_log where request_id like $1`, [
        `${prefix}%`,
      ])
    )[0]?.n,
  );

describe('the queue of the request log', () => {
  it('is written before the service ends', async () => {
    const log = open(database);
    for (let n = 0; n < 2_500; n++) log.note(facts(`ending-${n}`));
    await log.close();
    assert.equal(await count('ending-'), 2_500);
    const { waiting, written, full, flood, unwritten } = await figures(log);
    assert.deepEqual([waiting, written, full, flood, unwritten], [0, 2_500, 0, 0, 0]);
  });

  it('is bounded: what finds no room is counted, and no caller waits', async () => {
    const log = open(database);
    for (let n = 0; n < 12_000; n++) log.note(facts(`many-${n}`));
    assert.equal((await figures(log)).full, 2_000);
    await log.close();
    assert.equal(await count('many-'), 10_000);
  });

  it('waits for a database that is away, and writes once it is back', async () => {
    let isAway = true;
    const log = open({
      transaction: (work) =>
        isAway
          ? Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
          : database.transaction(work),
    });
    log.note(facts('away-1'));
    await sleep(400);
    log.note(facts('away-2'));
    assert.deepEqual([(await figures(log)).written, (await figures(log)).unwritten], [0, 0]);
    isAway = false;
    for (let tries = 0; (await count('away-')) < 2; tries++) {
      assert.ok(tries < 500);
      await sleep(20);
    }
    await log.close();
  });

  it('drops what the database refuses, and goes on', async () => {
    const warnings: string[] = [];
    const log = open(database, warnings);
    log.note(facts('bad\0id'));
    await sleep(400);
    log.note(facts('good-1'));
    await log.close();
    assert.equal(await count('good-'), 1);
    assert.equal((await figures(log)).unwritten, 1);
    assert.deepEqual(warnings, ['requests could not be logged']);
  });

  it('bounds refusals that anyone can cause, and no others', async () => {
    const log = open(database);
    const stranger = { status: 401, code: 'invalid_api_key', op: 'getMe' };
    for (let n = 0; n < 3_000; n++) log.note(facts(`stranger-${n}`, stranger));
    const knownAs = {
      workspaceId: '01900000-0000-7000-8000-000000000000',
      actor: 'key_04000000007000800000000001',
    };
    for (let n = 0; n < 3_000; n++) log.note(facts(`known-${n}`, { status: 409, code: 'last_key', knownAs }));
    await log.close();
    assert.equal(await count('known-'), 3_000);
    const strangers = await count('stranger-');
    assert.ok(strangers >= 1_000 && strangers < 2_500, String(strangers));
    assert.equal((await figures(log)).flood, 3_000 - strangers);
    await database.close();
  });
});

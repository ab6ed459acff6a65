import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startTcpProxy } from '../../tools/fakes/tcp-proxy.ts';
import { Client, type Json, type Reply } from '../client.ts';
import { makeCard, makePass } from '../factories.ts';
import { createTestDatabase, dropTestDatabase, temporaryDataDir } from '../harness.ts';
import { assertInvariants } from '../invariants.ts';
import { freePort, ServiceProcess } from '../service-process.ts';

/** Where a transaction is met: before the server gets a statement, or before its answer comes back. */
const moments = [
  ['before BEGIN', 'begin\0', 'request'],
  ['before the card is held', 'for no key update', 'request'],
  ['when the card is held', 'for no key update', 'reply'],
  ['before the entry', 'insert into loyalty_entries', 'request'],
  ['after the entry, before the claim', 'insert into operation_claims', 'request'],
  ['after the claim and its answer', 'insert into operation_claims', 'reply'],
  ['before COMMIT', 'commit\0', 'request'],
  ['after COMMIT, before its answer', 'commit\0', 'reply'],
] as const;

/** Of a kill, which takes a second longer than a cut, the database sees nothing else. */
const killed = moments.filter(([name]) => /BEGIN|before the claim|COMMIT/.test(name));

/** Each can be done once only with what its card has: a second effect would be refused, or wrong. */
const operations = {
  earnPoints: {
    path: () => '/loyalty/points',
    body: ({ identifier }) => ({ passId: pass.passId, identifier, points: 7 }),
    balance: 17,
  },
  redeemReward: {
    path: () => '/loyalty/redeem',
    body: ({ identifier }) => ({ passId: pass.passId, identifier }),
    balance: 0,
  },
  adjustPoints: {
    path: () => '/loyalty/adjust',
    body: ({ identifier }) => ({ passId: pass.passId, identifier, points: -10, reason: 'Awarded twice' }),
    balance: 0,
  },
  reverseEntry: {
    path: ({ entryId }) => `/loyalty/entries/${entryId}/reverse`,
    body: () => ({}),
    balance: 0,
  },
} as const satisfies Record<string, Operation>;

interface Operation {
  path(card: Card): string;
  body(card: Card): object;
  /** What the card has afterwards, of the ten points that it began with. */
  readonly balance: number;
}

/** A card with ten points, and the entry that they came with. */
interface Card {
  readonly identifier: string;
  readonly entryId: string;
}

const databaseUrl = await createTestDatabase();
const proxy = await startTcpProxy(databaseUrl);
const dataDir = await temporaryDataDir();
const environment = {
  DATA_DIR: dataDir,
  LOG_LEVEL: 'silent',
  RATE_LIMIT_PER_SECOND: '100000',
  // The statement that is met must be that of the call.
  WORKERS: 'off',
  REQUEST_LOG: 'off',
  PUBLIC_URL: 'https://cards.example.test',
};
const service = new ServiceProcess(await freePort(), {
  ...environment,
  DATABASE_URL: proxy.url,
  DATABASE_NODE_POOL: '0',
});
/** Another process on the same database, which runs without faults. */
const twin = new ServiceProcess(await freePort(), { ...environment, DATABASE_URL: databaseUrl });
const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
after(async () => {
  await service.end('SIGKILL');
  await twin.end('SIGKILL');
  await proxy.close();
  await pool.end();
  await dropTestDatabase(databaseUrl);
});
await service.start();
await twin.start();

let client: Client;
let witness: Client;
let pass: Json;
before(async () => {
  const { apiKey } = JSON.parse(await readFile(`${dataDir}/first-run.json`, 'utf8'));
  client = new Client(service.url, environment.PUBLIC_URL, apiKey);
  witness = new Client(twin.url, environment.PUBLIC_URL, apiKey);
  pass = await makePass(witness);
  const { body: program } = await witness.post('/loyalty/programs', {
    passId: pass.passId,
    mode: 'POINTS',
    reward: { title: 'Free coffee', cost: 10 },
  });
  await witness.patch(`/loyalty/programs/${program.programId}`, { status: 'active' });
  // Noting the use of a key is a transaction of its own, which must not be the one that is met.
  await pool.query("update api_keys set last_used_at = now() + interval '1 day'");
});

for (const name of Object.keys(operations) as (keyof typeof operations)[]) {
  describe(`${name}, cut off from the database`, () => {
    for (const moment of moments) {
      it(`${moment[0]}: the retry leaves one effect`, async () => {
        const call = await prepare(name);
        const lost = await meet(call, moment, async () => 'cut');
        assert.deepEqual([lost?.status, lost?.body.retryable], [500, true], lost?.text);
        await assertEffects(call, effectsOf(moment));
        await assertOnce(call, [await call.send(client)], effectsOf(moment) === 1);
      });

      it(`${moment[0]}, with a duplicate under way in another process: both get one answer`, async () => {
        const call = await prepare(name);
        let duplicate: Promise<Reply> | undefined;
        const lost = await meet(call, moment, async () => {
          duplicate = call.send(witness);
          await toQueueUp();
          return 'cut';
        });
        assert.deepEqual([lost?.status, lost?.body.retryable], [500, true], lost?.text);
        await assertOnce(call, [await duplicate, await call.send(client)]);
      });
    }

    it('not cut off: who repeats it during a long COMMIT gets its answer, not what would be refused now', async () => {
      const call = await prepare(name);
      let duplicate: Promise<Reply> | undefined;
      const first = await meet(call, ['in a long COMMIT', 'commit\0', 'request'], async () => {
        duplicate = call.send(witness);
        await toQueueUp();
        return 'goes on';
      });
      await assertOnce(call, [first, await duplicate]);
    });
  });
}

for (const name of ['earnPoints', 'redeemReward'] as const) {
  describe(`${name}, by a service that is killed`, () => {
    for (const moment of killed) {
      it(`${moment[0]}: the retry leaves one effect`, async () => {
        const call = await prepare(name);
        const lost = await meet(call, moment, async () => {
          await service.end('SIGKILL');
          return 'cut';
        });
        assert.equal(lost, undefined);
        await assertEffects(call, effectsOf(moment));
        await service.start();
        await assertOnce(call, [await call.send(client)], effectsOf(moment) === 1);
      });
    }
  });
}

describe('all that was met', () => {
  it('has left books that agree, and no transaction open', async () => {
    const sql = async <Row extends pg.QueryResultRow>(text: string) => (await pool.query<Row>(text)).rows;
    await assertInvariants(sql);
    const open = await sql(`
      select pid, state, query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
        and xact_start is not null`);
    assert.deepEqual(open, []);
  });
});

interface Call {
  readonly operation: keyof typeof operations;
  readonly ref: string;
  readonly card: Card;
  send(to: Client): Promise<Reply>;
}

/** Long enough for a call to come to wait for what another one holds. */
const toQueueUp = () => sleep(100);

let calls = 0;

/** A call for a new card, under a new reference. */
async function prepare(operation: keyof typeof operations): Promise<Call> {
  // It was killed in a test that has failed.
  if (!service.isRunning) await service.start();
  const ref = `${operation} ${++calls}`;
  await makeCard(witness, pass.passId, { holder: { identifier: ref } });
  const target = { passId: pass.passId, identifier: ref };
  const { body: earned } = await witness.post('/loyalty/points', { ...target, points: 10 });
  const card = { identifier: ref, entryId: earned.entryId };
  const { path, body } = operations[operation];
  return {
    operation,
    ref,
    card,
    send: (to) => to.post(path(card), { ...body(card), externalRef: ref }),
  };
}

/** Sends the call, and runs `atMoment` at this moment of its transaction. Returns the answer, where there was one. */
async function meet(
  call: Call,
  [name, words, moment]: readonly [string, string, 'request' | 'reply'],
  atMoment: () => Promise<'cut' | 'goes on'>,
): Promise<Reply | undefined> {
  let isMet = false;
  proxy.holdOn(words, moment, () => {
    isMet = true;
    return atMoment();
  });
  const reply = await call.send(client).catch(() => undefined);
  assert.ok(isMet, `${call.operation} was never met ${name}`);
  return reply;
}

/** Returns 1 if the entry was committed before the moment, and otherwise 0. */
function effectsOf([, words, moment]: (typeof moments)[number]): 0 | 1 {
  return words === 'commit\0' && moment === 'reply' ? 1 : 0;
}

async function assertEffects({ ref }: Call, count: number): Promise<void> {
  const { rows } = await pool.query(
    `select (select count(*)::int from loyalty_entries where external_ref = $1) as entries,
       (select count(*)::int from operation_claims where key = $1 and status is not null) as claims`,
    [ref],
  );
  assert.deepEqual(rows, [{ entries: count, claims: count }]);
}

/** All answers are the same, also those of later repeats, and the card has the effect once. */
async function assertOnce(
  call: Call,
  answers: readonly (Reply | undefined)[],
  isReplay?: boolean,
): Promise<void> {
  const [first] = answers;
  assert.equal(first?.status, 200, first?.text);
  assert.equal(first.body.balance, operations[call.operation].balance);
  if (isReplay !== undefined)
    assert.equal(first.headers.get('idempotent-replayed'), isReplay ? 'true' : null);
  for (const one of answers) assert.deepEqual([one?.status, one?.text], [200, first.text]);
  for (const to of [client, witness]) {
    const repeat = await call.send(to);
    assert.deepEqual([repeat.status, repeat.text], [200, first.text]);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
  }
  await assertEffects(call, 1);
  const path = `/loyalty/holders/${encodeURIComponent(call.ref)}?passId=${pass.passId}`;
  const { body } = await witness.get(path);
  assert.equal(body.balance, operations[call.operation].balance);
}

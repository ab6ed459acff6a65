import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { createTestDatabase, dropTestDatabase } from '../../../test/harness.ts';
import { startTcpProxy } from '../../../tools/fakes/tcp-proxy.ts';
import { openDatabase } from './database.ts';
import { arrayLiteral, parameterOf } from './parameters.ts';
import { prepared, sql } from './sql.ts';

const url = await createTestDatabase();
const { db, close } = openDatabase({ url, connections: 2, onError: () => undefined });
after(async () => {
  await close();
  await dropTestDatabase(url);
});

/** Any text that a database in UTF-8 can hold, with much of what arrays have to quote. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }).map((some) => some.replaceAll('\0', '')),
  fc.string({ unit: fc.constantFrom('"', '\\', ',', '{', '}', ' ', 'N', 'U', 'L', "'", '\n', 'é') }),
);
const orNull = <T>(values: fc.Arbitrary<T>) => fc.array(fc.option(values), { maxLength: 20 });
const moments = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('2999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

describe('a value on its way to the server and back', () => {
  const same = async <T>(type: string, values: T) => {
    const { rows } = await sql<{ values: T }>`select ${values}::${sql.raw(type)} as values`.execute(db);
    assert.deepEqual(rows, [{ values }]);
  };
  const cases: readonly [type: string, arbitrary: fc.Arbitrary<unknown>][] = [
    ['text', text],
    ['text[]', orNull(text)],
    ['uuid[]', orNull(fc.uuid())],
    ['float8[]', orNull(fc.double({ noNaN: true }).map((number) => number + 0))],
    ['int4[]', orNull(fc.integer())],
    ['boolean[]', orNull(fc.boolean())],
    ['bytea[]', orNull(fc.uint8Array().map((bytes) => Buffer.from(bytes)))],
    ['jsonb', fc.dictionary(fc.string({ unit: 'grapheme-ascii' }), text, { noNullPrototype: true })],
    ['timestamptz', moments],
  ];
  for (const [type, arbitrary] of cases) {
    it(`stays what it was: ${type}`, async () => {
      await fc.assert(
        fc.asyncProperty(arbitrary, (value) => same(type, value)),
        { numRuns: 60 },
      );
    });
  }

  it('stays what it was: timestamptz[], by the milliseconds that the server counts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moments, { maxLength: 20 }), async (values) => {
        const { rows } = await sql<{ ms: string }>`
          select extract(epoch from at) * 1000 as ms
          from unnest(${values}::timestamptz[]) with ordinality as _(at, place) order by place`.execute(db);
        assert.deepEqual(
          rows.map(({ ms }) => Number(ms)),
          values.map(Number),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('is read as pg reads it, whatever the zone, the fraction and the age of a moment', async () => {
    const texts = [
      '2026-01-31 08:05:00.123456+00',
      '2026-01-31 08:05:00.1+00',
      '2026-01-31 08:05:00+05:30',
      '2026-01-31 08:05:00.999999-11',
      '0042-01-31 08:05:00+00',
      '0042-01-31 08:05:00+00 BC',
      '10000-01-31 08:05:00+00',
      'infinity',
    ];
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    after(() => pool.end());
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/New_York']) {
      const ask = `select at::timestamptz as at from unnest($1::text[]) as at`;
      const client = await pool.connect();
      await client.query(`set time zone '${zone}'`);
      const { rows: expected } = await client.query(ask, [texts]);
      client.release();
      const rows = await db.transaction().execute(async (tx) => {
        await sql`select set_config('timezone', ${zone}, true)`.execute(tx);
        return (
          await sql<{ at: Date }>`select at::timestamptz as at from unnest(${texts}::text[]) as at`.execute(
            tx,
          )
        ).rows;
      });
      assert.deepEqual(rows, expected);
    }
  });

  it('is a year beyond 9999, or before Christ, as the server writes it', () => {
    assert.equal(parameterOf(new Date('+010000-01-02T03:04:05.006Z')), '10000-01-02T03:04:05.006Z');
    assert.equal(parameterOf(new Date('-000043-01-02T03:04:05.006Z')), '0044-01-02T03:04:05.006Z BC');
  });

  it('is nested where a list holds lists', () => {
    assert.equal(
      arrayLiteral([
        [1, 2],
        ['a"b', null],
      ]),
      '{{1,2},{"a\\"b",NULL}}',
    );
  });
});

describe('a statement', () => {
  it('names its columns in camelCase, and counts what it has changed', async () => {
    await sql`create table spots (spot_id int primary key)`.execute(db);
    const inserted = await sql`insert into spots values (${1}), (${2})`.execute(db);
    assert.deepEqual(inserted, { rows: [], rowCount: 2 });
    const { rows, rowCount } = await sql`delete from spots where spot_id = ${2} returning spot_id`.execute(
      db,
    );
    assert.deepEqual([rows, rowCount], [[{ spotId: 2 }], 1]);
    assert.deepEqual(await sql`select spot_id from spots`.execute(db), {
      rows: [{ spotId: 1 }],
      rowCount: 1,
    });
  });

  it('fails where a bigint would be rounded, and leaves the connection usable', async () => {
    await assert.rejects(sql`select ${'9007199254740993'}::bigint as big`.execute(db), /beyond 2\^53/);
    assert.deepEqual((await sql`select ${1}::int as one`.execute(db)).rows, [{ one: 1 }]);
  });

  it('fails with what the server says, and a stack that leads to its sender', async () => {
    const sender = async () => sql`select ${'x'}::int`.execute(db);
    await assert.rejects(sender, (error) => {
      assert.ok(error instanceof pg.DatabaseError);
      assert.equal(error.code, '22P02');
      assert.match(error.stack ?? '', /statement\.test\.ts/);
      return true;
    });
  });

  it('fails where a value has no form, before anything is sent', async () => {
    await assert.rejects(sql`select ${new Date(Number.NaN)}`.execute(db), RangeError);
    assert.deepEqual((await sql`select ${1}::int as one`.execute(db)).rows, [{ one: 1 }]);
  });

  it('fails when the server stays silent for too long', async () => {
    const proxy = await startTcpProxy(url);
    const silent = openDatabase({ url: proxy.url, connections: 1, silenceMs: 100, onError: () => undefined });
    await sql`select 1`.execute(silent.db);
    const sleeping = sql`select pg_sleep(${30})`.execute(silent.db);
    await assert.rejects(sleeping, /Query read timeout/);
    await silent.close();
    await proxy.close();
  });
});

describe('a prepared statement', async () => {
  const one = openDatabase({ url, connections: 1, onError: () => undefined });
  after(() => one.close());
  const texts = async () => {
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
      one.db,
    );
    return rows.map(({ statement }) => statement);
  };

  it('is prepared once a connection, and its rows are those of its values', async () => {
    const twice = (value: number) =>
      prepared<{ double: number }>`select ${value}::int * 2 as double`.execute(one.db);
    for (const value of [1, 2, 3]) assert.deepEqual((await twice(value)).rows, [{ double: value * 2 }]);
    assert.deepEqual(await texts(), ['select $1::int * 2 as double']);
  });

  it('goes on where a migration has changed its columns, alone and in a transaction', async () => {
    await sql`create table growing (first int)`.execute(one.db);
    await sql`insert into growing values (1)`.execute(one.db);
    const all = () => prepared`select * from growing`;
    assert.deepEqual((await all().execute(one.db)).rows, [{ first: 1 }]);
    await sql`alter table growing add second int`.execute(one.db);
    assert.deepEqual((await all().execute(one.db)).rows, [{ first: 1, second: null }]);
    await sql`alter table growing add third int`.execute(one.db);
    const { rows } = await one.transaction((tx) => all().execute(tx));
    assert.deepEqual(rows, [{ first: 1, second: null, third: null }]);
  });

  it('fails with what has failed before it, and is prepared the next time', async () => {
    const late = () => prepared<{ late: number }>`select 4 as late`;
    await assert.rejects(
      one.transaction(async (tx) => {
        const sent = [sql`select 1 / 0`.execute(tx), late().execute(tx), late().execute(tx)];
        const causes = (await Promise.allSettled(sent)).map((each) => (each as PromiseRejectedResult).reason);
        assert.deepEqual(
          causes.map((cause) => (cause as pg.DatabaseError).code),
          ['22012', '22012', '22012'],
        );
        throw causes[0];
      }),
      { code: '22012' },
    );
    assert.deepEqual((await late().execute(one.db)).rows, [{ late: 4 }]);
  });
});

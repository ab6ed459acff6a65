import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { assertRefused, Client, type Json } from '../../test/client.ts';
import { inParallel, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { freePort, ServiceProcess } from '../../test/service-process.ts';
import { decodeId, encodeId, newUuidV7 } from '../kit/ids.ts';
import { fileOf, importFile, sendFile, storyOf } from './balances.fixture.ts';
import { coffee, Till, threeStamps } from './till.fixture.ts';

const app = await startTestApp();
const most = Number.MAX_SAFE_INTEGER;

describe('a file of balances', () => {
  it('sets each card to its figure by an entry of the difference', async () => {
    const till = await Till.open(app);
    const bob = await till.card('bob', { barcode: 'BOB-1' });
    const eve = await till.card('eve');
    await till.earn(7);
    await till.earn(4, { identifier: 'bob' });
    const file = `barcode,note,instanceId,balance,identifier
,first,${till.ada.instanceId},3,
BOB-1,"second, ""quoted""",,20,
,,,0,eve
`;
    const report = await importFile(till, file);
    assert.deepEqual(storyOf(report), [
      '2 changed 7 → 3 (-4)',
      '3 changed 4 → 20 (+16)',
      '4 unchanged 0 → 0 (+0)',
    ]);
    const ids = [till.ada, bob, eve].map(({ instanceId }) => instanceId);
    assert.deepEqual(
      report.results.map(({ instanceId }: Json) => instanceId),
      ids,
    );
    assert.deepEqual(await till.story(), ['earn +7 = 7', 'import -4 = 3']);
    assert.deepEqual(await till.story(bob), ['earn +4 = 4', 'import +16 = 20']);
    assert.deepEqual(await till.story(eve), []);
    assert.equal((await till.holder('bob')).lifetimePoints, 20);
    assert.equal((await till.summary()).adjusted, 12);
    await till.assertSound();
  });

  it('names a card by the first column that is not empty: instanceId, identifier, barcode', async () => {
    const till = await Till.open(app);
    const bob = await till.card('bob', { barcode: 'B' });
    await till.card('eve', { barcode: 'E' });
    const report = await importFile(
      till,
      `barcode,identifier,instanceId,balance\nB,bob,${till.ada.instanceId},1\nE,bob,,2\nE,,,3\n`,
    );
    assert.deepEqual(storyOf(report), [
      '2 changed 0 → 1 (+1)',
      '3 changed 0 → 2 (+2)',
      '4 changed 0 → 3 (+3)',
    ]);
    assert.equal(report.results[1].instanceId, bob.instanceId);
  });

  it('works before the launch and while the program is paused', async () => {
    const till = await Till.open(app, coffee, { launched: false });
    assert.equal((await importFile(till, fileOf({ ada: 5 }))).changed, 1);
    await till.change({ status: 'active' });
    await till.change({ status: 'paused' });
    assert.equal((await importFile(till, fileOf({ ada: 6 }))).changed, 1);
    assert.equal((await till.holder()).balance, 6);
  });

  it('is read however it is written', async () => {
    const till = await Till.open(app);
    await till.card('Zoe\u0308');
    await till.card('=1+1');
    await till.card("'=2");
    await till.card('a,"b"');
    const file =
      '\ufeff balance ,identifier\r\n 1 ,ada\r\n\r\n"002","Zoë"\r\n3,\'=1+1\r\n4,\'\'=2\r\n5,"a,""b"""';
    const report = await importFile(till, file);
    assert.deepEqual(
      report.results.map(({ line, after: balance }: Json) => [line, balance]),
      [
        [2, 1],
        [4, 2],
        [5, 3],
        [6, 4],
        [7, 5],
      ],
    );
    assert.equal((await till.holder("'=2")).balance, 4);
    assert.equal((await importFile(till, fileOf({ '=1+1': 9 }))).results[0].before, 3, 'written by others');
  });

  it('turns stamps into rewards as an award does', async () => {
    const till = await Till.open(app, threeStamps);
    await till.earn(1);
    const report = await importFile(till, fileOf({ ada: 8 }));
    assert.deepEqual(storyOf(report), ['2 changed 1 → 2 (+7)']);
    const { balance, pendingRewards } = await till.holder();
    assert.deepEqual([balance, pendingRewards], [2, 2]);
    assert.deepEqual(storyOf(await importFile(till, fileOf({ ada: 2 }))), ['2 unchanged 2 → 2 (+0)']);
    assert.deepEqual(storyOf(await importFile(till, fileOf({ ada: 304 }))), ['2 refused invalid_request']);
    await till.assertSound();
  });

  it('pays a debt, and counts nothing that has expired', async () => {
    const till = await Till.open(app, { ...coffee, expiry: { months: 1 } });
    const earned = await till.earn(10);
    await till.redeem();
    await till.reverse(earned);
    assert.deepEqual(storyOf(await importFile(till, fileOf({ ada: 4 }))), ['2 changed -10 → 4 (+14)']);
    app.advance(40 * 86_400_000);
    const report = await importFile(till, fileOf({ ada: 3 }));
    assert.deepEqual(storyOf(report), ['2 changed 0 → 3 (+3)']);
    assert.equal((await till.holder()).balance, 3);
    await till.assertSound();
  });

  it('stands once in the audit log, and its entries bear the key of the caller', async () => {
    const till = await Till.open(app);
    await till.card('bob');
    const key = randomUUID();
    await importFile(till, fileOf({ ada: 1, bob: 2 }), { key });
    await importFile(till, fileOf({ ada: 1, bob: 2 }), { key });
    const audits = await till.audits('importBalances');
    assert.deepEqual(
      audits.map(({ target, detail }) => [target, detail]),
      [[till.program.programId, { lines: 2, externalRef: key }]],
    );
    const [entry] = await till.entries();
    assert.deepEqual([entry.kind, entry.externalRef, entry.points], ['import', key, 1]);
  });
});

describe('a line that cannot be applied', () => {
  it('is refused alone', async () => {
    const till = await Till.open(app);
    const other = await Till.open(app);
    const second = await makePass(till.client);
    const elsewhere = (await till.client.post(`/passes/${second.passId}/instances`, {})).body;
    const gone = await till.card('gone');
    await till.void(gone);
    const { instanceId } = till.ada;
    const lines: [cells: string, outcome: string][] = [
      [`ada,,,-1`, 'invalid_request'],
      [`ada,,,-0`, 'invalid_request'],
      [`ada,,,'-5`, 'invalid_request'],
      [`ada,,,`, 'invalid_request'],
      [`ada,,,1.5`, 'invalid_request'],
      [`ada,,,1e3`, 'invalid_request'],
      [`ada,,,0x10`, 'invalid_request'],
      [`ada,,,+5`, 'invalid_request'],
      [`ada,,,"1,000"`, 'invalid_request'],
      [`ada,,,٣`, 'invalid_request'],
      [`ada,,,${most + 1}`, 'invalid_request'],
      [`ada,,,${'9'.repeat(400)}`, 'invalid_request'],
      [`ada,,5`, 'invalid_request'],
      [`ada,,,5,`, 'invalid_request'],
      [`,,,5`, 'invalid_request'],
      [`nobody,,,5`, 'holder_not_found'],
      [`gone,,,5`, 'instance_voided'],
      [`,,NOBODY,5`, 'instance_not_found'],
      [`,inst_nonsense,,5`, 'instance_not_found'],
      [`,${encodeId('inst', newUuidV7())},,5`, 'instance_not_found'],
      [`,${elsewhere.instanceId},,5`, 'instance_not_found'],
      [`,${other.ada.instanceId},,5`, 'forbidden'],
      [`,${instanceId},,${most}`, 'changed'],
      [`ada,,,5`, 'invalid_request'],
      [`,,${till.ada.barcode},5`, 'invalid_request'],
    ];
    const file = `identifier,instanceId,barcode,balance\n${lines.map(([cells]) => `${cells}\n`).join('')}`;
    const report = await importFile(till, file);
    const found = report.results.map(({ status, error }: Json, at: number) => [
      lines[at]?.[0],
      error?.code ?? status,
    ]);
    assert.deepEqual(found, lines);
    assert.match(report.results[0].error.error, /from 0 to 9007199254740991/);
    assert.match(report.results.at(-1).error.error, /Line 24 names the same card/);
    assert.equal((await till.holder()).balance, most);
    assert.equal((await other.holder()).balance, 0);
    await till.assertSound();
  });

  it('says how many cards carry a shared barcode', async () => {
    const till = await Till.open(app, coffee, { design: { barcode: { mode: 'simple', value: 'CLUB' } } });
    assert.equal((await importFile(till, 'barcode,balance\nCLUB,3\n')).changed, 1);
    await till.card('bob');
    const { results } = await importFile(till, 'barcode,balance\nCLUB,4\n');
    assert.deepEqual([results[0].error.code, results[0].error.matchCount], ['ambiguous_barcode', 2]);
  });

  it('may confirm what a voided card has, and no more', async () => {
    const till = await Till.open(app);
    await till.earn(5);
    await till.void();
    const report = await importFile(till, `instanceId,balance\n${till.ada.instanceId},5\n`);
    assert.deepEqual(storyOf(report), ['2 unchanged 5 → 5 (+0)']);
  });
});

describe('a file of a spreadsheet', () => {
  const files = [
    ['a line that names the delimiter', 'sep=;\nidentifier;balance\nada;7\n'],
    ['semicolons, and headings in any case', 'Name, first;Identifier;BALANCE\nA, B;ada;7\n'],
    ['tabs', 'identifier\tnote\tbalance\nada\t"a\nb"\t7\n'],
    ['blanks around its balance', 'identifier,balance\nada, 7 \n'],
    ['texts that look like numbers', 'identifier,balance\n="ada",="7"\n'],
  ] as const;
  for (const [what, file] of files)
    it(`is read with ${what}`, async () => {
      const till = await Till.open(app);
      assert.equal((await importFile(till, file)).changed, 1);
      assert.equal((await till.holder()).balance, 7);
    });

  it('has no line applied whose number was rounded', async () => {
    const till = await Till.open(app);
    const { results } = await importFile(till, 'barcode,balance\n4.00638E+12,7\n');
    assert.match(results[0].error.error, /barcode: a spreadsheet has rounded it to 4.00638E\+12/);
  });

  it('reports how its cells were separated', async () => {
    const till = await Till.open(app);
    assertRefused(await sendFile(till, 'ada;7\n'), 'invalid_request', /separated by ","/);
    assertRefused(
      await sendFile(till, 'sep=;\nidentifier;points\nada;7\n'),
      'invalid_request',
      /separated by ";"/,
    );
  });
});

describe('a file that is none', () => {
  const files: readonly (readonly [what: string, file: string, message: RegExp])[] = [
    ['of blank lines', '\n\n', /line 1: the file is empty/],
    ['without a header', 'ada,5\nbob,6\n', /line 1: the header has no column "balance"/],
    ['without balances', '\nidentifier,Balances\nada,5\n', /line 2: the header has no column "balance"/],
    ['without cards', 'name,balance\nada,5\n', /none of the columns instanceId, identifier, barcode/],
    ['with a column twice', 'identifier,balance,balance\nada,5,6\n', /"balance" is there twice/],
    [
      'with a quote that is not closed',
      'identifier,balance\nada,5\n"bob,6\n',
      /a quote is opened and not closed/,
    ],
    ['with a quote in a cell', 'identifier,balance\nada,5\nb"ob,6\n', /line 3: a quote stands within/],
    ['of one endless line', `identifier,balance${','.repeat(100_000)}`, /line 1: at most 1000 cells/],
    ['with a NUL', 'identifier,balance\nada\0,5\n', /NUL/],
  ];
  for (const [what, file, message] of files) {
    it(`is refused as a whole: ${what}`, async () => {
      const till = await Till.open(app);
      const { digest } = await till.snapshot();
      assertRefused(await sendFile(till, file), 'invalid_request', message);
      assert.equal((await till.snapshot()).digest, digest);
    });
  }

  it('is refused when it is missing, no CSV, too large or too long', async () => {
    const till = await Till.open(app);
    const path = `/loyalty/programs/${till.program.programId}/balances`;
    assertRefused(
      await till.client.post(path),
      'invalid_request',
      /no body; send one with Content-Type: text\/csv/,
    );
    assertRefused(await till.client.post(path, 'a,b'), 'unsupported_media_type', /text\/csv/);
    assertRefused(await sendFile(till, 'x'.repeat(5 * 2 ** 20 + 1)), 'request_too_large');
    assertRefused(
      await till.client.post(`${path}?dryRun=1`, fileOf({}), { headers: { 'content-type': 'text/csv' } }),
      'invalid_request',
    );
    const tooLong = `identifier,balance\n${'ada,5\n'.repeat(20_001)}`;
    assertRefused(await sendFile(till, tooLong), 'invalid_request', /line 20002: at most 20000 lines/);
    assert.equal((await till.holder()).balance, 0);
    assert.deepEqual(await till.audits('importBalances'), []);
  });

  it('bears what is within the limits: 5 MiB, 20,000 lines', async () => {
    const till = await Till.open(app);
    const lines = Array.from({ length: 19_999 }, (_, at) => `nobody-${at},1,${'x'.repeat(230)}\n`);
    const file = `identifier,balance,note\n${lines.join('')}ada,5,${'x'.repeat(10_000)}\n`;
    assert.ok(file.length > 4.5 * 2 ** 20 && file.length < 5 * 2 ** 20, `${file.length}`);
    const report = await importFile(till, file);
    assert.deepEqual([report.lines, report.changed, report.refused], [20_000, 1, 19_999]);
    assert.equal((await till.holder()).balance, 5);
  });
});

describe('a dry run', () => {
  it('answers the same report and changes no row', async () => {
    const till = await Till.open(app, threeStamps);
    await till.card('bob');
    const eve = await till.card('eve');
    await till.earn(2, { identifier: 'eve' });
    const file = fileOf({ ada: 8, bob: 0, eve: 1, nobody: 3, x: -1 });
    const { digest } = await till.snapshot();
    const dry = await importFile(till, file, { dryRun: true, key: 'once' });
    assert.equal((await till.snapshot()).digest, digest);
    assert.deepEqual(await till.audits('importBalances'), []);
    const real = await importFile(till, file, { key: 'once' });
    assert.deepEqual(dry.results, real.results);
    assert.deepEqual(await till.story(eve), ['earn +2 = 2', 'import -1 = 1']);
    const repeat = await importFile(till, file, { dryRun: true, key: 'once' });
    assert.deepEqual(storyOf(repeat)[0], '2 changed 2 → 2 (+6)', 'it takes no notice of the key');
  });
});

describe('who may import', () => {
  it('keys that reach the pass and may write', async () => {
    const till = await Till.open(app);
    const other = await makePass(till.client);
    const { client: own } = await makeKey(till.client, { passIds: [till.passId] });
    const { client: foreign } = await makeKey(till.client, { passIds: [other.passId] });
    const { client: reader } = await makeKey(till.client, { access: 'read' });
    const { client: stranger } = await app.newWorkspace();
    const file = fileOf({ ada: 5 });
    await importFile(till, file, { by: own, key: 'k' });
    for (const by of [foreign, reader])
      assertRefused(await sendFile(till, file, { by, key: 'k' }), 'insufficient_scope');
    assertRefused(await sendFile(till, file, { by: stranger, key: 'k' }), 'forbidden');
  });
});

describe('a repeat with its key', () => {
  it('answers the same report, and wipes nothing that was earned or spent since', async () => {
    const till = await Till.open(app);
    await till.card('bob');
    const file = fileOf({ ada: 5, bob: 0, nobody: 1 });
    const first = await importFile(till, file, { key: 'jan' });
    await till.earn(3);
    await till.earn(4, { identifier: 'bob' });
    assert.deepEqual(await importFile(till, file, { key: 'jan' }), first);
    assert.equal((await till.holder()).balance, 8);
    assert.equal((await till.holder('bob')).balance, 4, 'unchanged is an outcome too');
    await till.card('nobody');
    const later = await importFile(till, file, { key: 'jan' });
    assert.equal(later.results[2].status, 'changed', 'what was refused is tried again');
    assert.deepEqual(storyOf(await importFile(till, file))[0], '2 changed 8 → 5 (-3)', 'without a key anew');
  });

  it('refuses a line with another figure, and the file of another program', async () => {
    const till = await Till.open(app);
    await importFile(till, fileOf({ ada: 5 }), { key: 'k' });
    const report = await importFile(till, fileOf({ ada: 6 }), { key: 'k' });
    assert.deepEqual(storyOf(report), ['2 refused external_ref_reused']);
    assert.doesNotMatch(JSON.stringify(report), /\\t/);
    const { passId } = await makePass(till.client);
    const { programId } = (await till.client.post('/loyalty/programs', { ...coffee, passId })).body;
    const there = `/loyalty/programs/${programId}/balances`;
    const headers = { 'content-type': 'text/csv', 'idempotency-key': 'k' };
    assertRefused(await till.client.post(there, fileOf({ ada: 5 }), { headers }), 'external_ref_reused');
  });

  it('does each line once when it is sent many times at once', async () => {
    const till = await Till.open(app);
    const names = await inParallel(
      150,
      async (at) => (await till.card(`c${at}`)).holder.identifier as string,
    );
    const file = fileOf(Object.fromEntries(names.map((name, at) => [name, at + 1])));
    const reports = await inParallel(4, () => importFile(till, file, { key: 'k' }));
    for (const report of reports) assert.deepEqual(report, reports[0]);
    assert.equal(reports[0].changed, 150);
    assert.equal((await till.summary()).adjusted, (150 * 151) / 2);
    await till.assertSound();
  });

  it('finishes what a killed process has begun', async () => {
    const till = await Till.open(app);
    const count = 1_000;
    const instances = Array.from({ length: count }, (_, at) => ({ holder: { identifier: `c${at}` } }));
    const { body } = await till.client.post(`/passes/${till.passId}/instances/batch`, { instances });
    // Without its last card the import cannot end before the kill.
    const letGo = await lockCard(body.results[count - 1].instance);
    const service = new ServiceProcess(await freePort(), {
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.config.dataDir,
      PUBLIC_URL: app.config.publicUrl,
      RATE_LIMIT_PER_SECOND: '100000',
    });
    after(() => service.end('SIGKILL'));
    await service.start();
    const by = new Client(service.url, app.config.publicUrl, till.client.secret);
    const file = fileOf(Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, 5])));
    const cut = sendFile(till, file, { by, key: 'k' }).then(
      () => 'answered',
      () => 'cut',
    );
    const applied = async () =>
      (
        await app.sql('select 1 from loyalty_accounts where program_id = $1', [
          decodeId('prog', till.program.programId),
        ])
      ).length;
    while ((await applied()) < 200) await sleep(5);
    await service.end('SIGKILL');
    assert.equal(await cut, 'cut');
    await letGo();
    await till.earn(2, { identifier: 'c0' });
    const report = await importFile(till, file, { key: 'k' });
    assert.equal(report.changed, count);
    const isFirst = (await till.holder('c0')).balance;
    assert.ok(isFirst === 7 || (isFirst === 5 && report.results[0].before === 2), `${isFirst}`);
    assert.equal((await till.holder(`c${count - 1}`)).balance, 5);
    assert.equal((await till.audits('importBalances')).length, 1);
    await till.assertSound();
  });
});

describe('awards during an import', () => {
  it('are lost neither before nor after their line', async () => {
    const till = await Till.open(app, coffee, { credits: 0 });
    const names = Array.from({ length: 60 }, (_, at) => `c${at}`);
    await Promise.all(names.map((name) => till.card(name)));
    const awards = names.flatMap((identifier) =>
      [1, 10].map((points) => () => till.earn(points, { identifier })),
    );
    const [report] = await Promise.all([
      importFile(till, fileOf(Object.fromEntries(names.map((name) => [name, 1_000])))),
      ...awards.map((award) => award()),
    ]);
    for (const [at, identifier] of names.entries()) {
      const { before } = report.results[at];
      const later = 11 - before;
      assert.equal((await till.holder(identifier)).balance, 1_000 + later, `${identifier}: ${before} before`);
    }
    await till.assertSound();
  });

  it('may take long: a line that another transaction delays is tried again', async () => {
    const till = await Till.open(app);
    await till.card('bob');
    const letGo = await lockCard(till.ada);
    const sent = importFile(till, fileOf({ ada: 5, bob: 6 }));
    // Longer than the line waits for the lock, with its batch and then alone.
    await sleep(4_400);
    await letGo();
    assert.equal((await sent).changed, 2);
  });

  it('wait for their own card only', async () => {
    const till = await Till.open(app);
    await till.card('bob');
    const lock = `select from instances where instance_id = '${decodeId('inst', till.ada.instanceId)}' for update`;
    await till.behindLock(
      lock,
      [() => sendFile(till, fileOf({ ada: 5 }))],
      [
        async () => {
          const reply = await till.earn(2, { identifier: 'bob' });
          assert.equal(reply.status, 200);
          return reply;
        },
      ],
    );
    assert.equal((await till.holder()).balance, 5);
  });
});

/** Holds a card from outside; what it answers lets go of it. */
async function lockCard({ instanceId }: Json): Promise<() => Promise<void>> {
  const other = new pg.Client({ connectionString: app.databaseUrl });
  await other.connect();
  await other.query('begin');
  await other.query('select from instances where instance_id = $1 for update', [
    decodeId('inst', instanceId),
  ]);
  return () => other.end();
}

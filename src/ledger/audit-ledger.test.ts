import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inParallel, makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import { auditLedgers } from './audit-ledger.job.ts';
import { auditLedger } from './audit-ledger.ts';
import { makeLedger, publicAccount, type TestLedger } from './ledger.fixture.ts';
import type { Finding } from './recount.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const app = await startTestApp({ WORKERS: 'off' });
const { database } = app.running.app;
const ctx = { app: app.running.app, requestId: 'job' };

const audit = ({ workspaceId }: TestLedger) => auditLedger(database, workspaceId, app.running.app.now);

/** What an audit finds after `statement`, for which $1 is the account. */
async function findings(statement: string): Promise<{ found: readonly Finding[]; account: string }> {
  const ledger = await makeLedger(app);
  const accountId = await ledger.addAccount();
  await ledger.addAccount();
  assert.deepEqual((await audit(ledger)).findings, []);
  await ledger.damage(statement, statement.includes('$1') ? [accountId] : []);
  return { found: (await audit(ledger)).findings, account: publicAccount(accountId) };
}

const ofAccount = 'where account_id = $1';

describe('an audit of an honest ledger', () => {
  it('finds nothing, and counts all', async () => {
    const ledger = await makeLedger(app);
    await inParallel(3, () => ledger.addAccount());
    const { accounts, entries, findings } = await audit(ledger);
    assert.deepEqual({ accounts, entries, findings }, { accounts: 3, entries: 12, findings: [] });
    const [row] = await app.sql(
      'select accounts, entries, findings from ledger_audits where workspace_id = $1',
      [ledger.workspaceId],
    );
    assert.deepEqual(row, { accounts: '3', entries: '12', findings: [] });
  });

  it('finds nothing in an empty one', async () => {
    const ledger = await makeLedger(app);
    assert.deepEqual((await audit(ledger)).findings, []);
  });

  it('finds nothing while points are earned', async () => {
    const ledger = await makeLedger(app);
    const accounts = await inParallel(8, () => ledger.addAccount());
    let isOver = false;
    const earning = inParallel(4, async (lane) => {
      while (!isOver) await ledger.earn(accounts[lane * 2 + Math.round(Math.random())] ?? '');
    });
    for (let run = 0; run < 30; run++) assert.deepEqual((await audit(ledger)).findings, []);
    isOver = true;
    await earning;
    const { entries } = await audit(ledger);
    assert.ok(entries > 32, 'entries were made during the audit');
  });

  it('finds nothing while tills use it, nor when they are done', async () => {
    const { workspaceId, client } = await app.newWorkspace('pro', 100_000);
    const programs = await inParallel(2, async (index) => {
      const { passId } = await makePass(client);
      const { body } = await client.post('/loyalty/programs', {
        passId,
        ...(index === 0
          ? { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, expiry: { months: 1 } }
          : { mode: 'STAMPS', reward: { title: 'Coffee' }, threshold: 3 }),
      });
      await client.patch(`/loyalty/programs/${body.programId}`, { status: 'active' });
      const cards = await inParallel(4, () => makeCard(client, passId));
      return { passId, cards: cards.map((card) => card.instanceId) };
    });
    let isOver = false;
    const statuses = new Set<number>();
    const trading = inParallel(8, async (lane) => {
      const { passId, cards } = programs[lane % 2] ?? { passId: '', cards: [] };
      for (let turn = 0; !isOver; turn++) {
        const body = { passId, instanceId: cards[turn % 4] };
        const earned = await client.post('/loyalty/points', { ...body, points: (turn % 7) + 1 });
        const redeemed = await client.post('/loyalty/redeem', body);
        const adjusted = await client.post('/loyalty/adjust', { ...body, points: -1, reason: 'Spilt' });
        const undone = turn % 3 === 0 ? earned : redeemed;
        const reversed =
          undone.status < 300 && (await client.post(`/loyalty/entries/${undone.body.entryId}/reverse`, {}));
        for (const reply of [earned, redeemed, adjusted, reversed]) if (reply) statuses.add(reply.status);
      }
    });
    const uuid = decodeId('ws', workspaceId) ?? '';
    let counted = 0;
    for (let run = 0; run < 20; run++) {
      const { findings, entries } = await auditLedger(database, uuid, app.running.app.now);
      assert.deepEqual(findings, []);
      counted = entries;
    }
    isOver = true;
    await trading;
    const { findings, entries } = await auditLedger(database, uuid, app.running.app.now);
    assert.deepEqual(findings, []);
    assert.ok(counted > 0 && entries > counted, 'entries were made during the audit');
    assert.ok(
      [...statuses].every((status) => [200, 202, 409].includes(status)),
      [...statuses].join(),
    );
  });

  it('counts more accounts than one step takes', async () => {
    const ledger = await makeLedger(app);
    await ledger.addAccount();
    await ledger.damage(
      `insert into loyalty_accounts (workspace_id, account_id, program_id, instance_id, created_at)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), now() from generate_series(1, 1250)`,
      [ledger.workspaceId, ledger.programId],
    );
    const { accounts, entries, findings } = await audit(ledger);
    assert.deepEqual({ accounts, entries, findings }, { accounts: 1251, entries: 4, findings: [] });
  });
});

describe('an audit finds', () => {
  /** Rule, damage, and what the audit says of it: expected, found. */
  const damages: readonly (readonly [rule: string, statement: string, expected: string, found: string])[] = [
    ['seq', `update loyalty_accounts set seq = 5 ${ofAccount}`, '4', '5'],
    ['lifetime_points', `update loyalty_accounts set lifetime_points = 99 ${ofAccount}`, '100', '99'],
    ['pending_rewards', `update loyalty_accounts set pending_rewards = 0 ${ofAccount}`, '1', '0'],
    ['pending_rewards', `delete from rewards ${ofAccount}`, '0', '1'],
    [
      'next_expiry',
      `update loyalty_accounts set next_expiry_at = '2030-01-01Z' ${ofAccount}`,
      'none',
      '2030-01-01T00:00:00.000000Z',
    ],
    [
      'chain',
      `update loyalty_entries set balance = 71 ${ofAccount} and seq = 2`,
      'entry 2 with balance 70',
      'entry 2 with balance 71',
    ],
    [
      'program',
      `update loyalty_entries set program_id = workspace_id ${ofAccount} and seq = 2`,
      'entries of its program',
      'entries of another',
    ],
    [
      'lot_uses',
      `update loyalty_lot_uses set amount = 31 ${ofAccount} and seq = 2`,
      '11 taken from the lot of infinity',
      '10',
    ],
    [
      'lot_expired',
      `update loyalty_lots set expired = 5 ${ofAccount}`,
      '0 expired of the lot of infinity',
      '5',
    ],
    [
      'lot_expired',
      `update loyalty_entries set kind = 'expire' ${ofAccount} and seq = 4`,
      '10 expired of the lot of infinity',
      '0',
    ],
    ['lots', `update loyalty_lots set original = 91, remaining = 81 ${ofAccount}`, '90', '81'],
    ['account_missing', `delete from loyalty_accounts ${ofAccount}`, 'an account', '4 entries of none'],
    [
      'one_reversal',
      `update loyalty_entries set reversal_of = 4 ${ofAccount} and seq = 3`,
      'at most one reversal of entry 4',
      'entry 3 reverses nothing',
    ],
  ];
  for (const [rule, statement, expected, found] of damages) {
    it(`${rule}: ${statement}`, async () => {
      const result = await findings(statement);
      const ofRule = result.found.find((finding) => finding.rule === rule);
      assert.ok(ofRule, JSON.stringify(result.found));
      const { instanceId, ...rest } = ofRule;
      assert.deepEqual(rest, { rule, id: result.account, expected, found });
      assert.match(instanceId ?? '', /^inst_/);
      assert.ok(result.found.every(({ id }) => id === result.account || id.startsWith('prog_')));
    });
  }

  it('balance: an account and its newest entry that agree on more than the sum', async () => {
    const { found } = await findings(
      `with e as (update loyalty_entries set balance = 95 ${ofAccount} and seq = 4)
       update loyalty_accounts set balance = 95 ${ofAccount}`,
    );
    assert.deepEqual(
      found.filter(({ rule }) => rule === 'balance').map(({ expected, found }) => [expected, found]),
      [['90', '95']],
    );
  });

  it('one_reversal: an entry that is reversed twice', async () => {
    const ledger = await makeLedger(app);
    const accountId = await ledger.addAccount();
    await ledger.damage('update loyalty_entries set reversal_of = 2 where account_id = $1 and seq = 4', [
      accountId,
    ]);
    const { findings } = await audit(ledger);
    const found = findings.filter(({ rule }) => rule === 'one_reversal');
    assert.deepEqual(
      found.map(({ expected, found }) => [expected, found]),
      [['at most one reversal of entry 2', '2 of them']],
    );
  });

  it('chain: a missing entry', async () => {
    const { found } = await findings(`delete from loyalty_entries ${ofAccount} and seq = 3`);
    assert.deepEqual(
      found.filter(({ rule }) => rule === 'chain').map(({ expected, found }) => [expected, found]),
      [['entry 3 with balance 60', 'entry 4 with balance 90']],
    );
  });

  it('program_totals: what differs from the entries, and from the balances', async () => {
    const ledger = await makeLedger(app);
    await inParallel(2, () => ledger.addAccount());
    await ledger.damage(
      'update program_totals set issued = 201, adjusted = -1, outstanding = 179 where program_id = $1',
      [ledger.programId],
    );
    const id = encodeId('prog', ledger.programId);
    assert.deepEqual((await audit(ledger)).findings, [
      { rule: 'program_totals', id, expected: 'issued 200', found: 'issued 201' },
      { rule: 'program_totals', id, expected: 'adjusted 0', found: 'adjusted -1' },
      { rule: 'program_totals', id, expected: 'outstanding 180', found: 'outstanding 179' },
    ]);
  });

  it('one hundred things at most', async () => {
    const ledger = await makeLedger(app);
    await ledger.damage(
      `insert into loyalty_accounts (workspace_id, account_id, program_id, instance_id, balance, created_at)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), 1, now() from generate_series(1, 700)`,
      [ledger.workspaceId, ledger.programId],
    );
    const { accounts, findings } = await audit(ledger);
    assert.deepEqual([accounts, findings.length], [700, 100]);
  });
});

describe('the nightly audit', () => {
  const turns = async () => {
    let count = 0;
    while (await auditLedgers(ctx)) count += 1;
    return count;
  };
  const auditsOf = async ({ workspaceId }: TestLedger) =>
    Number(
      (await app.sql('select count(*) from ledger_audits where workspace_id = $1', [workspaceId]))[0]?.count,
    );

  it('recounts each ledger once a day, however many workers there are', async () => {
    const ledgers = await inParallel(3, () => makeLedger(app));
    await inParallel(3, async (index) => ledgers[index]?.addAccount());
    await inParallel(3, turns);
    assert.deepEqual(await Promise.all(ledgers.map(auditsOf)), [1, 1, 1]);
    app.advance(23 * 3_600_000);
    await turns();
    assert.deepEqual(await Promise.all(ledgers.map(auditsOf)), [1, 1, 1]);
    app.advance(3_600_000);
    await inParallel(3, turns);
    assert.deepEqual(await Promise.all(ledgers.map(auditsOf)), [2, 2, 2]);
    assert.deepEqual(await app.sql('select * from ledger_recounts'), []);
  });

  it('goes on where a worker that died has stopped', async () => {
    const ledger = await makeLedger(app);
    await ledger.addAccount();
    assert.equal(await auditLedgers(ctx), true, 'the recount begins');
    assert.equal(await auditLedgers(ctx), true, 'the accounts are counted');
    const [row] = await app.sql('select stage, accounts, entries from ledger_recounts');
    assert.deepEqual(row, { stage: 'programs', accounts: '1', entries: '4' });
    await turns();
    assert.equal(await auditsOf(ledger), 1);
  });

  it('shows what it found in /metrics, until an audit finds it no more', async () => {
    app.advance(25 * 3_600_000);
    const ledger = await makeLedger(app);
    const accountId = await ledger.addAccount();
    await ledger.damage('update loyalty_accounts set lifetime_points = 1 where account_id = $1', [accountId]);
    await turns();
    const shown = async () =>
      (await (await fetch(`${app.url}/metrics`)).text()).match(/^ledger_findings.*$/gm) ?? [];
    assert.ok((await shown()).some((line) => line.startsWith('ledger_findings{rule="lifetime_points"} ')));
  });

  it('forgets audits after 400 days', async () => {
    const ledger = await makeLedger(app);
    await audit(ledger);
    app.advance(401 * 86_400_000);
    await audit(ledger);
    assert.equal(await auditsOf(ledger), 1);
  });
});

describe('punchcard audit', () => {
  const run = (...args: string[]) =>
    new Promise<{ code: number; printed: string; complained: string }>((resolve) => {
      const env = { PATH: process.env.PATH, DATABASE_URL: app.databaseUrl, DATA_DIR: app.config.dataDir };
      execFile(process.execPath, [main, 'audit', ...args], { env }, (error, printed, complained) =>
        resolve({ code: error === null ? 0 : Number(error.code), printed, complained }),
      );
    });

  it('recounts one workspace', async () => {
    const ledger = await makeLedger(app);
    await ledger.addAccount();
    const { code, printed, complained } = await run('--workspace', ledger.publicId);
    assert.equal(complained, '');
    assert.equal(printed, `✓ ${ledger.publicId} "Blue Bean": 1 accounts, 4 entries\n`);
    assert.equal(code, 0);
  });

  it('recounts all, prints what it finds, and fails', async () => {
    const ledger = await makeLedger(app);
    const accountId = await ledger.addAccount();
    await ledger.damage('update loyalty_accounts set pending_rewards = 2 where account_id = $1', [accountId]);
    const { code, printed } = await run();
    assert.match(
      printed,
      new RegExp(`^✗ ${ledger.publicId} "Blue Bean": 1 accounts, 4 entries, 1 findings$`, 'm'),
    );
    const where = `${publicAccount(accountId)} \\(inst_\\w{26}\\)`;
    assert.match(printed, new RegExp(`^ {4}pending_rewards {2}${where}: expected 1, found 2$`, 'm'));
    assert.equal(code, 1);
  });

  it('says that a workspace has no program', async () => {
    const { workspaceId } = await app.newWorkspace();
    const { code, printed, complained } = await run('--workspace', workspaceId);
    assert.deepEqual([code, printed], [1, '']);
    assert.match(complained, /^punchcard: No workspace with a loyalty program has the id "ws_\w+"\n$/);
  });
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inParallel } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { auditLedger } from './audit-ledger.ts';
import { exportSeals } from './export-seals.ts';
import { makeLedger, type TestLedger } from './ledger.fixture.ts';
import {
  type AccountLine,
  accountHash,
  type EntryLine,
  type LedgerLine,
  noHash,
  type SealLine,
  sealedFields,
} from './seal-bytes.ts';
import { sealLedgers } from './seal-ledger.job.ts';
import { type VerifiedLedger, verifySeals } from './verify-seals.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const app = await startTestApp({ WORKERS: 'off', LEDGER_SEALS: 'on' });
const ctx = { app: app.running.app, requestId: 'job' };
const minuteMs = 60_000;

/** As many turns as there are, a minute after the last ones. */
async function seal(): Promise<void> {
  app.advance(minuteMs + 1);
  while (await sealLedgers(ctx));
}

async function exported({ workspaceId }: TestLedger): Promise<LedgerLine[]> {
  return all(exportSeals(ctx.app.database.db, workspaceId));
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function verified(lines: readonly LedgerLine[], head: string | null = null): Promise<VerifiedLedger> {
  const ledgers = await all(
    verifySeals(
      lines.map((line) => JSON.stringify(line)),
      head,
    ),
  );
  assert.equal(ledgers.length, 1);
  return ledgers[0] as VerifiedLedger;
}

/** A ledger of three accounts and two seals: the second covers one more entry of the first account. */
async function sealedLedger(): Promise<{ ledger: TestLedger; accounts: string[] }> {
  const ledger = await makeLedger(app);
  const accounts = (await inParallel(3, () => ledger.addAccount())).sort();
  await seal();
  await ledger.earn(accounts[0] ?? '');
  await seal();
  return { ledger, accounts };
}

const { ledger, accounts } = await sealedLedger();
const honest = await exported(ledger);
const [first = '', second = ''] = accounts;

/** The honest export, changed. */
function changed(change: (lines: LedgerLine[]) => LedgerLine[]): LedgerLine[] {
  return change(structuredClone(honest));
}

const isEntry = (accountId: string, seq: number) => (line: LedgerLine) =>
  line.type === 'entry' && line.accountId === accountId && line.seq === String(seq);

const edited = (which: (line: LedgerLine) => boolean, edit: object) =>
  changed((lines) => lines.map((line) => (which(line) ? { ...line, ...edit } : line)));

describe('sealing', () => {
  it('covers each entry once, in seals that can be verified', async () => {
    const { seals, entries } = await verified(honest);
    assert.deepEqual([seals, entries], [2, 13]);
    assert.deepEqual(
      honest.filter((line): line is SealLine => line.type === 'seal').map((line) => line.entries),
      [12, 1],
    );
  });

  it('makes no seal without a new entry, and none when it is switched off', async () => {
    const before = (await exported(ledger)).length;
    await seal();
    assert.equal((await exported(ledger)).length, before);
    await ledger.earn(second);
    app.advance(minuteMs + 1);
    const off = { ...ctx, app: { ...ctx.app, config: { ...ctx.app.config, ledgerSeals: false } } };
    assert.equal(await sealLedgers(off), false);
    assert.equal((await exported(ledger)).length, before);
  });

  /** The walk over all accounts is at its end: the next turn finds new entries only by their ids. */
  const endWalk = ({ workspaceId }: TestLedger) =>
    app.sql(
      "update ledger_seal_turns set cursor = 'ffffffff-ffff-ffff-ffff-ffffffffffff' where workspace_id = $1",
      [workspaceId],
    );

  it('finds new entries by their ids', async () => {
    const recent = await makeLedger(app);
    const accountId = await recent.addAccount();
    await seal();
    for (const entries of [5, 6, 7]) {
      await recent.earn(accountId);
      await endWalk(recent);
      await seal();
      assert.equal((await verified(await exported(recent))).entries, entries);
    }
  });

  it('covers an entry that was committed after a seal that came later', async () => {
    const late = await makeLedger(app);
    const [slow, quick] = [await late.addAccount(), await late.addAccount()];
    await seal();
    const { promise: hold, resolve: commit } = Promise.withResolvers<void>();
    const open = late.earn(slow, hold);
    await late.earn(quick);
    await seal();
    await seal();
    assert.equal((await verified(await exported(late))).entries, 9);
    commit();
    await open;
    await endWalk(late);
    await seal();
    assert.equal((await verified(await exported(late))).entries, 10);
  });

  it('is done once, however many workers do it while points are earned', async () => {
    const busy = await makeLedger(app);
    const cards = await inParallel(4, () => busy.addAccount());
    let isOver = false;
    const earning = inParallel(2, async (lane) => {
      while (!isOver) await busy.earn(cards[lane * 2 + Math.round(Math.random())] ?? '');
    });
    for (let minute = 0; minute < 15; minute++) {
      app.advance(minuteMs + 1);
      await inParallel(3, () => sealLedgers(ctx));
    }
    isOver = true;
    await earning;
    await seal();
    const [row] = await app.sql(
      'select sum(seq)::int as entries from loyalty_accounts where workspace_id = $1',
      [busy.workspaceId],
    );
    const { seals, entries } = await verified(await exported(busy));
    assert.equal(entries, row?.entries);
    assert.ok(seals > 1);
    assert.deepEqual((await auditLedger(ctx.app.database, busy.workspaceId, ctx.app.now)).findings, []);
  });

  it('finds entries that it has overlooked by a walk over all accounts', async () => {
    const old = await makeLedger(app);
    const accountId = await old.addAccount();
    await seal();
    await old.earn(accountId);
    await old.damage(`update loyalty_entries set entry_id = overlay(entry_id::text placing '01800000' from 1)::uuid
      where account_id = '${accountId}' and seq = 5`);
    await seal();
    assert.equal((await verified(await exported(old))).entries, 5);
  });

  it('takes more accounts and entries than fit into one seal', async () => {
    const large = await makeLedger(app);
    await large.damage(
      `insert into loyalty_accounts (workspace_id, account_id, program_id, instance_id, seq, balance, created_at)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), case n when 1 then 20500 else 1 end, 1, now()
       from generate_series(1, 1100) n`,
      [large.workspaceId, large.programId],
    );
    await large.damage(
      `insert into loyalty_entries (workspace_id, account_id, program_id, instance_id, entry_id, seq, kind, points,
         balance, actor, occurred_at, created_at)
       select $1, account_id, program_id, instance_id, gen_random_uuid(), n, 'adjust', 0, 1, 'key_1', now(), now()
       from loyalty_accounts a, generate_series(1, a.seq) n where workspace_id = $1`,
      [large.workspaceId],
    );
    await seal();
    const lines = (await exported(large)).filter((line): line is SealLine => line.type === 'seal');
    assert.equal(
      lines.reduce((sum, line) => sum + line.entries, 0),
      21_599,
    );
    assert.ok(lines.length > 1 && lines.every((line) => line.entries <= 20_000));
  });

  it('leaves an account with a missing entry out, and goes on with the others', async () => {
    const broken = await makeLedger(app);
    const [one, other] = [await broken.addAccount(), await broken.addAccount()];
    await broken.damage('delete from loyalty_entries where account_id = $1 and seq = 2', [one]);
    await seal();
    await seal();
    const lines = await exported(broken);
    assert.equal((await verified(lines)).entries, 4);
    assert.ok(lines.every((line) => line.type !== 'account' || line.accountId === other));
  });
});

describe('the format', () => {
  it('hashes length-prefixed texts, as docs/LEDGER-SEALS.md says', () => {
    const text = (value: string) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(value));
      return [length, Buffer.from(value)];
    };
    const entry = honest.find(isEntry(first, 3)) as EntryLine;
    assert.equal(entry.reason, 'Zurück – 退款 🎁');
    const fields = sealedFields.flatMap((field) => {
      const value = entry[field];
      return value === null ? [Buffer.alloc(4, 0xff)] : text(value);
    });
    const made = createHash('sha256')
      .update(Buffer.concat([...text(noHash), ...fields]))
      .digest('hex');
    assert.equal(accountHash(noHash, [entry]), made);
  });

  it('reads exports of the first format, whose entries have no salt', async () => {
    const old = honest.map((line) => {
      if (line.type === 'ledger') return { ...line, format: 'punchcard-seals-1' };
      const { reasonSeal: _, ...entry } = line as EntryLine;
      return line.type === 'entry' ? (entry as EntryLine) : line;
    });
    const { entries, unproven } = await verified(old);
    assert.deepEqual([entries, unproven], [13, 0]);
  });

  it('has moments in UTC with microseconds, infinity, and null', () => {
    const entry = honest.find(isEntry(first, 1)) as EntryLine;
    assert.match(entry.createdAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.deepEqual([entry.expiresAt, entry.reason, entry.points], ['infinity', null, '100']);
  });
});

describe('a reason that is erased', () => {
  const salt = '00112233445566778899aabbccddeeff';
  const forget = 'update loyalty_entries set reason = null where account_id = $1 and reason is not null';

  async function sealedReason(reasonSeal: string | null): Promise<{ ledger: TestLedger; accountId: string }> {
    const own = await makeLedger(app);
    const accountId = await own.addAccount();
    await own.damage(
      "update loyalty_entries set reason_seal = decode($2, 'hex') where account_id = $1 and reason is not null",
      [accountId, reasonSeal],
    );
    await seal();
    await app.sql(forget, [accountId]);
    return { ledger: own, accountId };
  }

  it('leaves a digest, and all hashes as they were', async () => {
    const { ledger: own, accountId } = await sealedReason(salt);
    const lines = await exported(own);
    const entry = lines.find(isEntry(accountId, 3)) as EntryLine;
    const digest = createHash('sha256').update(salt, 'hex').update('Zurück – 退款 🎁').digest('hex');
    assert.deepEqual([entry.reason, entry.reasonSeal], [null, digest]);
    assert.deepEqual([(await verified(lines)).entries, (await verified(lines)).unproven], [4, 0]);
    assert.deepEqual((await auditLedger(ctx.app.database, own.workspaceId, ctx.app.now)).findings, []);

    const forged = { ...entry, reasonSeal: digest.replace(/./, (digit) => (digit === '0' ? '1' : '0')) };
    const changed = lines.map((line) => (line === entry ? forged : line));
    await assert.rejects(verified(changed), /: changed entry: one of the entries 1 to 4/);
    await own.damage('update loyalty_entries set reason_seal = $2 where account_id = $1 and seq = 3', [
      accountId,
      Buffer.alloc(32),
    ]);
    const { findings } = await auditLedger(ctx.app.database, own.workspaceId, ctx.app.now);
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      ['seal'],
    );
  });

  it('of a former version leaves a hash that nobody can make again, and balances that continue', async () => {
    const { ledger: own, accountId } = await sealedReason(null);
    const lines = await exported(own);
    assert.deepEqual([(await verified(lines)).entries, (await verified(lines)).unproven], [4, 4]);
    assert.deepEqual((await auditLedger(ctx.app.database, own.workspaceId, ctx.app.now)).findings, []);
    const changed = lines.map((line) => (isEntry(accountId, 2)(line) ? { ...line, points: '-20' } : line));
    await assert.rejects(verified(changed), /does not continue the entry before it/);
  });

  it('is all that changes: the database refuses the rest', async () => {
    const own = await makeLedger(app);
    const accountId = await own.addAccount();
    for (const change of ["reason = 'other'", 'points = 1', 'reason = null, points = 1', "reason_seal = ''"])
      await assert.rejects(
        app.sql(`update loyalty_entries set ${change} where account_id = $1`, [accountId]),
        /append-only/,
      );
    await app.sql(forget, [accountId]);
    await assert.rejects(
      app.sql('update loyalty_entries set reason = null where account_id = $1', [accountId]),
    );
    await assert.rejects(app.sql("update audit_log set detail = '{}' where detail <> '{}'"), /append-only/);
    await assert.rejects(app.sql("update audit_log set actor = 'nobody'"), /append-only/);
  });
});

describe('verification names the first thing wrong', () => {
  const isSeal = (seal: number) => (line: LedgerLine) => line.type === 'seal' && line.seal === seal;
  const without = (which: (line: LedgerLine) => boolean) =>
    changed((lines) => lines.filter((line) => !which(line)));
  const swapped = (one: (line: LedgerLine) => boolean, other: (line: LedgerLine) => boolean) =>
    changed((lines) => {
      const [a, b] = [lines.findIndex(one), lines.findIndex(other)];
      return lines.with(a, lines[b] as LedgerLine).with(b, lines[a] as LedgerLine);
    });
  const isAccount = (accountId: string) => (line: LedgerLine) =>
    line.type === 'account' && line.accountId === accountId;

  /** An attacker who changes an entry and makes the hash of its account again. */
  const forgedAccount = () => {
    const lines = edited(isEntry(second, 3), { reason: 'nothing' });
    const entries = lines.filter(
      (line): line is EntryLine => line.type === 'entry' && line.accountId === second,
    );
    return lines.map((line) =>
      isAccount(second)(line) ? { ...(line as AccountLine), hash: accountHash(noHash, entries) } : line,
    );
  };

  const cases: readonly (readonly [what: string, lines: () => LedgerLine[], says: RegExp])[] = [
    [
      'changed points',
      () => edited(isEntry(first, 2), { points: '-20' }),
      /: changed entry: entry 2 of account .* does not continue the entry before it \(100 and -20 is not 70\)$/,
    ],
    [
      'a changed reason',
      () => edited(isEntry(second, 3), { reason: null }),
      /: changed entry: one of the entries 1 to 4 of account /,
    ],
    [
      'another moment',
      () => edited(isEntry(first, 5), { occurredAt: '2026-01-01T00:00:00.000000Z' }),
      /: changed entry: entry 5 of account /,
    ],
    ['a missing entry', () => without(isEntry(second, 2)), /: missing entry: number 2 of account /],
    ['the newest entry missing', () => without(isEntry(first, 5)), /: missing entry: number 5 of account /],
    [
      'entries in another order',
      () => swapped(isEntry(first, 2), isEntry(first, 3)),
      /: reordered: entry 3 of account .* stands before entry 2$/,
    ],
    [
      'an entry twice',
      () => changed((lines) => lines.flatMap((line) => (isEntry(first, 2)(line) ? [line, line] : [line]))),
      /: extra entry: entry 2 of account .* is there twice, or reordered$/,
    ],
    [
      'an entry of nobody',
      () => changed((lines) => lines.toSpliced(1, 0, lines.find(isEntry(first, 2)) as LedgerLine)),
      /^line 2: extra entry: entry 2 of account .* belongs to no account that is sealed here$/,
    ],
    [
      'accounts in another order',
      () => swapped(isAccount(first), isAccount(second)),
      /: (missing|extra|reordered)/,
    ],
    ['a forged account', forgedAccount, /: forged seal: the hash of seal 1 is not that of what it covers/],
    [
      'a forged seal',
      () => edited(isSeal(1), { hash: 'ab'.repeat(32) }),
      /: forged seal: the hash of seal 1 /,
    ],
    [
      'a seal of another time',
      () => edited(isSeal(2), { sealedAt: '2026-01-01T00:00:00.000000Z' }),
      /: forged seal: the hash of seal 2 /,
    ],
    [
      'a seal of another count',
      () => edited(isSeal(2), { entries: 2 }),
      /: forged seal: 2 counts 2 entries and covers 1$/,
    ],
    ['a missing seal', () => without(isSeal(1)), /: (missing seal: 1|reordered: account)/],
    [
      'the newest seal missing',
      () => changed((lines) => lines.toSpliced(lines.length - 4, 3)),
      /: missing seal: the end names seal 2, and 1 is the last one$/,
    ],
    [
      'a file that was cut off',
      () => honest.slice(0, -1),
      /: cut off: the file ends before its ledger does$/,
    ],
    [
      'another workspace',
      () => edited((line) => line.type === 'ledger', { workspaceId: first }),
      /: forged seal/,
    ],
    ['an empty file', () => [], /^not an export: the file is empty$/],
    ['another file', () => [{ hello: 1 } as unknown as LedgerLine], /^line 1: not an export/],
  ];
  for (const [what, lines, says] of cases) {
    it(what, async () => {
      await assert.rejects(verified(lines()), (error: Error) => {
        assert.match(error.message, says);
        return true;
      });
    });
  }
});

describe('what was changed in the database', () => {
  const damaged = async (...statements: string[]) => {
    const { ledger, accounts } = await sealedLedger();
    for (const statement of statements) await ledger.damage(statement, [accounts[0]]);
    const { findings } = await auditLedger(ctx.app.database, ledger.workspaceId, ctx.app.now);
    const message = await verified(await exported(ledger)).then(
      () => 'nothing',
      (error: Error) => error.message,
    );
    return {
      seals: findings.filter(({ rule }) => rule === 'seal').map(({ expected, found }) => [expected, found]),
      message,
    };
  };

  it('points', async () => {
    const { seals, message } = await damaged(
      'update loyalty_entries set points = 101 where account_id = $1 and seq = 1',
    );
    assert.deepEqual(seals, [['entries 1 to 4 as seal 1 has them', 'other contents']]);
    assert.match(message, /changed entry: entry 1 /);
  });

  it('the newest entry deleted, and the account with it', async () => {
    const { seals, message } = await damaged(
      `with e as (delete from loyalty_entries where account_id = $1 and seq = 5)
       update loyalty_accounts set seq = 4, balance = 90, lifetime_points = 100 where account_id = $1`,
    );
    assert.deepEqual(seals, [['entries 5 to 5 as seal 2 has them', '0 entries']]);
    assert.match(message, /missing entry: number 5 /);
  });

  it('entries swapped', async () => {
    const { seals, message } = await damaged(
      'update loyalty_entries set seq = 1002 where account_id = $1 and seq = 3',
      'update loyalty_entries set seq = 3 where account_id = $1 and seq = 2',
      'update loyalty_entries set seq = 2 where account_id = $1 and seq = 1002',
    );
    assert.equal(seals.length, 1);
    assert.match(message, /changed entry: entry 2 /);
  });

  it('a reason', async () => {
    const { seals } = await damaged(
      `update loyalty_entries set reason = '' where account_id = $1 and seq = 2`,
    );
    assert.deepEqual(seals, [['entries 1 to 4 as seal 1 has them', 'other contents']]);
  });
});

describe('punchcard seals', () => {
  const run = (...args: string[]) =>
    new Promise<{ code: number; printed: string; complained: string }>((resolve) => {
      const env = { PATH: process.env.PATH, DATABASE_URL: app.databaseUrl, DATA_DIR: app.config.dataDir };
      execFile(
        process.execPath,
        [main, 'seals', ...args],
        { env, maxBuffer: 1e9 },
        (error, printed, complained) =>
          resolve({ code: error === null ? 0 : Number(error.code), printed, complained }),
      );
    });
  const file = join(app.config.dataDir, 'seals.ndjson');

  it('exports a workspace and verifies it, without a database', async () => {
    const { printed, code } = await run('export', '--workspace', ledger.publicId);
    assert.equal(code, 0);
    await writeFile(file, printed);
    const lines = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { head, seals, entries } = await verified(lines);
    const result = await run('verify', file);
    assert.equal(result.printed, `✓ ${ledger.publicId}: ${entries} entries, ${seals} seals, head ${head}\n`);
    assert.equal(result.code, 0);
    const [early] = lines.filter(({ type }) => type === 'seal');
    assert.equal((await run('verify', file, '--head', early.hash)).code, 0);
  });

  it('fails when a chain was made again from the beginning', async () => {
    const { ledger } = await sealedLedger();
    const { head } = await verified(await exported(ledger));
    for (const table of ['ledger_seal_accounts', 'ledger_seals', 'ledger_seal_turns'])
      await ledger.damage(`delete from ${table} where workspace_id = $1`, [ledger.workspaceId]);
    await seal();
    await writeFile(file, (await run('export', '--workspace', ledger.publicId)).printed);
    assert.equal((await run('verify', file)).code, 0);
    const { code, printed } = await run('verify', file, '--head', head);
    assert.equal(code, 1);
    assert.match(printed, /✗ no seal has the hash .*: the chain was made again, or ends before it\n$/);
  });

  it('fails on damage, with one line that names it', async () => {
    await writeFile(file, (await run('export')).printed.replace('"points":"-30"', '"points":"-29"'));
    const { code, printed } = await run('verify', file);
    assert.equal(code, 1);
    assert.match(printed, /^✗ line \d+: changed entry: entry 2 of account /m);
  });

  it('says that a file is not there, and that a head is none', async () => {
    assert.match((await run('verify', `${file}.no`)).complained, /^punchcard: ENOENT.*Check the path/);
    assert.match((await run('verify', file, '--head', 'x')).complained, /^punchcard: --head is a hash/);
  });
});

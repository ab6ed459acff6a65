import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeLedger } from '../src/ledger/ledger.fixture.ts';
import { sealLedgers } from '../src/ledger/seal-ledger.job.ts';
import { startTestApp, temporaryDataDir } from './harness.ts';
import { emptyDatabase, secretsOf } from './restored.ts';
import { succeed } from './run-command.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const operations = readFileSync(new URL('../docs/OPERATIONS.md', import.meta.url), 'utf8');
const section = operations.slice(operations.indexOf('## Sealing the ledger'));
const [weekly = '', doubted = '', compared = ''] = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(
  ([, block = '']) => block,
);

describe('docs/OPERATIONS.md, "Sealing the ledger"', async () => {
  const app = await startTestApp({ WORKERS: 'off', LEDGER_SEALS: 'on' });
  const folder = await temporaryDataDir();
  const settings = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.config.dataDir, ...(await secretsOf(app)) };
  const ledger = await makeLedger(app);
  const account = await ledger.addAccount();
  const restored = await emptyDatabase();

  async function seal(): Promise<void> {
    app.advance(60_001);
    while (await sealLedgers({ app: app.running.app, requestId: 'job' })) {}
  }

  function paste(block: string): Promise<{ code: number; said: string }> {
    const script = block
      .replaceAll('npm run -s punchcard --', `'${process.execPath}' '${main}'`)
      .replace('postgres://localhost/punchcard_before', restored.url);
    const env = {
      PATH: process.env.PATH,
      ...settings,
      WORKSPACE: ledger.publicId,
      BACKUP: join(folder, 'a.backup'),
    };
    return new Promise((resolve) =>
      execFile(
        'bash',
        ['--norc', '-c', `set -o pipefail\n${script}`],
        { env, cwd: folder },
        (error, out, complained) =>
          resolve({ code: error === null ? 0 : Number(error.code), said: out + complained }),
      ),
    );
  }

  it('proves that nothing was changed', async () => {
    await seal();
    const noted = await paste(weekly);
    assert.match(noted.said, /^✓ ws_\w+: 4 entries, 1 seals, head [0-9a-f]{64}\n$/);
    await ledger.earn(account);
    await seal();
    const later = await paste(doubted);
    assert.match(later.said, /^✓ ws_\w+: 5 entries, 2 seals, head /);
    assert.equal(later.code, 0);
  });

  it('shows that the books were changed and sealed again, and by a backup which entry', async () => {
    await succeed(['backup', join(folder, 'a.backup')], settings);
    await ledger.damage("update loyalty_entries set reason = 'other' where account_id = $1 and seq = 2", [
      account,
    ]);
    for (const table of ['ledger_seal_accounts', 'ledger_seals', 'ledger_seal_turns'])
      await ledger.damage(`delete from ${table} where workspace_id = $1`, [ledger.workspaceId]);
    await seal();
    const now = await paste(doubted);
    assert.match(now.said, /✗ no seal has the hash [0-9a-f]{64}: the chain was made again/);
    assert.equal(now.code, 1);
    const before = await paste(`HEAD=$(tail -n 1 heads.txt | grep -o '[0-9a-f]\\{64\\}')\n${compared}`);
    assert.match(before.said, /^✓ ws_\w+: 5 entries, 2 seals, head /m);
    const changed = before.said.split('\n').filter((line) => /^[<>] /.test(line));
    const entries = changed.map((line) => ({ side: line[0], ...JSON.parse(line.slice(2)) }));
    assert.deepEqual(
      entries.map(({ side, accountId, seq, reason }) => ({ side, accountId, seq, reason })),
      [
        { side: '<', accountId: account, seq: '2', reason: null },
        { side: '>', accountId: account, seq: '2', reason: 'other' },
      ],
    );
  });
});

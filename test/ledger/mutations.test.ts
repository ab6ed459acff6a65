import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Mutation, mutations } from './mutations.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const copies = await mkdtemp(join(tmpdir(), 'punchcard-mutants-'));
after(() => rm(copies, { recursive: true, force: true }));

/** Enough to find every bug, and the same each time. A run ends at its first failure. */
const size = { LEDGER_SEED: '20300129', LEDGER_SEQUENCES: '24', LEDGER_STEPS: '60', LEDGER_SHRINK_MS: '0' };
const timeout = 900_000;

describe('the property tests of the ledger', { concurrency: 2, timeout }, () => {
  it('pass on a copy of the service', async () => {
    const { passed, said } = await playOn(await copyOf(null), { LEDGER_SEQUENCES: '3' });
    assert.ok(passed, said);
  });

  for (const mutation of mutations) {
    it(`find out when ${mutation.name}`, async () => {
      const { passed, said } = await playOn(await copyOf(mutation), { LEDGER_WIDTHS: `${mutation.width}` });
      assert.ok(!passed, 'the tests pass with this bug: they are too weak');
      assert.match(said, /Property failed after/);
    });
  }
});

/** A copy of all that the property tests need, with the bug in it. */
async function copyOf(mutation: Mutation | null): Promise<string> {
  const folder = await mkdtemp(join(copies, 'copy-'));
  for (const part of ['src', 'db', 'docs', 'test', 'package.json', 'tsconfig.json'])
    await cp(join(project, part), join(folder, part), { recursive: true });
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
  if (mutation === null) return folder;
  for (const { file, text, replacement } of mutation.edits) {
    const parts = (await readFile(join(folder, file), 'utf8')).split(text);
    assert.equal(parts.length, 2, `${file} has this not once, but ${parts.length - 1} times: ${text}`);
    await writeFile(join(folder, file), parts.join(replacement));
  }
  return folder;
}

async function playOn(
  folder: string,
  settings: Record<string, string>,
): Promise<{ passed: boolean; said: string }> {
  // Said to be a child of a test run, it would answer in the runner's own language.
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const child = spawn(process.execPath, ['test/ledger/ledger.property.test.ts'], {
    cwd: folder,
    env: { ...environment, ...size, ...settings },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { passed: code === 0, said };
}

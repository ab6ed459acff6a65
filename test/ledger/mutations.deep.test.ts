import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Mutation, mutations } from './mutations.ts';

const plantMutation = new URL('plant-mutation.ts', import.meta.url).href;
const properties = fileURLToPath(new URL('ledger.property.test.ts', import.meta.url));

/** Enough to find every bug, and the same each time. A run ends at its first failure. */
const size = { LEDGER_SEED: '20300129', LEDGER_SEQUENCES: '24', LEDGER_STEPS: '60', LEDGER_SHRINK_MS: '0' };
const timeout = 900_000;

describe('the property tests of the ledger', { concurrency: 2, timeout }, () => {
  it('pass without any', async () => {
    const { passed, said } = await playWith(null, { LEDGER_SEQUENCES: '3' });
    assert.ok(passed, said);
  });

  for (const mutation of mutations) {
    it(`find out when ${mutation.name}`, async () => {
      const { passed, said } = await playWith(mutation, { LEDGER_WIDTHS: `${mutation.width}` });
      assert.ok(!passed, 'the tests pass with this bug: they are too weak');
      assert.match(said, /Property failed after/);
      assert.doesNotMatch(said, /the bug is not planted/);
    });
  }
});

/** Plays with the bug in the service. */
async function playWith(
  mutation: Mutation | null,
  settings: Record<string, string>,
): Promise<{ passed: boolean; said: string }> {
  // Said to be a child of a test run, it would answer in the runner's own language. What a bug makes of statements is not captured.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...environment } = process.env;
  const planting = mutation === null ? [] : [`--import=${plantMutation}`];
  const child = spawn(process.execPath, [...planting, properties], {
    env: {
      ...environment,
      ...size,
      ...settings,
      ...(mutation !== null && { LEDGER_MUTATION: mutation.name }),
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { passed: code === 0, said };
}

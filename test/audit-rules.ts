import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import type { Reply } from './client.ts';
import type { TestApp } from './harness.ts';

/** Operations that leave no line in the audit log, and what says instead who did it. */
export const withoutLine: Readonly<Record<string, string>> = {
  earnPoints: 'its entry in the ledger, which is append-only and has the actor',
  earnBatch: 'its entries in the ledger',
  loadValue: 'its entry in the ledger',
  chargeValue: 'its entry in the ledger',
  previewPoints: 'it changes nothing',
  previewDesign: 'it changes nothing',
  previewProgram: 'it changes nothing',
  processOrder: 'the order, and its entries in the ledger',
  testStore: 'it asks, and changes nothing that a caller could choose',
};

/** Items of a batch leave the lines of the operation that each of them is. */
const itemsOf: Readonly<Record<string, string>> = {
  issueBatch: 'issueInstance',
  importInstances: 'issueInstance',
  adjustBatch: 'adjustPoints',
  updateFieldsBatch: 'updateFields',
  voidBatch: 'voidInstance',
};

/**
 * Fails unless a request that was answered has left a line of its operation. What cannot succeed without the outside world
 * has at least to name its line in the source.
 */
export async function assertAudited(app: TestApp, op: string, reply: Reply): Promise<void> {
  const found = reply.status < 300 ? await actionsOf(app, reply) : await actionsInSource();
  const wanted = [op, itemsOf[op] ?? op];
  assert.ok(
    wanted.some((action) => found.has(action)),
    `${op} leaves no line in the audit log: call audit() in its verb, or say in test/audit-rules.ts what replaces it`,
  );
}

async function actionsOf(app: TestApp, reply: Reply): Promise<Set<string>> {
  const lines = await app.sql<{ action: string }>('select action from audit_log where request_id = $1', [
    reply.headers.get('x-request-id'),
  ]);
  return new Set(lines.map(({ action }) => action));
}

async function actionsInSource(): Promise<Set<string>> {
  const actions = new Set<string>();
  for await (const path of glob('src/**/*.ts')) {
    const text = path.endsWith('.test.ts') ? '' : await readFile(path, 'utf8');
    for (const [, action = ''] of text.matchAll(/\baction: '(\w+)'/g)) actions.add(action);
  }
  return actions;
}

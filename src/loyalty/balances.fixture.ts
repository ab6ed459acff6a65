import assert from 'node:assert/strict';
import type { Client, Json, Reply } from '../../test/client.ts';
import type { Till } from './till.fixture.ts';

interface How {
  readonly dryRun?: boolean;
  readonly key?: string;
  readonly by?: Client;
}

/** Sends a file of balances to the program of a till. */
export function sendFile(
  till: Till,
  file: string,
  { dryRun, key, by = till.client }: How = {},
): Promise<Reply> {
  const path = `/loyalty/programs/${till.program.programId}/balances${dryRun ? '?dryRun=true' : ''}`;
  return by.post(path, file, {
    headers: { 'content-type': 'text/csv', ...(key && { 'idempotency-key': key }) },
  });
}

/** The same, where the file is taken; the report, whose counts are those of its lines. */
export async function importFile(till: Till, file: string, how: How = {}): Promise<Json> {
  const { body, status, text } = await sendFile(till, file, how);
  assert.equal(status, 200, text);
  const count = (wanted: string) => body.results.filter(({ status: found }: Json) => found === wanted).length;
  const { results, ...counts } = body;
  assert.deepEqual(counts, {
    dryRun: how.dryRun ?? false,
    lines: results.length,
    changed: count('changed'),
    unchanged: count('unchanged'),
    refused: count('refused'),
  });
  return body;
}

/** A file of balances by identifier. */
export function fileOf(balances: Readonly<Record<string, number | string>>): string {
  const lines = Object.entries(balances).map(([identifier, balance]) => `${identifier},${balance}\n`);
  return `identifier,balance\n${lines.join('')}`;
}

/** The outcome of each line: `2 changed 0 → 5 (+5)`, or `3 refused holder_not_found`. */
export function storyOf({ results }: Json): string[] {
  return results.map(({ line, status, before, after, points, error }: Json) =>
    status === 'refused'
      ? `${line} refused ${error.code}`
      : `${line} ${status} ${before} → ${after} (${points < 0 ? '' : '+'}${points})`,
  );
}

/** The file that the export answers. */
export async function exportFile(till: Till, by = till.client): Promise<string> {
  const { text, status } = await by.get(`/loyalty/programs/${till.program.programId}/balances.csv`);
  assert.equal(status, 200, text);
  return text;
}

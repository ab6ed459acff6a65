import assert from 'node:assert/strict';
import type { Client, Json } from './client.ts';

/** A pass with one editable field, published by default; `design` is laid over it. */
export async function makePass(client: Client, design: object = {}, status = 'published'): Promise<Json> {
  const created = await client.post('/passes', {
    title: 'Blue Bean Club',
    type: 'loyalty',
    fields: [{ key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' }],
    ...design,
  });
  assert.equal(created.status, 201, created.text);
  let pass = created.body;
  for (const next of status === 'draft' ? [] : new Set(['published', status])) {
    const changed = await client.patch(`/passes/${pass.passId}`, { status: next });
    assert.equal(changed.status, 200, changed.text);
    pass = changed.body;
  }
  return pass;
}

/** A card of a pass. */
export async function makeCard(client: Client, passId: string, body: object = {}): Promise<Json> {
  const issued = await client.post(`/passes/${passId}/instances`, body);
  assert.equal(issued.status, 201, issued.text);
  return issued.body;
}

/** A client with a new key of the same workspace. */
export async function makeKey(client: Client, settings: object = {}): Promise<{ key: Json; client: Client }> {
  const { status, body, text } = await client.post('/api-keys', {
    name: 'Till 4',
    access: 'full',
    ...settings,
  });
  assert.equal(status, 201, text);
  const { secret, ...key } = body;
  return { key, client: client.as(secret) };
}

/** `work` for 0 … count - 1, all at once. */
export function inParallel<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

/** How often each value occurs: `{ '201': 1, '200': 99 }`. */
export function tally(values: Iterable<unknown>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
}

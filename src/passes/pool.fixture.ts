import assert from 'node:assert/strict';
import type { Client, Json, Reply } from '../../test/client.ts';
import { makePass } from '../../test/factories.ts';

/** A published pass that draws its codes from a pool; what is not its `lowAt` is laid over its barcode. */
export function makePool(
  client: Client,
  { lowAt, ...barcode }: { lowAt?: number; format?: string } = {},
  status?: string,
): Promise<Json> {
  const pool = lowAt === undefined ? {} : { lowAt };
  return makePass(client, { barcode: { mode: 'pool', ...barcode }, pool }, status);
}

export function barcodesPath({ passId }: Json): string {
  return `/passes/${passId}/barcodes`;
}

export function uploadCsv(client: Client, pass: Json, text: string, headers: object = {}): Promise<Reply> {
  return client.post(barcodesPath(pass), text, { headers: { 'content-type': 'text/csv', ...headers } });
}

export function uploadJson(
  client: Client,
  pass: Json,
  barcodes: readonly unknown[],
  headers: Record<string, string> = {},
): Promise<Reply> {
  return client.post(barcodesPath(pass), { barcodes }, { headers });
}

/** Adds codes that are all good. */
export async function fill(client: Client, pass: Json, barcodes: readonly string[]): Promise<Json> {
  const { status, body, text } = await uploadCsv(client, pass, barcodes.join('\n'));
  assert.equal(status, 200, text);
  assert.deepEqual([body.added, body.rejected], [barcodes.length, []]);
  return body;
}

/** The codes of a pool in the order of their upload, page by page; `query` begins with `&`. */
export async function listAll(client: Client, pass: Json, query = ''): Promise<Json[]> {
  const all: Json[] = [];
  for (let cursor = ''; ; ) {
    const { status, body, text } = await client.get(`${barcodesPath(pass)}?limit=100${query}${cursor}`);
    assert.equal(status, 200, text);
    all.push(...body.data);
    if (body.nextCursor === null) return all;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}

export async function namesOf(client: Client, pass: Json, query = ''): Promise<string[]> {
  return (await listAll(client, pass, query)).map(({ barcode }) => barcode);
}

export async function poolOf(client: Client, { passId }: Json): Promise<Json> {
  return (await client.get(`/passes/${passId}`)).body.pool;
}

/** `CODE-000000`, `CODE-000001`, … */
export function numbered(count: number, prefix = 'CODE', from = 0): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}-${String(from + at).padStart(6, '0')}`);
}

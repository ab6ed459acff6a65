import assert from 'node:assert/strict';
import { decodeId } from '../src/kit/ids.ts';
import { fillInstalledCards } from '../test/fill-cards.ts';
import { fillLedger } from './fill-ledger.ts';
import { httpLoad, type Load } from './http-load.ts';
import { type BenchServer, callService, passTypeIdentifier, type Service, startService } from './service.ts';
import { roundMs } from './turns.ts';

export const connections = 64;
export const cards = 10_000;

/**
 * A service whose deliveries are left to nobody: they would share the processors with what is measured. Its cards take
 * part in a program, lie on a device each, and have the entries of `filling`. Their holders are `holder-<card's uuid>`.
 */
export async function startShop(
  server: BenchServer,
  name: string,
  filling: { readonly entriesPerCard: number; readonly points: number },
  earn: object = {},
): Promise<Service> {
  const shop = await startService(server, name, { WORKERS: 'off' });
  const { pool, workspaceId, passId, publicPassId } = shop;
  const reward = { title: 'Free coffee', cost: 1 };
  const program = { passId: publicPassId, mode: 'POINTS', reward, earn };
  const made = await callService<{ programId: string }>(shop, 'POST', '/loyalty/programs', program);
  await callService(shop, 'PATCH', `/loyalty/programs/${made.programId}`, { status: 'active' });
  const programId = decodeId('prog', made.programId) ?? '';
  await pool.query('update credit_accounts set balance = 1000000000');
  await fillInstalledCards(pool, { workspaceId, passId, passTypeIdentifier, cards, devices: cards });
  await pool.query(
    `insert into holders (workspace_id, instance_id, pass_id, identifier)
     select workspace_id, instance_id, pass_id, 'holder-' || instance_id from instances`,
  );
  await pool.query('vacuum (analyze) holders');
  await fillLedger(pool, { workspaceId, passId, programId, ...filling });
  return shop;
}

/** A turn; what the turns before have put on its way is delivered by then. */
export async function shopLoad({ pool, port }: Service, next: () => string): Promise<Load> {
  await pool.query('truncate pushes');
  await pool.query('update credit_accounts set spent = spent + reserved, reserved = 0');
  await pool.query('update apple_devices set due_at = null, pushed_at = now() where due_at is not null');
  await pool.query('vacuum apple_devices');
  return httpLoad(port, connections, roundMs, next);
}

/** Any of the cards, by its number. */
export function anyCard(): number {
  return Math.floor(Math.random() * cards);
}

/** Sends `times` requests, and returns them, for whoever wants to repeat one. */
export async function sendOnce(
  { port }: Service,
  times: number,
  request: () => string,
): Promise<readonly string[]> {
  const requests = Array.from({ length: times }, request);
  let sent = 0;
  const { statuses } = await httpLoad(
    port,
    connections,
    () => sent === times,
    () => requests[sent++] ?? '',
  );
  assert.deepEqual([...statuses], [[200, times]]);
  return requests;
}

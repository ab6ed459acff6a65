import { encodeId } from '../src/kit/ids.ts';
import { cardIdOf, fillInstalledCards } from '../test/fill-cards.ts';
import { fillInstances } from './fill-instances.ts';
import { fillLedger } from './fill-ledger.ts';
import { settle } from './insert-like.ts';
import { type BenchServer, callService, passTypeIdentifier, type Service, startService } from './service.ts';
import { readCards, type Shop, startProgram } from './shop.ts';

/** The rows that SQL makes: cards, each with this many entries of this many points. */
interface Filling {
  readonly cards: number;
  readonly entriesPerCard: number;
  readonly points: number;
}

/**
 * A service whose deliveries no worker makes: they would share the processors with what is measured. Its cards take
 * part in a program, lie on a device each, and have entries. Their holders are `holder-<card's uuid>`.
 */
export async function startShop(server: BenchServer, name: string, filling: Filling): Promise<Service> {
  const service = await startService(server, name, { WORKERS: 'off' });
  const { pool, workspaceId, passId } = service;
  const { cards } = filling;
  await pool.query('update credit_accounts set balance = 1000000000');
  await fillInstalledCards(pool, { workspaceId, passId, passTypeIdentifier, cards, devices: cards });
  await pool.query(
    `insert into holders (workspace_id, instance_id, pass_id, identifier)
     select workspace_id, instance_id, pass_id, 'holder-' || instance_id from instances`,
  );
  await fillEntries(service, encodeId('inst', cardIdOf(passId, 0)), filling);
  await settle(pool);
  return service;
}

/** Fills a service with cards that no wallet holds, and with entries, and analyses nothing; any thousand of the cards. */
export async function fillShop(service: Service, filling: Filling, earn: object = {}): Promise<Shop> {
  const { pool, workspaceId, passId, publicPassId } = service;
  await fillInstances(pool, workspaceId, passId, 0, filling.cards);
  const [first] = await readCards(service, passId, 1);
  const programId = await fillEntries(service, first?.instanceId ?? '', filling, earn);
  return { service, publicPassId, passId, programId, cards: await readCards(service, passId, 1_000) };
}

/** The service itself awards one card; all others are filled after it. */
async function fillEntries(
  service: Service,
  instanceId: string,
  { entriesPerCard, points }: Filling,
  earn: object = {},
): Promise<string> {
  const { pool, workspaceId, passId, publicPassId } = service;
  const programId = await startProgram(service, publicPassId, earn);
  const award = { passId: publicPassId, instanceId, points, externalRef: 'first' };
  await callService(service, 'POST', '/loyalty/points', award);
  await fillLedger(pool, { workspaceId, passId, programId, entriesPerCard, points });
  return programId;
}

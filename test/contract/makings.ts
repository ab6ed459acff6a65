import { randomUUID } from 'node:crypto';
import type { Json } from '../client.ts';
import { bodyOf, type Caller, type Reply } from './caller.ts';

/** A draft of a pass with one editable field; `design` is laid over it. */
export async function makeDraft(by: Caller, design: object = {}): Promise<Json> {
  return bodyOf(await postPass(by, design), 201);
}

/** Asks for it. */
export function postPass(by: Caller, design: object = {}): Promise<Reply> {
  return by.post('/passes', {
    title: 'Blue Bean Club',
    type: 'loyalty',
    fields: [{ key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' }],
    ...design,
  });
}

/** The same, published. */
export async function makePass(by: Caller, design: object = {}): Promise<Json> {
  const { passId } = await makeDraft(by, design);
  return setStatus(by, passId, 'published');
}

export async function setStatus(by: Caller, passId: string, status: string): Promise<Json> {
  return bodyOf(await by.patch(`/passes/${passId}`, { status }), 200);
}

/** An archived pass, of which one card was issued before. */
export async function makeArchived(by: Caller): Promise<Json> {
  const { passId } = await makePass(by);
  await makeCard(by, passId);
  return setStatus(by, passId, 'archived');
}

/** A card of a pass. */
export async function makeCard(by: Caller, passId: string, body: object = {}): Promise<Json> {
  return bodyOf(await by.post(`/passes/${passId}/instances`, body), 201);
}

/** A card that was issued elsewhere, before there were links of ours. */
export async function importCard(by: Caller, passId: string): Promise<Json> {
  const cards = { instances: [{ barcode: randomUUID(), holder: { identifier: randomUUID() } }] };
  const { results } = bodyOf(await by.post(`/passes/${passId}/instances/import`, cards), 200);
  return results[0].instance;
}

export function setFields(by: Caller, card: Json, fields: object, more: object = {}): Promise<Reply> {
  return by.patch(`/instances/${card.instanceId}/fields`, { fields, ...more });
}

/** A key of the same workspace; the answer that names it, and who uses it. */
export async function makeKey(by: Caller, settings: object): Promise<{ key: Json; holder: Caller }> {
  const key = bodyOf(
    await by.post('/api-keys', { name: 'Contract suite', access: 'full', ...settings }),
    201,
  );
  return { key, holder: by.as(key.secret) };
}

/** A program on a pass, not launched yet. */
export async function makeProgram(by: Caller, passId: string, terms: object = inStamps): Promise<Json> {
  return bodyOf(await postProgram(by, passId, terms), 201);
}

/** Asks for it. */
export function postProgram(by: Caller, passId: string, terms: object = inStamps): Promise<Reply> {
  return by.post('/loyalty/programs', { passId, reward: { title: 'Free coffee' }, ...terms });
}

export const inStamps = { mode: 'STAMPS', threshold: 10 };
export const inPoints = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 10 } };

/** A card with a loyalty program that has been launched. */
export interface Membership {
  readonly by: Caller;
  readonly passId: string;
  readonly programId: string;
  readonly identifier: string;
  readonly card: Json;
}

export async function makeMember(by: Caller, terms: object = inStamps): Promise<Membership> {
  const { passId } = await makePass(by);
  const { programId } = await makeProgram(by, passId, terms);
  await setProgram(by, programId, 'active');
  const identifier = randomUUID();
  const card = await makeCard(by, passId, { holder: { identifier } });
  return { by, passId, programId, identifier, card };
}

export async function setProgram(by: Caller, programId: string, status: string): Promise<Json> {
  return bodyOf(await by.patch(`/loyalty/programs/${programId}`, { status }), 200);
}

/** Asks for points. */
export function earn(
  { by, passId, identifier }: Membership,
  points: number,
  more: object = {},
): Promise<Reply> {
  return by.post('/loyalty/points', { passId, identifier, points, ...more });
}

/** Asks for the reward. */
export function redeem({ by, passId, identifier }: Membership, more: object = {}): Promise<Reply> {
  return by.post('/loyalty/redeem', { passId, identifier, ...more });
}

/** What the ledger says of the holder. */
export async function accountOf({ by, passId, identifier }: Membership): Promise<Json> {
  return bodyOf(await by.get(`/loyalty/holders/${identifier}?passId=${passId}`), 200);
}

/** Sends an order of ten euros. */
export function processOrder(by: Caller, passId: string, order: object = {}): Promise<Reply> {
  return by.post('/orders/process', {
    passId,
    orderId: randomUUID(),
    customer: { id: randomUUID() },
    total: { amount: '10.00', currency: 'EUR' },
    ...order,
  });
}

/** An id of this kind that nothing has. */
export function missing(prefix: string): string {
  return `${prefix}_00000000000000000000000000`;
}

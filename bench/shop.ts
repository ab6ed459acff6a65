import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { serialNumberOf } from '../src/cards/serial-number.ts';
import { decodeId, encodeId } from '../src/kit/ids.ts';
import { httpLoad } from './http-load.ts';
import { type Load, unique } from './load-plan.ts';
import { options } from './options.ts';
import { type Caller, callService, passTypeIdentifier, publishPass, type Service } from './service.ts';

/** A pass with a program that is under way, and its cards. */
export interface Shop {
  readonly service: Service;
  readonly publicPassId: string;
  /** UUIDs. */
  readonly passId: string;
  readonly programId: string;
  readonly cards: readonly Card[];
}

/** What an award needs of a shop. */
export type Till = Pick<Shop, 'publicPassId' | 'cards'> & { readonly service: Caller };

/** A card, as callers name it. */
export interface Card {
  readonly instanceId: string;
  readonly identifier: string;
  readonly barcode: string;
}

export const connections = 64;
/** So many cards a shop has. */
export const fewCards = 1_000;
const cardsPerCall = 1_000;

/** Opens a shop, over the API as its owner would, whose cards no wallet holds yet. */
export async function openShop(service: Service, earn: object = {}, cards = fewCards): Promise<Shop> {
  const publicPassId = await publishPass(service);
  const programId = await startProgram(service, publicPassId, earn);
  for (let from = 0; from < cards; from += cardsPerCall) {
    const instances = Array.from({ length: Math.min(cardsPerCall, cards - from) }, (_, at) => ({
      externalRef: `card-${publicPassId}-${from + at}`,
      holder: { identifier: `customer-${from + at}` },
    }));
    await callService(service, 'POST', `/passes/${publicPassId}/instances/batch`, { instances });
  }
  const passId = decodeId('pass', publicPassId) ?? '';
  return { service, publicPassId, passId, programId, cards: await readCards(service, passId, cards) };
}

/** Opens a program for a pass and starts it; its id as a UUID. */
export async function startProgram(service: Service, passId: string, earn: object = {}): Promise<string> {
  const reward = { title: 'Free coffee', cost: 1 };
  const program = { passId, mode: 'POINTS', reward, earn };
  const made = await callService<{ programId: string }>(service, 'POST', '/loyalty/programs', program);
  await callService(service, 'PATCH', `/loyalty/programs/${made.programId}`, { status: 'active' });
  return decodeId('prog', made.programId) ?? '';
}

/** This many cards of a pass. */
export async function readCards({ pool }: Service, passId: string, count: number): Promise<Card[]> {
  const { rows } = await pool.query<{ instance_id: string; identifier: string; barcode: string }>(
    `select instance_id, identifier, barcode from instances join holders using (workspace_id, instance_id)
     where instances.pass_id = $1 order by random() limit $2`,
    [passId, count],
  );
  return rows.map(({ instance_id, ...row }) => ({ ...row, instanceId: encodeId('inst', instance_id) }));
}

/** Puts each card on a device of its own, over the web service as Apple's phones do. */
export async function installCards({ service, passId, cards }: Shop): Promise<void> {
  const { rows } = await service.pool.query<{ id: string; token: string }>(
    'select instance_id as id, authentication_token as token from instances where pass_id = $1',
    [passId],
  );
  const texts = rows.map(({ id, token }) => {
    const serialNumber = serialNumberOf({ workspaceId: service.workspaceId, instanceId: id });
    const body = JSON.stringify({ pushToken: createHash('sha256').update(id).digest('hex') });
    return `POST /apple/v1/devices/phone-${id}/registrations/${passTypeIdentifier}/${serialNumber} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ApplePass ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
  assert.equal(texts.length, cards.length);
  // At a pace: to the limits of the public routes they are one phone, since they have one address.
  const plan = { port: service.port, connections: 4, texts, once: true, restMs: 40 };
  const { statuses } = await httpLoad(plan);
  assert.deepEqual([...statuses], [[201, texts.length]]);
}

/** Tops the workspace up, as its operator would. */
export async function addCredits(service: Service): Promise<void> {
  const path = `/operator/workspaces/${service.publicWorkspaceId}/credits`;
  await callService({ ...service, apiKey: service.operatorToken }, 'POST', path, {
    amount: 1_000_000_000,
    externalRef: 'benchmark',
  });
}

/** Waits until everything that was put on its way is delivered. */
export async function delivered({ pool }: Service): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const { rows } = await pool.query('select 1 from credit_accounts where reserved > 0');
    if (rows.length === 0) return;
    await sleep(200);
  }
  throw new Error('pushes are not delivered');
}

/** A turn of `connections` who send any of the requests. */
export function shopLoad({ port }: Caller, texts: readonly string[], clients = connections): Promise<Load> {
  return httpLoad({ port, connections: clients, texts, ms: options.seconds * 1_000 });
}

/** Sends each of the requests once; all must succeed. */
export async function sendOnce({ port }: Service, texts: readonly string[]): Promise<void> {
  const { statuses } = await httpLoad({ port, connections, texts, once: true });
  assert.deepEqual([...statuses], [[200, texts.length]]);
}

/** An award to each card, with a new reference each time it is sent. */
export function awardTexts(shop: Till, { points = 5, ref = unique } = {}): string[] {
  return shop.cards.map((card, at) =>
    postText(shop.service, '/loyalty/points', {
      ...targetOf(shop, card, at),
      points,
      externalRef: ref === unique ? unique : `${ref}${at}`,
    }),
  );
}

/** Money for each card, or from it. */
export function moneyTexts(shop: Till, path: '/value/load' | '/value/charge'): string[] {
  const amount = { amount: '0.05', currency: 'EUR' };
  return shop.cards.map((card, at) =>
    postText(shop.service, path, { ...targetOf(shop, card, at), amount, externalRef: unique }),
  );
}

/** A reward of each card. */
export function redeemTexts(shop: Shop): string[] {
  return shop.cards.map((card, at) =>
    postText(shop.service, '/loyalty/redeem', { ...targetOf(shop, card, at), externalRef: unique }),
  );
}

/** A third is named by the card's id, a third by the holder, a third by the barcode. */
function targetOf({ publicPassId }: Till, { instanceId, identifier, barcode }: Card, at: number): object {
  return { passId: publicPassId, ...[{ instanceId }, { identifier }, { barcode }][at % 3] };
}

/** A new customer's card, with other names each time it is sent. */
export function issueText(service: Caller, publicPassId: string): string {
  const holder = { identifier: unique, name: 'Ada Lovelace', email: `${unique}@example.com` };
  return postText(service, `/passes/${publicPassId}/instances`, { externalRef: unique, holder });
}

/** A look-up of each barcode, as a scanner asks. */
export function lookUpTexts(service: Caller, barcodes: readonly string[]): string[] {
  return barcodes.map((barcode) => getText(service, `/v1/instances/lookup?barcode=${barcode}`));
}

/** The barcodes of a shop's cards. */
export function barcodesOf({ cards }: Pick<Shop, 'cards'>): string[] {
  return cards.map(({ barcode }) => barcode);
}

/** A POST as text. Digits that differ take as many characters as their placeholder. */
export function postText({ headers }: Caller, path: string, content: object): string {
  const body = JSON.stringify(content);
  return `POST /v1${path} HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** A GET as text. */
export function getText({ headers }: Caller, path: string): string {
  return `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
}

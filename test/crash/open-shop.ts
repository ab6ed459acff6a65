import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Phone } from '../../tools/fakes/phone.ts';
import { Client, type Json } from '../client.ts';
import { makeCard, makePass } from '../factories.ts';
import { pick, type Random, randomOf } from '../ledger/random.ts';
import { newCall, type Program, type Shop } from './calls.ts';
import { type Installation, publicUrl } from './ground.ts';
import type { History } from './history.ts';
import type { Way } from './load.ts';

/** A shop before its first customer, how to reach it, and some customers' phones. */
export interface OpenShop {
  readonly shop: Shop;
  readonly ways: readonly Way[];
  readonly phones: readonly Phone[];
}

const pooledCodes = 20_000;
/** Of the pool that runs dry. */
const fewCodes = 40;

/** Publishes passes, activates programs, issues first cards, and puts some of them on phones. */
export async function openShop(
  installation: Installation,
  history: History,
  seed: number,
): Promise<OpenShop> {
  const { apis, dataDir } = installation;
  const { apiKey, operatorToken, workspaceId } = JSON.parse(
    await readFile(join(dataDir, 'first-run.json'), 'utf8'),
  );
  const ways = apis.map(({ name, process }) => ({
    name,
    client: new Client(process.url, publicUrl, apiKey),
    operator: new Client(process.url, publicUrl, operatorToken),
  }));
  const { client, operator } = pick(() => 0, ways);
  const credits = newCall('addCredits', 'first', `/operator/workspaces/${workspaceId}/credits`, {
    amount: 1_000_000,
  });
  const funded = await operator.post(credits.path, { ...credits.body, externalRef: credits.ref });
  assert.equal(funded.status, 200, funded.text);
  history.acknowledged(credits, funded);

  const points = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 10 } };
  const stamps = { mode: 'STAMPS', reward: { title: 'Free bun' }, threshold: 6 };
  const { passId } = await makePass(client);
  const cards = [];
  for (let n = 0; n < 10; n++) cards.push(await makeCard(client, passId));
  const shop: Shop = {
    workspaceId,
    programs: [
      await launch(client, points),
      await launch(client, stamps),
      await launch(client, points, true),
    ],
    passes: [passId, await pooled(client, 'many', pooledCodes), await pooled(client, 'few', fewCodes)],
    ordersPassId: (await launch(client, points, false, 0)).passId,
    changing: cards.map(({ instanceId }) => instanceId),
  };
  return { shop, ways, phones: await handOut(installation, cards.slice(2), randomOf(seed)) };
}

/** A program in which no balance can fall below zero, with a few cards. */
async function launch(client: Client, program: object, isMoody = false, first = 8): Promise<Program> {
  const { passId } = await makePass(client);
  const made = await client.post('/loyalty/programs', { passId, ...program, refundPolicy: 'within_balance' });
  assert.equal(made.status, 201, made.text);
  const { programId } = made.body;
  await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
  const cards = [];
  for (let n = 0; n < first; n++) {
    const identifier = `first ${n}`;
    cards.push({ ...(await makeCard(client, passId, { holder: { identifier } })), identifier });
  }
  return { passId, programId, isMoody, cards };
}

async function pooled(client: Client, name: string, count: number): Promise<string> {
  const { passId } = await makePass(client, { barcode: { mode: 'pool' } });
  const barcodes = Array.from({ length: count }, (_, n) => `code-${name}-${n}`);
  const uploaded = await client.post(`/passes/${passId}/barcodes`, { barcodes });
  assert.ok(uploaded.status < 300, uploaded.text);
  return passId;
}

/** A phone for each of the cards, which reaches the service by any of its processes. */
async function handOut(
  { apis, apns, root }: Installation,
  cards: readonly Json[],
  random: Random,
): Promise<Phone[]> {
  const phones = new Map<string, Phone>();
  apns.onPush(({ token, topic }) => void phones.get(token)?.pushed(topic));
  for (const card of cards) {
    const phone = new Phone({
      root,
      reach: (url) => url.replace(publicUrl, pick(random, apis).process.url),
      // A pass that was signed in the future is refused by a phone, and is so by every clock here.
      now: () => new Date(Date.now() + 3 * 3_600_000),
      retryPausesMs: [200, 1_000, 3_000],
    });
    phones.set(phone.pushToken, phone);
    await phone.add(card.links.add);
  }
  return [...phones.values()];
}

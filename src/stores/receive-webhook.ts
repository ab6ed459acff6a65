import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { limitAddress } from '../access/admit.ts';
import { tooManyRequests } from '../access/limits.ts';
import { type Connector, StoreTrouble } from '../connectors/connector.ts';
import { connectors } from '../connectors/registry.ts';
import type { App, PublicCtx } from '../context.ts';
import { strangersShares } from '../engine/shares.ts';
import { refusal } from '../errors.ts';
import type { Input } from '../kit/http/endpoints/endpoint.ts';
import { decodeId, newUuidV7 } from '../kit/ids.ts';
import { readSignature, readSigned, type SignedBody, smallBytes } from './read-signed.ts';
import type { StoreRow } from './store-row.ts';
import { webhookSecretsOf } from './store-secrets.ts';
import { findNamedStores, findStoresAnywhere } from './stores.sql.ts';
import { keepWebhooks } from './webhooks.sql.ts';

/**
 * Keeps a store's webhook as it came, for a job to process: the platform waits for seconds only, and repeats what was
 * not answered. Each delivery is kept once. Raises `invalid_signature`, also for a store that does not exist, so that
 * callers cannot find out which stores do. Raises `rate_limited` after too many such calls.
 */
export async function receiveWebhook(
  ctx: PublicCtx,
  input: { storeId: string; headers: Input['headers']; body: Readable },
): Promise<void> {
  const { app } = ctx;
  const storeId = decodeId('store', input.storeId);
  const store = storeId === null ? undefined : await storeOf(app, storeId);
  const proof = proofOf(app, store, input.headers);
  if (proof === null && isForm(input.headers) && (await isTrialCall(input.body))) return;
  if (proof === null) throw await refused(ctx, wrongSignature());
  const body = await readSigned(ctx, input.body, strangersShares(ctx, store?.workspaceId ?? ''), proof);
  if (body === null || store === undefined) throw await refused(ctx, wrongSignature());
  const { topic, deliveryId, isTrial } = connectors[store.platform].readHeaders(input.headers);
  // No signature covers the headers, so they cannot prevent an erasure.
  if ((store.disconnectedAt !== null || isTrial) && !isForPrivacy(store, topic ?? '', body.bytes)) return;
  const webhook = {
    storeId: store.storeId,
    webhookId: newUuidV7(),
    deliveryId: nameOf(deliveryId, topic, body),
    topic: (topic ?? '').slice(0, mostTopic),
    body: body.bytes,
    receivedAt: app.now(),
  };
  // A batch of many large bodies would be a statement of hundreds of megabytes.
  if (body.bytes.length > smallBytes)
    await app.database.transaction((tx) => keepWebhooks(tx, store.workspaceId, [webhook]));
  else await app.groupCommit.write(keepWebhooks, store.workspaceId, webhook);
  // No job is woken: at a thousand notes a second every job would look for work all the time. Notes are written together.
  app.dueWorkspaces?.note('workOffWebhooks', store.workspaceId);
}

const mostTopic = 100;

/** The workspaces of stores that have sent something. They never change. */
const workspaces = new LRUCache<string, string>({ max: 100_000 });

/** Finds the store of an address. On a cluster, asks all servers the first time, and later the one that has it. */
async function storeOf({ groupCommit }: App, storeId: string): Promise<StoreRow | undefined> {
  const workspaceId = workspaces.get(storeId);
  if (workspaceId !== undefined) return groupCommit.read(findNamedStores, 'all', { workspaceId, storeId });
  const store = await groupCommit.read(findStoresAnywhere, 'all', storeId);
  if (store !== undefined) workspaces.set(storeId, store.workspaceId);
  return store;
}

/**
 * The signature of a call, and what may have made it; null when there is none. For a store that does not exist, and for
 * the signature of another platform, the same work is done: neither the refusal nor its time reveals which stores
 * exist.
 */
function proofOf(
  app: App,
  store: StoreRow | undefined,
  headers: Input['headers'],
): { signature: Buffer; secrets: readonly string[] } | null {
  const signatureFor = (connector: Connector) => readSignature(connector.readHeaders(headers).signature);
  const own = store === undefined ? null : signatureFor(connectors[store.platform]);
  if (store !== undefined && own !== null) return { signature: own, secrets: webhookSecretsOf(app, store) };
  const others = Object.values(connectors).flatMap((connector) => signatureFor(connector) ?? []);
  return others[0] === undefined ? null : { signature: others[0], secrets: [nobodysSecret] };
}

const nobodysSecret = randomBytes(32).toString('hex');

/**
 * The platform's name of a delivery is not enough: WooCommerce gives the same one to all that a webhook sends within a
 * second.
 */
function nameOf(deliveryId: string | null, topic: string | null, { hash }: SignedBody): string {
  return [
    (deliveryId ?? '').slice(0, mostTopic),
    (topic ?? '').slice(0, mostTopic),
    hash.toString('base64url'),
  ].join('/');
}

/** A platform goes on to send these when the store is disconnected. A body that cannot be read is none of these. */
function isForPrivacy({ platform, domain }: StoreRow, topic: string, body: Buffer): boolean {
  try {
    const { kind } = connectors[platform].readWebhook(topic, body, domain);
    return kind === 'data_request' || kind === 'customer_redact' || kind === 'shop_redact';
  } catch (error) {
    if (error instanceof StoreTrouble) return false;
    throw error;
  }
}

/** A call that was refused counts as one of the address: those that are signed are let in at another rate. */
async function refused(ctx: PublicCtx, error: Error): Promise<Error> {
  const verdict = await limitAddress(ctx.app, ctx.ip ?? '');
  return verdict.allowed ? error : tooManyRequests(verdict);
}

function wrongSignature() {
  return refusal(
    'invalid_signature',
    "The signature is not one of the body with this store's webhook secret.",
  );
}

function isForm(headers: Input['headers']): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');
}

/** WooCommerce asks, unsigned, whether a server is there, when a webhook is set up. The service does nothing with it. */
async function isTrialCall(body: Readable): Promise<boolean> {
  const bytes: Buffer[] = [];
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    bytes.push(chunk as Buffer);
    if (Buffer.concat(bytes).length > mostTrial) return false;
  }
  return /^webhook_id=\d+$/.test(Buffer.concat(bytes).toString('latin1'));
}

const mostTrial = 100;

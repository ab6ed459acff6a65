import type { Static } from 'typebox';
import { StoreTrouble } from '../connectors/connector.ts';
import { connectors, type Platform } from '../connectors/registry.ts';
import type { ActorCtx, KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { wakeAfter } from '../engine/wake-after.ts';
import { refusal } from '../errors.ts';
import { changedProperties } from '../events/changed-properties.ts';
import type { Tx } from '../kit/db/database.ts';
import { type ApiError, invalidField } from '../kit/http/api-error.ts';
import { closed } from '../kit/http/schemas/shapes.ts';
import { shapeCheck } from '../kit/http/schemas/validation.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { lockFoundPass } from '../passes/find-pass.ts';
import { callStore, unsealCredentials } from './call-store.ts';
import { findConnectedStore, lockStore, presentNow } from './find-store.ts';
import type { NewStore, StoreChanges } from './store.schema.ts';
import { isReadable, type StoreConsent, type StoreProblem, type StoreRow } from './store-row.ts';
import { sealCredentials, sealWebhookSecret } from './store-secrets.ts';
import { changeStore, findConnected, insertStore, lockFormer, makeDue } from './stores.sql.ts';
import { retryWaiting } from './webhooks.sql.ts';

/** The first reading comes soon, to show wrong credentials. */
const firstReadMs = 60_000;
/** No platform shows more of its past unasked, and a store that was away for a year would send all of it. */
const longestAbsenceMs = 60 * 24 * 3_600_000;

/**
 * A store whose orders from now on earn on the cards of a pass. One that was connected before is the same store again: it
 * is by its id that the refunds of its orders are known. The store itself is not asked: `testStore` does. Raises
 * `store_already_connected`.
 */
export async function connectStore(tx: Tx, ctx: KeyCtx, input: Static<typeof NewStore>) {
  const { app, workspaceId } = ctx;
  const { platform } = input;
  const domain = connectors[platform].readDomain(input.domain);
  const credentials = checkCredentials(platform, input.credentials);
  const consent = checkConsent(ctx, platform, input.consent ?? null);
  // The pass is locked before the store, as when a pass is deleted and removed from its stores.
  const pass = input.passId == null ? null : await lockFoundPass(tx, ctx, input.passId);
  const now = app.now();
  const former = await lockFormer(tx, workspaceId, { platform, domain });
  const owner = { workspaceId, storeId: former?.storeId ?? newUuidV7() };
  const secrets = { ...owner, webhookSecrets: former?.webhookSecrets ?? null };
  const row: StoreRow = {
    ...owner,
    platform,
    domain,
    passId: pass?.passId ?? null,
    credentials: credentials === null ? null : sealCredentials(app, owner, credentials),
    webhookSecrets: sealWebhookSecret(app, secrets, input.webhookSecret),
    consent,
    followsEdits: input.followsEdits ?? false,
    // Platforms report the time of an order in whole seconds.
    connectedAt: new Date(Math.floor(now.getTime() / 1_000) * 1_000),
    disconnectedAt: null,
    // Changes of its former orders during its absence are read, too.
    watermark:
      former === undefined ? now : laterOf(former.watermark, new Date(now.getTime() - longestAbsenceMs)),
    reconcileAt: connectors[platform].api === null ? null : new Date(now.getTime() + firstReadMs),
    reconciledAt: former?.reconciledAt ?? null,
    failures: 0,
    problem: null,
    createdAt: former?.createdAt ?? now,
    updatedAt: now,
  };
  if (former !== undefined) await changeStore(tx, former, row);
  else if (!(await insertStore(tx, row))) throw await alreadyConnected(tx, row);
  audit(tx, ctx, {
    action: 'connectStore',
    target: encodeId('store', row.storeId),
    detail: { platform, domain, passId: input.passId ?? null, consent, followsEdits: row.followsEdits },
  });
  return presentNow(tx, ctx, row);
}

function laterOf(one: Date, other: Date): Date {
  return one > other ? one : other;
}

async function alreadyConnected(tx: Tx, { workspaceId, platform, domain }: StoreRow) {
  const other = await findConnected(tx, workspaceId, { platform, domain });
  const name = other === undefined ? 'another store' : encodeId('store', other.storeId);
  return refusal('store_already_connected', `${domain} is connected already, as ${name}.`);
}

type Asked = Static<typeof NewStore>;

const checks = new Map<Platform, (value: unknown) => ApiError | null>();

/** Checks the credentials of a platform; null if the platform cannot be read. */
function checkCredentials(platform: Platform, credentials: Asked['credentials']): unknown {
  const { credentials: shape } = connectors[platform];
  if (shape === null) {
    if (credentials === undefined) return null;
    throw invalidField(
      'credentials',
      'excluded',
      `a store of the platform ${platform} is not read. Leave them out.`,
    );
  }
  const check = checks.get(platform) ?? shapeCheck(closed({ credentials: shape }));
  checks.set(platform, check);
  const problem = check({ ...(credentials !== undefined && { credentials }) });
  if (problem !== null) throw problem;
  return credentials;
}

/** What counts as consent, with who has said so and when. */
function checkConsent(ctx: KeyCtx, platform: Platform, consent: Asked['consent']): StoreConsent | null {
  if (consent == null) return null;
  if (connectors[platform].knowsConsent)
    throw invalidField(
      'consent',
      'excluded',
      `${platform} itself says which customers may be mailed. Leave it out.`,
    );
  if ('metaKey' in consent) return consent;
  return {
    attestedBy: consent.attestedBy,
    recordedAt: ctx.app.now().toISOString(),
    recordedBy: ctx.actor,
  };
}

interface Input {
  readonly storeId: string;
  readonly changes: Static<typeof StoreChanges>;
}

/**
 * Changes credentials, secret, pass, consent or whether edits count. Webhooks that waited are tried again at once, and
 * so is a store that could not be read. What its orders have earned stays where it is.
 */
export async function updateStore(tx: Tx, ctx: KeyCtx, input: Input) {
  const { app } = ctx;
  const { changes } = input;
  const passId = await passOf(tx, ctx, input);
  const before = await lockStore(tx, ctx, input.storeId);
  const now = app.now();
  const changed: Partial<StoreRow> = {
    ...(changes.credentials !== undefined && {
      credentials: sealed(ctx, before, checkCredentials(before.platform, changes.credentials)),
      problem: null,
      failures: 0,
      reconcileAt: isReadable(before) ? now : null,
    }),
    ...(changes.webhookSecret !== undefined && {
      webhookSecrets: sealWebhookSecret(app, before, changes.webhookSecret),
    }),
    ...(passId !== undefined && { passId }),
    ...(changes.consent !== undefined && {
      consent: checkConsent(ctx, before.platform, changes.consent),
    }),
    ...(changes.followsEdits !== undefined && { followsEdits: changes.followsEdits }),
    updatedAt: now,
  };
  const after = { ...before, ...changed };
  const { previous, current } = changedProperties(plainPart(before), plainPart(after));
  await changeStore(tx, before, changed);
  await retryWaiting(tx, before, now);
  wakeAfter(tx, ctx, ctx.workspaceId, 'workOffWebhooks', 'reconcileStores');
  audit(tx, ctx, {
    action: 'updateStore',
    target: input.storeId,
    detail: { changed: Object.keys(changes), before: previous, after: current },
  });
  return presentNow(tx, ctx, after);
}

/** Locks the pass that the store is to have. This must come before the store's lock, as when a pass is deleted. */
async function passOf(
  tx: Tx,
  ctx: KeyCtx,
  { storeId, changes: { passId } }: Input,
): Promise<string | null | undefined> {
  if (passId == null) return passId;
  // An unknown store is refused before an unknown pass.
  await findConnectedStore(tx, ctx, storeId);
  return (await lockFoundPass(tx, ctx, passId)).passId;
}

function sealed(ctx: KeyCtx, store: StoreRow, credentials: unknown): string | null {
  return credentials === null ? null : sealCredentials(ctx.app, store, credentials);
}

/** The properties of a store that may be recorded: no secrets. */
function plainPart({ passId, consent, followsEdits }: StoreRow) {
  return { passId: passId === null ? null : encodeId('pass', passId), consent, followsEdits };
}

/**
 * Asks the store for its name with the credentials that are kept. A store that could not be read before, and can be now,
 * is read at once.
 */
export async function testStore(ctx: KeyCtx, input: { storeId: string }) {
  const { app } = ctx;
  const store = await findConnectedStore(app.database.db, ctx, input.storeId);
  const { api } = connectors[store.platform];
  if (api === null) return { ok: true as const, shop: null, message: 'Nothing is asked of this store.' };
  try {
    const { value: shop } = await callStore(
      app,
      store,
      api.getShop(unsealCredentials(app, store)),
      ctx.client?.signal,
    );
    if (store.failures > 0) await readAtOnce(ctx, store);
    return { ok: true as const, shop: { name: shop.name }, message: 'The store answers.' };
  } catch (error) {
    if (!(error instanceof StoreTrouble)) throw error;
    return { ok: false as const, reason: error.reason, message: error.message };
  }
}

/** Unless the caller's key was revoked while the store was asked. */
function readAtOnce(ctx: KeyCtx, store: StoreRow): Promise<void> {
  const { app } = ctx;
  return app.database.transaction(async (tx) => {
    await app.askKeyAgain.now(tx, ctx);
    await makeDue(tx, store, app.now());
  });
}

/**
 * Ends the connection: the credentials are deleted, and orders no longer earn. The row stays, with the webhook secrets,
 * since a platform sends its privacy requests afterwards.
 */
export async function disconnectStore(
  tx: Tx,
  ctx: ActorCtx,
  input: { storeId: string; problem?: StoreProblem },
): Promise<void> {
  const store = await lockStore(tx, ctx, input.storeId);
  const now = ctx.app.now();
  await changeStore(tx, store, {
    credentials: null,
    reconcileAt: null,
    disconnectedAt: now,
    problem: input.problem ?? null,
    failures: 0,
    updatedAt: now,
  });
  audit(tx, ctx, {
    action: 'disconnectStore',
    target: encodeId('store', store.storeId),
    detail: { platform: store.platform, domain: store.domain, problem: input.problem ?? null },
  });
}

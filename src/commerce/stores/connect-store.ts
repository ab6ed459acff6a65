import type { Static } from 'typebox';
import { connectors } from '../../connectors/registry.ts';
import type { KeyCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import { refusal } from '../../errors.ts';
import type { Tx } from '../../kit/db/database.ts';
import { encodeId, newUuidV7 } from '../../kit/ids.ts';
import { holdFoundPass } from '../../passes/find-pass.ts';
import { checkConsent, checkCredentials } from './check-store.ts';
import { presentNow } from './find-store.ts';
import type { NewStore } from './store.schema.ts';
import type { StoreRow } from './store-row.ts';
import { sealCredentials, sealWebhookSecret } from './store-secrets.ts';
import { changeStore, findConnected, holdFormer, insertStore } from './stores.sql.ts';

/** Credentials that are wrong show soon. */
const firstReadMs = 60_000;
/** No platform shows more of its past unasked, and who was away for a year would read all of it. */
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
  // Before the store: whoever deletes a pass takes it from its stores.
  const pass = input.passId == null ? null : await holdFoundPass(tx, ctx, input.passId);
  const now = app.now();
  const former = await holdFormer(tx, workspaceId, { platform, domain });
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
    // Platforms tell the second that an order was placed in, and no more of it.
    connectedAt: new Date(Math.floor(now.getTime() / 1_000) * 1_000),
    disconnectedAt: null,
    // What became of its former orders meanwhile is read too.
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

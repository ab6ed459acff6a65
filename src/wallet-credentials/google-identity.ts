import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import { forgetStop } from '../pushes/wallet-stops.ts';
import {
  googlesTokenUri,
  parseServiceAccount,
  type ServiceAccount,
  ServiceAccountProblem,
} from '../wallet/google/service-account.ts';
import { lockWorkspace, ownWorkspace } from '../workspaces/own-workspace.ts';
import { changeWorkspace } from '../workspaces/workspaces.sql.ts';
import {
  findGoogleIdentity,
  type GoogleIdentityRow,
  listGoogleIdentities,
  retireGoogleIdentity,
  upsertGoogleIdentity,
} from './google-identities.sql.ts';
import { accountSealedAs, googleScope } from './google-scope.ts';
import { readWallets } from './read-wallets.ts';
import type { NewGoogleIdentity } from './wallets.schema.ts';

/** Those that cards at Google may be of. */
const mostIssuers = 20;

/**
 * Makes new cards at Google those of an issuer of the workspace's own from now on. A new account of the same issuer takes
 * the place of that of before; cards that holders keep stay those of their issuer. Raises `invalid_request`, which says what
 * to do.
 */
export async function setGoogleIdentity(tx: Tx, ctx: KeyCtx, body: Static<typeof NewGoogleIdentity>) {
  const { app, workspaceId } = ctx;
  const { issuerId } = body;
  if (issuerId === app.google?.issuerId)
    throw invalidField(
      'issuerId',
      'other',
      'this is the issuer of the installation, whose account makes your cards as it is. Give one of your own.',
    );
  const { clientEmail } = checkAccount(ctx, body.serviceAccount);
  const key = { workspaceId, issuerId };
  await lockWorkspace(tx, ctx);
  const before = await current(tx, ctx);
  const known = await listGoogleIdentities(tx, workspaceId);
  if (known.length >= mostIssuers && !known.some((row) => row.issuerId === issuerId))
    throw invalidField(
      'issuerId',
      'other',
      `cards are of ${known.length} issuers of this workspace already. Give one of these.`,
    );
  if (before !== undefined && before.issuerId !== issuerId) await retireGoogleIdentity(tx, before, app.now());
  const serviceAccount = app.box.seal(body.serviceAccount, accountSealedAs(key));
  const row: GoogleIdentityRow = { ...key, clientEmail, serviceAccount, retiredAt: null };
  await upsertGoogleIdentity(tx, row, app.now());
  await changeWorkspace(tx, workspaceId, { googleIssuerId: issuerId });
  await forgetStop(tx, 'google', googleScope(key));
  audit(tx, ctx, {
    action: 'setGoogleIdentity',
    target: encodeId('ws', workspaceId),
    detail: { before: auditable(before), after: auditable(row) },
  });
  return readWallets(tx, ctx);
}

/** Makes new cards those of the installation again. Cards that holders keep stay those of their issuer. */
export async function removeGoogleIdentity(tx: Tx, ctx: KeyCtx) {
  const { app, workspaceId } = ctx;
  await lockWorkspace(tx, ctx);
  const before = await current(tx, ctx);
  if (before !== undefined) {
    await retireGoogleIdentity(tx, before, app.now());
    await changeWorkspace(tx, workspaceId, { googleIssuerId: null });
  }
  audit(tx, ctx, {
    action: 'removeGoogleIdentity',
    target: encodeId('ws', workspaceId),
    detail: { before: auditable(before), after: null },
  });
  return readWallets(tx, ctx);
}

/** The service asks for tokens where the account says: at Google, and nowhere that a caller chooses. */
function checkAccount({ app }: KeyCtx, json: string): ServiceAccount {
  try {
    const account = parseServiceAccount(json);
    const known = [googlesTokenUri, app.google?.serviceAccount.tokenUri];
    if (known.includes(account.tokenUri)) return account;
    throw new ServiceAccountProblem(`token_uri must be ${googlesTokenUri}.`);
  } catch (error) {
    throw error instanceof ServiceAccountProblem
      ? invalidField('serviceAccount', 'other', `${error.message}`)
      : error;
  }
}

async function current(tx: Tx, ctx: KeyCtx): Promise<GoogleIdentityRow | undefined> {
  const { googleIssuerId } = await ownWorkspace(tx, ctx);
  return googleIssuerId === null ? undefined : findGoogleIdentity(tx, ctx.workspaceId, googleIssuerId);
}

/** What the audit log shows of one. */
function auditable(row: GoogleIdentityRow | undefined) {
  return row === undefined ? null : { issuerId: row.issuerId, clientEmail: row.clientEmail };
}

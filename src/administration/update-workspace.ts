import type { Static } from 'typebox';
import type { CommandCtx, KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import { changedProperties } from '../events/changed-properties.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { decodeId, encodeId, firstId } from '../kit/ids.ts';
import { isCurrency } from '../kit/money/currencies.ts';
import { isPhoneCountry } from '../kit/text/phone.ts';
import { zoneName } from '../kit/time.ts';
import { restampPasses } from '../passes/change-shown.ts';
import { ownWorkspace } from '../workspaces/own-workspace.ts';
import { countryOf } from '../workspaces/phone-country.ts';
import {
  type OperatorChanges,
  presentWorkspace,
  type WorkspaceChanges,
} from '../workspaces/workspace.schema.ts';
import { changeWorkspace, lockWorkspaceRow, type WorkspaceChange } from '../workspaces/workspaces.sql.ts';
import { findWithFigures, type WorkspaceWithFigures } from './workspace-lists.sql.ts';

/** Changes what the workspace may set itself: name, time zone, locale, currency, country, defaults of new passes. */
export async function updateWorkspace(tx: Tx, ctx: KeyCtx, changes: Static<typeof WorkspaceChanges>) {
  const { currency, locale, country, defaults, name } = changes;
  const timezone = changes.timezone === undefined ? undefined : readZone(changes.timezone);
  if (currency !== undefined) mustBeKnown('currency', () => isCurrency(currency));
  if (locale !== undefined) mustBeKnown('locale', () => Intl.getCanonicalLocales(locale));
  if (country != null) mustBeKnown('country', () => isPhoneCountry(country));
  const { workspaceId } = ctx;
  const former = await ownWorkspace(tx, ctx);
  const current = {
    ...former,
    ...(timezone !== undefined && { timezone }),
    ...(locale !== undefined && { locale }),
  };
  const isElsewhere =
    countryOf({ ...current, ...(country !== undefined && { country }) }) !== countryOf(former);
  const { before, after } = await change(tx, ctx, workspaceId, {
    ...(name !== undefined && { name }),
    ...(timezone !== undefined && { timezone }),
    ...(locale !== undefined && { locale }),
    ...(currency !== undefined && { currency }),
    ...(country !== undefined && { country }),
    ...(isElsewhere && { rereadAfter: firstId }),
    ...(defaults !== undefined && { defaults: JSON.stringify(defaults) }),
  });
  const target = encodeId('ws', workspaceId);
  audit(tx, ctx, { action: 'updateWorkspace', target, detail: changeOf(before, after) });
  return after;
}

/** Changes what only the operator may set: plan and suspension, and the name. */
export async function updateAnyWorkspace(
  tx: Tx,
  ctx: CommandCtx,
  input: { workspaceId: string; changes: Static<typeof OperatorChanges> },
) {
  const { workspaceId } = await findAnyWorkspace(tx, input.workspaceId);
  const { name, plan, suspended } = input.changes;
  const operator = { ...ctx, actor: 'operator' };
  const { before, after } = await change(tx, operator, workspaceId, {
    ...(name !== undefined && { name }),
    ...(plan !== undefined && { plan }),
    ...(suspended !== undefined && { suspendedAt: suspended ? ctx.app.now() : null }),
  });
  audit(tx, ctx, {
    workspaceId,
    action: 'updateAnyWorkspace',
    actor: 'operator',
    target: encodeId('ws', workspaceId),
    detail: changeOf(before, after),
  });
  return after;
}

/** A workspace by its public id; raises `workspace_not_found`. */
export async function findAnyWorkspace(db: Db, publicId: string): Promise<WorkspaceWithFigures> {
  const workspaceId = decodeId('ws', publicId);
  const row = workspaceId === null ? undefined : await findWithFigures(db, workspaceId);
  if (row === undefined)
    throw refusal('workspace_not_found', 'No workspace has this id. GET /operator/workspaces lists them.');
  return row;
}

async function change(tx: Tx, ctx: CommandCtx, workspaceId: string, columns: WorkspaceChange) {
  await lockWorkspaceRow(tx, workspaceId);
  const before = await findWithFigures(tx, workspaceId);
  await changeWorkspace(tx, workspaceId, columns);
  // The name is shown on every card.
  if (columns.name !== undefined && columns.name !== before?.name) await restampPasses(tx, ctx, workspaceId);
  const row = await findWithFigures(tx, workspaceId);
  if (before === undefined || row === undefined)
    throw new Error('the workspace vanished while it was locked');
  return { before: presentWorkspace(before), after: presentWorkspace(row) };
}

/** What an audit line says of a change of settings: without the credits, which other calls may move. */
function changeOf(before: Shown, after: Shown) {
  const { previous, current } = changedProperties(before, { ...after, credits: before.credits });
  return { before: previous, after: current };
}

type Shown = ReturnType<typeof presentWorkspace>;

/** The name of a time zone. Raises `invalid_request` for offsets and abbreviations, too: programs disagree on what they mean. */
function readZone(text: string): string {
  const name = zoneName(text);
  if (name === 'UTC' || name?.includes('/')) return name;
  throw invalidField(
    'timezone',
    'format',
    'this value is not known. Use a name of the IANA list, such as Europe/Berlin, or UTC. Etc/GMT-5 is always five hours ahead of UTC.',
    { limit: 'timezone' },
  );
}

/** Asks the platform's own tables; raises `invalid_request` that names the setting. */
function mustBeKnown(setting: string, ask: () => unknown): void {
  try {
    if (ask() !== false) return;
  } catch {}
  throw invalidField(
    setting,
    'other',
    'this value is not known. Use a BCP 47 locale, an ISO 4217 currency or an ISO 3166-1 country.',
  );
}

import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Db } from '../kit/db/database.ts';
import { foldCode } from '../kit/text/fold.ts';
import { findPass } from '../passes/find-pass.ts';
import { findSharedBarcodes, type SharedBarcode } from '../passes/shared-barcodes.ts';
import { instanceNotFound, readInstance } from './find-instance.ts';
import { barcodeOf } from './instance.schema.ts';
import type { InstanceRow } from './instance-row.ts';
import { findByBarcodes, findByIdentifier, findInstances } from './instances.sql.ts';
import { listInstances, searchCards } from './lists.sql.ts';

/** What a scanner or a clerk knows of a card. */
export interface LookUp {
  readonly barcode?: string | undefined;
  readonly instanceId?: string | undefined;
  /** Public id of the pass that the card must be of. */
  readonly passId?: string | undefined;
  /** The identifier that its holder must have. */
  readonly identifier?: string | undefined;
}

/**
 * The one card that matches. Raises `instance_not_found`, `ambiguous_barcode` with `matchCount`, and for a passId
 * that is not the caller's what `findPass` raises.
 */
export async function lookUpInstance(ctx: KeyCtx, asked: LookUp): Promise<InstanceRow> {
  const { db } = ctx.app.database;
  const passId = asked.passId === undefined ? undefined : (await findPass(db, ctx, asked.passId)).passId;
  if (asked.instanceId !== undefined) {
    const row = await readInstance(ctx, asked.instanceId);
    const carries = asked.barcode === undefined || asked.barcode === barcodeOf(row);
    if (!carries || !matches(row, passId, asked.identifier))
      throw instanceNotFound('all of these parameters');
    return row;
  }
  const barcode = asked.barcode ?? '';
  const carriers = await ctx.app.groupCommit.read(findCarriers, ctx.workspaceId, barcode);
  const reachable = (id: string) => (ctx.passIds === null || ctx.passIds.has(id)) && (passId ?? id) === id;
  const own = carriers.own.filter((row) => reachable(row.passId) && matches(row, passId, asked.identifier));
  const shared = carriers.shared.filter((pass) => reachable(pass.passId));
  if (carriers.own.length + carriers.shared.length === 0) {
    const alike = (await findAlike(ctx, barcode, passId)).filter((row) =>
      matches(row, passId, asked.identifier),
    );
    return only(alike, alike.length);
  }
  return shared.length === 0 ? only(own, own.length) : oneOfMany(db, ctx, own, shared, asked.identifier);
}

/** More cards than these have no code that differs in its spelling alone. */
const mostAlike = 100;

/** Where no code is exactly as it was typed: the cards whose codes are in another case, or with other blanks and hyphens. */
async function findAlike(ctx: KeyCtx, barcode: string, passId: string | undefined): Promise<InstanceRow[]> {
  const text = foldCode(barcode);
  if (text === '') return [];
  const { db } = ctx.app.database;
  const { workspaceId } = ctx;
  const visibility = { workspaceId, passIds: passIdsFor(ctx, passId) };
  const found = await searchCards(
    db,
    visibility,
    [{ kind: 'barcode', text, isWhole: true }],
    null,
    mostAlike,
  );
  const rows = await findInstances(
    db,
    workspaceId,
    found.map(({ instanceId }) => instanceId),
  );
  return rows.flatMap((row) => row ?? []);
}

function passIdsFor({ passIds }: KeyCtx, passId: string | undefined): string[] | null {
  if (passId !== undefined) return [passId];
  return passIds === null ? null : [...passIds].sort();
}

interface Carriers {
  /** Cards whose own barcode it is, at most one per pass. */
  readonly own: readonly InstanceRow[];
  /** Passes whose cards all carry it. */
  readonly shared: readonly SharedBarcode[];
}

/** Set-based: concurrent look-ups of a workspace share two queries. */
async function findCarriers(db: Db, workspaceId: string, barcodes: readonly string[]): Promise<Carriers[]> {
  const [rows, passes] = await Promise.all([
    findByBarcodes(db, workspaceId, barcodes),
    findSharedBarcodes(db, workspaceId, barcodes),
  ]);
  const own = Map.groupBy(rows, (row) => row.barcode);
  const shared = Map.groupBy(passes, (pass) => pass.barcode);
  return barcodes.map((barcode) => ({ own: own.get(barcode) ?? [], shared: shared.get(barcode) ?? [] }));
}

async function oneOfMany(
  db: Db,
  ctx: KeyCtx,
  own: readonly InstanceRow[],
  shared: readonly SharedBarcode[],
  identifier: string | undefined,
): Promise<InstanceRow> {
  if (identifier !== undefined) {
    const passIds = new Set(shared.map((pass) => pass.passId));
    const cards = (await findByIdentifier(db, ctx.workspaceId, identifier)).filter((row) =>
      passIds.has(row.passId),
    );
    const active = cards.filter((row) => row.status === 'active');
    const found = [...own, ...(active.length > 0 ? active : cards)];
    return only(found, found.length);
  }
  const count = own.length + shared.reduce((sum, pass) => sum + pass.issued, 0);
  const [pass] = shared.filter(({ issued }) => issued > 0);
  if (count !== 1 || pass === undefined) return only(own, count);
  const filter = { workspaceId: ctx.workspaceId, passId: pass.passId, since: null };
  return only(await listInstances(db, filter, null, 1), 1);
}

function only(rows: readonly InstanceRow[], matchCount: number): InstanceRow {
  const [row] = rows;
  if (matchCount === 0) throw instanceNotFound('this barcode');
  if (matchCount === 1 && row !== undefined) return row;
  throw refusal(
    'ambiguous_barcode',
    `${matchCount} instances carry this barcode. Add passId or the holder's identifier, or ask by instanceId.`,
    { matchCount },
  );
}

function matches(row: InstanceRow, passId: string | undefined, identifier: string | undefined): boolean {
  return (
    (passId ?? row.passId) === row.passId &&
    (identifier === undefined || row.holder?.identifier === identifier)
  );
}

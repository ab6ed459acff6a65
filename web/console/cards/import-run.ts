import type { ItemError, KnownInstance, NewInstance } from '../../../sdk/typescript/src/types.ts';
import { sentenceOfItem } from '../../shared/api-error.ts';
import { csvLine } from '../../shared/csv-file.ts';
import { attempt } from '../../shared/data.ts';
import { importTexts } from '../../texts/import.ts';
import { api } from '../api.ts';
import { type CheckedRow, fingerprint } from './import-file.ts';

/** A line that was not imported, or not wholly, and why. */
export interface RefusedRow {
  readonly line: number;
  readonly reason: string;
}

/** How far an import has come. */
export interface Progress {
  readonly done: number;
  readonly imported: number;
  /** How many of these had a card before. */
  readonly known: number;
  readonly refused: readonly RefusedRow[];
}

export const nothingDone: Progress = { done: 0, imported: 0, known: 0, refused: [] };

interface Import {
  readonly passId: string;
  /** Null: the pass counts nothing, and balances are left out. */
  readonly programId: string | null;
  readonly fileKey: string;
  readonly rows: readonly CheckedRow[];
}

/** So many rows of the file go in a call: its answer comes within a second or two. */
const atOnce = 200;

/**
 * Imports lines from where `begun` has stopped, until the signal ends it. What is sent again, also after the page was loaded
 * anew, has the keys that it had before, made of the file and the line, and so nothing is imported or counted twice.
 */
export async function runImport(
  input: Import,
  begun: Progress,
  signal: AbortSignal,
  onStep: (progress: Progress) => void,
): Promise<void> {
  const { rows } = input;
  const hasCodes = rows.some(({ values }) => values.barcode !== undefined);
  let progress = begun;
  while (progress.done < rows.length && !signal.aborted) {
    const some = blockFrom(rows, progress.done);
    const results = await (hasCodes ? importCards : issueCards)(input, some, signal);
    const refused: RefusedRow[] = [];
    const made: Made[] = [];
    for (const [at, { status, error, instance }] of results.entries()) {
      const row = some[at];
      if (row === undefined) continue;
      if (error !== undefined) refused.push({ line: row.line, reason: reasonOfItem(error) });
      else if (status === 201) made.push({ row, card: instance });
    }
    const incomplete = await (hasCodes ? setFields : setBalances)(input, made, signal);
    const imported = results.length - refused.length;
    progress = {
      done: progress.done + some.length,
      imported: progress.imported + imported,
      known: progress.known + imported - made.length,
      refused: [...progress.refused, ...refused, ...incomplete],
    };
    onStep(progress);
  }
}

/** A card that the import has made, now or before it was broken off. */
interface Made {
  readonly row: CheckedRow;
  readonly card: KnownInstance;
}

/** The rows from one on that are of its block: a row of the file has its place in one, whatever else is left out. */
function blockFrom(rows: readonly CheckedRow[], begin: number): readonly CheckedRow[] {
  const block = blockOf(rows[begin]);
  return rows.slice(begin, begin + atOnce).filter((row) => blockOf(row) === block);
}

function blockOf(row: CheckedRow | undefined): number {
  return Math.floor((row?.row ?? 0) / atOnce);
}

/** Cards with their codes and balances; known ones stay as they are. */
async function importCards(
  { passId, programId, fileKey }: Import,
  rows: readonly CheckedRow[],
  signal: AbortSignal,
) {
  const instances = rows.map(({ values }) => ({
    holder: holderOf(values),
    barcode: values.barcode ?? '',
    addressable: true,
    ...(values.balance !== undefined && programId !== null && { balance: Number(values.balance) }),
  }));
  const sent = fingerprint(new TextEncoder().encode(JSON.stringify(instances)));
  const idempotencyKey = `import-${fileKey}-${passId}-${rows[0]?.line}-${sent}`;
  const { results } = await attempt(() =>
    api.instances.importBatch(passId, { instances }, { idempotencyKey, signal }),
  );
  return results;
}

/** Cards with new codes, which are known again by their line. */
async function issueCards({ passId, fileKey }: Import, rows: readonly CheckedRow[], signal: AbortSignal) {
  const instances = rows.map(({ line, values }): NewInstance => {
    const fields = fieldsOf(values);
    return {
      externalRef: keyOf(passId, fileKey, line),
      holder: holderOf(values),
      ...(Object.keys(fields).length > 0 && { fields }),
    };
  });
  const { results } = await attempt(() => api.instances.issueBatch(passId, { instances }, { signal }));
  return results;
}

function keyOf(passId: string, fileKey: string, line: number): string {
  return `import-${fileKey}-${passId}-line-${line}`;
}

/** Gives the pass's own fields to cards that came with their codes. */
async function setFields({ passId, fileKey }: Import, made: readonly Made[], signal: AbortSignal) {
  const updates = made.flatMap(({ row, card: { instanceId } }) => {
    const fields = fieldsOf(row.values);
    const externalRef = keyOf(passId, fileKey, row.line);
    return Object.keys(fields).length === 0 ? [] : [{ line: row.line, instanceId, fields, externalRef }];
  });
  if (updates.length === 0) return [];
  const body = { updates: updates.map(({ line: _, ...update }) => update) };
  const { results } = await attempt(() => api.instances.updateFieldsBatch(body, { signal }));
  return results.flatMap(({ error }, at) =>
    error === undefined
      ? []
      : [{ line: updates[at]?.line ?? 0, reason: importTexts().withoutFields(reasonOfItem(error)) }],
  );
}

/**
 * Sets the opening balances of new cards. Each has its line of a file of its own, as in the block: its key is made of that. An
 * account that a card has taken over stays as it is.
 */
async function setBalances(
  { passId, programId, fileKey }: Import,
  made: readonly Made[],
  signal: AbortSignal,
) {
  const opening = made.filter(
    ({ row, card }) => Number(row.values.balance ?? 0) > 0 && card.loyalty?.balance === 0,
  );
  const block = blockOf(opening[0]?.row);
  if (programId === null || opening.length === 0) return [];
  const lines = Array.from({ length: atOnce }, () => '\r\n');
  const placeOf = ({ row }: CheckedRow) => row - block * atOnce;
  for (const { row, card } of opening)
    lines[placeOf(row)] = csvLine([card.instanceId, Number(row.values.balance)]);
  const idempotencyKey = `import-${fileKey}-${passId}-balances-${block}`;
  const file = csvLine(['instanceId', 'balance']) + lines.join('');
  const { results } = await attempt(() =>
    api.programs.importBalances(programId, file, {}, { idempotencyKey, signal }),
  );
  const resultOf = new Map(results.map((result) => [result.line, result]));
  const settled = opening.map((one) => ({ ...one, result: resultOf.get(placeOf(one.row) + 2) }));
  // What a card has earned since it was issued comes on top of what it had.
  const adjustments = settled.flatMap(({ row: { line }, card: { instanceId }, result }) => {
    const points = result?.before ?? 0;
    const externalRef = keyOf(passId, fileKey, line);
    const reason = importTexts().earnedSince;
    return points > 0 ? [{ passId, instanceId, points, reason, countsAsEarned: true, externalRef }] : [];
  });
  if (adjustments.length > 0) await attempt(() => api.loyalty.adjustBatch({ adjustments }, { signal }));
  return settled.flatMap(({ row: { line }, result }) =>
    result?.error === undefined
      ? []
      : [{ line, reason: importTexts().withoutBalance(reasonOfItem(result.error)) }],
  );
}

/** Why an item was refused. Its key is that of its line, which the same file has had with another content. */
function reasonOfItem(error: ItemError): string {
  return error.code === 'external_ref_reused' ? importTexts().importedOtherwise : sentenceOfItem(error);
}

function holderOf({ name, email, phone, identifier }: CheckedRow['values']) {
  const holder = { name, email, phone, identifier };
  return Object.fromEntries(Object.entries(holder).filter(([, value]) => value !== undefined));
}

function fieldsOf(values: CheckedRow['values']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([target, value]) =>
      target.startsWith('field:') && value !== undefined ? [[target.slice('field:'.length), value]] : [],
    ),
  );
}

import type { NewInstance } from '../../../sdk/typescript/src/types.ts';
import { attempt } from '../../shared/data.ts';
import { api } from '../api.ts';
import type { CheckedRow } from './import-file.ts';

/** A line that was not imported, and why. */
export interface RefusedRow {
  readonly line: number;
  readonly reason: string;
}

/** How far an import has come. */
export interface Progress {
  readonly done: number;
  readonly imported: number;
  readonly refused: readonly RefusedRow[];
}

export const nothingDone: Progress = { done: 0, imported: 0, refused: [] };

/** So many cards go in a call: its answer comes within a second or two. */
const atOnce = 200;

/**
 * Imports lines from where `begun` has stopped, until the signal ends it. A call that is sent again, also after the page was
 * loaded anew, has the key that it had before, and so imports nothing twice.
 */
export async function runImport(
  input: { readonly passId: string; readonly fileKey: string; readonly rows: readonly CheckedRow[] },
  begun: Progress,
  signal: AbortSignal,
  onStep: (progress: Progress) => void,
): Promise<void> {
  const { passId, fileKey, rows } = input;
  const hasCodes = rows.some(({ values }) => values.barcode !== undefined);
  let progress = begun;
  while (progress.done < rows.length && !signal.aborted) {
    const some = rows.slice(progress.done, progress.done + atOnce);
    const idempotencyKey = `import-${fileKey}-${passId}-${some[0]?.line}-${some.length}`;
    const options = { idempotencyKey, signal };
    const { results } = await attempt(() =>
      hasCodes
        ? api.instances.importBatch(passId, { instances: some.map(importedCard) }, options)
        : api.instances.issueBatch(passId, { instances: some.map(({ values }) => newCard(values)) }, options),
    );
    const refused = results.flatMap(({ error }, at) =>
      error === undefined ? [] : [{ line: some[at]?.line ?? 0, reason: error.error }],
    );
    progress = {
      done: progress.done + some.length,
      imported: progress.imported + results.length - refused.length,
      refused: [...progress.refused, ...refused],
    };
    onStep(progress);
  }
}

function newCard({ name, email, phone, identifier }: CheckedRow['values']): NewInstance {
  const holder = { name, email, phone, identifier };
  return { holder: Object.fromEntries(Object.entries(holder).filter(([, value]) => value !== undefined)) };
}

function importedCard({ values }: CheckedRow) {
  const { barcode = '', balance } = values;
  return {
    ...newCard(values),
    barcode,
    addressable: true,
    ...(balance !== undefined && { balance: Number(balance) }),
  };
}

import { api } from './api.ts';

/** Undoes what an entry has done, by an entry of its own. */
export function undoEntry(entryId: string) {
  return api.loyalty.reverse(entryId, { externalRef: `undo-${entryId}` });
}

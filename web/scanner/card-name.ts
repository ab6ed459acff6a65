import type { Instance } from '../../sdk/typescript/src/types.ts';
import { useLoad } from '../shared/data.ts';
import { scanner } from '../texts/scanner.ts';
import { api } from './api.ts';

/** What a card is called: as its holder, or by its code. */
export function nameOf({ holder, barcode }: Instance): string {
  return (
    holder?.name ?? holder?.email ?? holder?.phone ?? holder?.identifier ?? barcode ?? scanner().card.noName
  );
}

/** Titles change seldom, and the same few are shown all day. */
const titles = new Map<string, string>();

/** The title of a pass; empty until it is known. */
export function usePassTitle(passId: string): string {
  const loaded = useLoad(
    async (options) => titles.get(passId) ?? (await api.passes.get(passId, options)).title,
    [passId],
  );
  if (loaded.value !== undefined) titles.set(passId, loaded.value);
  return titles.get(passId) ?? '';
}

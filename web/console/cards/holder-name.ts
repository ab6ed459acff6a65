import type { Instance } from '../../../sdk/typescript/src/types.ts';
import { cards } from '../../texts/cards.ts';

/** What to call a card: by its holder. */
export function nameOf({ holder, phoneGiven }: Instance): string {
  return holder?.name ?? holder?.email ?? holder?.identifier ?? holder?.phone ?? phoneGiven ?? cards().noName;
}

import { refusedNames } from '../../kit/http/refused-names.ts';

/** One value for all holders: never the key of a field. */
export const templateOwnedKeys: ReadonlySet<string> = new Set(['title', 'details', 'terms', 'expiry']);

/** Refused as names in every JSON body, so that nobody could give such a field a value. */
export const unspeakableKeys: ReadonlySet<string> = new Set(refusedNames);

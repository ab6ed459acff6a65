import { openApi } from '../shared/open-api.ts';
import { loseSession } from './who.ts';

/** The public API as who is at the till. */
export const { api } = openApi(loseSession);

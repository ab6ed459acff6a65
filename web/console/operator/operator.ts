import { computed, signal } from '@preact/signals';
import { Punchcard } from '../../../sdk/typescript/src/punchcard.ts';
import { recall, remember } from '../../shared/remembered.ts';

/** The operator's token: in this tab alone, and gone with it. Null until it is given. */
export const operatorToken = signal(recall('operator', 'tab'));

export function keepToken(token: string | null): void {
  remember('operator', token, 'tab');
  operatorToken.value = token;
}

/** Without the cookie: who is signed in does not matter here. */
const send: typeof fetch = async (url, init) => {
  const response = await fetch(url, { ...init, credentials: 'omit' });
  // The token was changed, or was never right.
  if (response.status === 401) keepToken(null);
  return response;
};

/** The operator's part of the API, with a token. */
export function operatorWith(token: string): Punchcard['operator'] {
  return new Punchcard({ baseUrl: location.origin, operatorToken: token, fetch: send, maxRetries: 2 })
    .operator;
}

/** That part with the token that was given. */
export const operator = computed(() => operatorWith(operatorToken.value ?? 'none'));

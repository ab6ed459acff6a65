import { PunchcardError } from '../../sdk/typescript/src/core/punchcard-error.ts';
import type { Money } from '../../sdk/typescript/src/types.ts';
import { presentMinor } from '../../src/kit/money/minor.ts';
import { errors } from '../texts/errors.ts';
import { UserMessage } from './api-error.ts';
import { formatMoney } from './format.ts';
import { minorOf } from './minor.ts';

/** Which limit was passed: of a card, of one load, or what is left of a charge. */
export type MoneyLimit = keyof ReturnType<typeof errors>['mostMoney'];

/** Which of both limits has refused a load: the most that a card may hold, or else that of one load. */
export function limitOfLoad(mostHeld: Money | null): (limit: number) => MoneyLimit {
  return (limit) => (mostHeld !== null && limit === minorOf(mostHeld) ? 'held' : 'atOnce');
}

/** Makes a call about money; a limit that refuses it is said as money, where the API counts in the smallest unit. */
export async function inMoney<R>(
  currency: string,
  limitOf: (limit: number) => MoneyLimit,
  call: () => Promise<R>,
): Promise<R> {
  try {
    return await call();
  } catch (error) {
    const problem = error instanceof PunchcardError ? error.problems?.[0] : undefined;
    if (problem?.rule !== 'max_value' || typeof problem.limit !== 'number') throw error;
    const { limit } = problem;
    throw new UserMessage(
      errors().mostMoney[limitOf(limit)](formatMoney(presentMinor(limit, currency))),
      'amount',
    );
  }
}

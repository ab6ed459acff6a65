import { type Random, randomOf } from '../ledger/random.ts';

/** What the attacks of a run are drawn from; `ATTACK_SEED=N` draws the same again. */
export const seed = Number(process.env.ATTACK_SEED ?? Date.now() % 2 ** 31);

/** A source of chance of this run, the same for the same seed and name. */
export function randomFor(name: string): Random {
  let mixed = seed;
  for (const letter of name) mixed = Math.imul(mixed, 31) + (letter.codePointAt(0) ?? 0);
  return randomOf(mixed);
}

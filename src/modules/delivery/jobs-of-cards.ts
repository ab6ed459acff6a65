import type { HeldCard } from './pushes.sql.ts';

/** The jobs that bring cards to their wallets, each with the number of wallets of a card that it looks after. */
const walletsOf = {
  pushDevices: (card: HeldCard) => card.appleWallets,
  patchObjects: (card: HeldCard) => card.googleWallets,
  pushWebCards: (card: HeldCard) => card.webWallets,
} as const;

/** The jobs that cards concern, each with those cards; none where no wallet holds them. In the order of their locks. */
export function jobsOf<Card extends HeldCard>(
  cards: readonly Card[],
): (readonly [job: keyof typeof walletsOf, cards: Card[]])[] {
  const jobs = Object.keys(walletsOf) as (keyof typeof walletsOf)[];
  return jobs
    .map((job) => [job, cards.filter((card) => walletsOf[job](card) > 0)] as const)
    .filter(([, held]) => held.length > 0);
}

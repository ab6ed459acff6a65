import { Type } from 'typebox';
import { closed, nullable, oneOf, Timestamp } from '../kit/http/schemas/shapes.ts';
import type { RolloutRow } from './rollouts.sql.ts';

export const Rollout = closed(
  {
    kind: oneOf(['design', 'message']),
    state: oneOf(['running', 'finished']),
    cards: Type.Integer({ description: 'installed cards when it began' }),
    done: Type.Integer({ description: 'cards whose push is on its way' }),
    skipped: Type.Integer({ description: 'cards that no credit was left for: a top-up delivers them' }),
    startedAt: Timestamp,
    finishedAt: nullable(Timestamp),
  },
  { description: 'how far the newest change of the design, or message, has come to the installed cards' },
);

/** A rollout as the API shows it. */
export function presentRollout({ kind, stage, cards, done, skipped, createdAt, finishedAt }: RolloutRow) {
  return {
    kind,
    state: stage === 'finished' ? ('finished' as const) : ('running' as const),
    cards,
    done,
    skipped,
    startedAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

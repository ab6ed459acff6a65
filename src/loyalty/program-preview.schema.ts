import { Type } from 'typebox';
import { closed } from '../kit/http/schemas/shapes.ts';

export const ProgramPreview = closed(
  {
    cards: Type.Integer({ description: 'how many cards would show something else' }),
    credits: Type.Integer({ description: 'what the pushes to those that are installed would cost' }),
    rewardedCards: Type.Integer({
      description:
        'how many cards would have a reward by it: in STAMPS one is unlocked, in POINTS the balance is enough for one',
    }),
    rewards: Type.Integer({ description: 'how many rewards these are' }),
  },
  { $id: 'ProgramPreview' },
);

import { Type } from 'typebox';
import { closed, ExternalRef, line } from '../../kit/http/shapes.ts';

/** What tops up a workspace. */
export const NewCredits = closed({
  amount: Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }),
  externalRef: ExternalRef,
  note: Type.Optional(line(500)),
});

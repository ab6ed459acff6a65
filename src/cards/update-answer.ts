import type { PublicCtx } from '../context.ts';
import { answer } from '../engine/endpoints.ts';
import { presentUpdate, statusOf, UpdatedInstance } from './instance.schema.ts';
import type { Updated } from './instance-row.ts';

/** What every update of a card answers: 202 where it was applied but not pushed for lack of credits. */
export const updateAnswers = { 200: UpdatedInstance, 202: UpdatedInstance } as const;

export type UpdateAnswer = ReturnType<typeof updateAnswer>;

/** The answer to an update. */
export function updateAnswer(ctx: PublicCtx, { row, push }: Updated) {
  return answer(statusOf(push), presentUpdate(ctx.app.config.publicUrl, row, push));
}

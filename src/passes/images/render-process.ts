import { loadSharp } from '../../kit/pictures/sharp.ts';
import { answerQuestions } from '../../kit/processes/side-process.ts';
import type { ImageSlot } from '../pass-row.ts';
import type { Size } from './image-slots.ts';
import { ImageRefused, makeRenditions, measureImage, type RenderedImage } from './make-renditions.ts';

/** What the process that renders images is asked. */
export interface RenderQuestion {
  /** What to make files for; null: whether the image can be decoded, and how large it is. */
  readonly slot: ImageSlot | null;
  readonly bytes: Buffer;
}

/** What it answers: a refusal is an answer too. */
export type RenderAnswer =
  | { readonly rendered: RenderedImage }
  | { readonly size: Size }
  | { readonly refused: Pick<ImageRefused, 'reason' | 'message'> };

/** Answers one question. */
export async function answerRender({ slot, bytes }: RenderQuestion): Promise<RenderAnswer> {
  // Nothing is drawn here.
  (await loadSharp()).block({ operation: ['VipsForeignLoadSvgBuffer'] });
  try {
    if (slot === null) return { size: await measureImage(bytes) };
    return { rendered: await makeRenditions(slot, bytes) };
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error;
    return { refused: { reason: error.reason, message: error.message } };
  }
}

if (import.meta.main) answerQuestions(answerRender);

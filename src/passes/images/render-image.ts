import { SideProcessLost, sideProcess } from '../../kit/processes/side-process.ts';
import type { ImageSlot } from '../pass-row.ts';
import type { Size } from './image-slots.ts';
import { ImageRefused, type RenderedImage } from './make-renditions.ts';
import type { RenderAnswer, RenderQuestion } from './render-process.ts';

export { ImageRefused, type RenderedImage } from './make-renditions.ts';

/**
 * Renders an untrusted image into the files that wallets need for its slot, in a separate process. Equal bytes give
 * equal files. Raises ImageRefused.
 */
export async function renderImage(slot: ImageSlot, bytes: Buffer): Promise<RenderedImage> {
  const answer = await answered({ slot, bytes });
  if (!('rendered' in answer)) throw new Error('an image was measured, and not rendered');
  return answer.rendered;
}

/**
 * The size of an image, upright, that was decoded in full, in the same process. Raises ImageRefused for what no slot would
 * take.
 */
export async function inspectImage(bytes: Buffer): Promise<Size> {
  const answer = await answered({ slot: null, bytes });
  if (!('size' in answer)) throw new Error('an image was rendered, and not measured');
  return answer.size;
}

async function answered(question: RenderQuestion): Promise<Exclude<RenderAnswer, { refused: unknown }>> {
  const answer = await ask(question);
  if ('refused' in answer) throw new ImageRefused(answer.refused.reason, answer.refused.message);
  return answer;
}

/** The most bytes of files that the process has at a time: four small images, or a large one. */
const ROOM = 20 * 1024 * 1024;

const renderer = sideProcess<RenderQuestion, RenderAnswer>(new URL('./render-process.ts', import.meta.url), {
  room: ROOM,
  timeoutMs: 30_000,
  idleMs: 60_000,
});

async function ask(question: RenderQuestion): Promise<RenderAnswer> {
  try {
    return await renderer(question, Math.max(question.bytes.length, ROOM / 4));
  } catch (error) {
    if (!(error instanceof SideProcessLost)) throw error;
  }
  // Some image has ended the process. Alone in a new one, each shows whether it was the one.
  try {
    return await renderer(question, ROOM);
  } catch (error) {
    if (!(error instanceof SideProcessLost)) throw error;
    throw new ImageRefused(
      'not_an_image',
      'The image cannot be decoded. Save it again as PNG, JPEG or WebP.',
    );
  }
}

import { SideProcessLost, sideProcess } from '../processes/side-process.ts';
import type { Picture, PictureOrder } from './drawing-process.ts';

export type { PictureOrder } from './drawing-process.ts';

/**
 * Draws a picture in a separate process, which ends when there is nothing to draw: large pictures, and the texts in
 * them, would leave a serving process with hundreds of megabytes for good. Equal orders give equal bytes. Raises an Error
 * where the process was lost twice.
 */
export async function drawPicture(order: PictureOrder): Promise<Picture> {
  try {
    return await drawer(order, 1);
  } catch (error) {
    if (!(error instanceof SideProcessLost)) throw error;
    return drawer(order, 1);
  }
}

const drawer = sideProcess<PictureOrder, Picture>(new URL('./drawing-process.ts', import.meta.url), {
  // What takes long has fewer places of its own, so that some are left for the others.
  room: 4,
  // Nothing that we draw hangs; a machine that is busy has little time for this process.
  timeoutMs: 60_000,
  idleMs: 60_000,
});

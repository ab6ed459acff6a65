import type { PassRow } from '../passes/pass-row.ts';
import type { ProgramRow } from './program-row.ts';

/** A warning for an answer where a drawing of stamps takes the place of images that the pass has; else nothing. */
export function warnOfHiddenImages(
  { images }: Pick<PassRow, 'images'>,
  program: Pick<ProgramRow, 'mode' | 'drawsStamps'> | undefined,
) {
  const hidden = (['stripUrl', 'heroUrl'] as const).filter((slot) => images[slot] !== undefined);
  if (hidden.length === 0 || program?.mode !== 'STAMPS' || !program.drawsStamps) return {};
  const [names, verb] = [hidden.join(' and '), hidden.length === 1 ? 'is' : 'are'];
  const message = `The cards draw their stamps in the place of ${names}, which ${verb} not shown once the program is launched. PATCH the program with {"drawsStamps": false} to show ${hidden.length === 1 ? 'it' : 'them'} instead.`;
  return { warnings: [{ code: 'image_not_shown', message }] };
}

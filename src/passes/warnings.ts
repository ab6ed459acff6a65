import type { PassRow } from './pass-row.ts';
import type { ProgramRow } from './programs/program-row.ts';
import { missingTexts, type OwnTexts, type ProgramOwnTexts } from './translations.ts';

/** What an answer to a change says of a pass that may not be what was meant; nothing where there is none of it. */
export function warningsOf(pass: PassRow, program: ProgramRow | undefined) {
  return shown([...hiddenImages(pass, program), ...incompleteTranslations(pass, program ?? null)]);
}

/** The same without what was meant before. */
export function lastingWarningsOf(pass: PassRow, program: ProgramRow | undefined) {
  return shown(incompleteTranslations(pass, program ?? null));
}

function shown<W>(warnings: readonly W[]) {
  return warnings.length === 0 ? {} : { warnings: [...warnings] };
}

/** A drawing of stamps takes the place of images that the pass has. */
function hiddenImages({ images, stampLook }: PassRow, program: ProgramRow | undefined) {
  const hidden = (['stripUrl', 'heroUrl'] as const).filter((slot) => images[slot] !== undefined);
  if (hidden.length === 0 || stampLook.over === 'image' || program?.mode !== 'STAMPS' || !program.drawsStamps)
    return [];
  const [names, verb, them] =
    hidden.length === 1 ? [hidden.join(), 'is', 'it'] : [hidden.join(' and '), 'are', 'them'];
  const message = `The cards draw their stamps in the place of ${names}, which ${verb} not shown once the program is launched. PATCH the pass with {"stamps": {"over": "image"}} to show ${them} behind the stamps, or the program with {"drawsStamps": false} to show ${them} instead.`;
  return [{ code: 'image_not_shown', message }];
}

/** Cards show no two languages: a translation is not used before it has all texts. */
export function incompleteTranslations(pass: OwnTexts, program: ProgramOwnTexts | null) {
  return Object.entries(pass.translations).flatMap(([language, translation]) => {
    const missing = missingTexts(pass, program, translation);
    if (missing.length === 0) return [];
    const message = `The translation into ${language} lacks ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ` and ${missing.length - 5} more` : ''}. Until it has all texts, cards are not shown in it.`;
    return [{ code: 'translation_incomplete', message, language, missing }];
  });
}

import { answerQuestions } from '../processes/side-process.ts';
import type { Bundle, BundleSources } from './bundled.ts';
import { keepBundle } from './kept-bundle.ts';
import { makeBundle } from './make-bundle.ts';

/** What the process that bundles is asked. */
export interface BundleQuestion extends BundleSources {
  readonly keptIn: string;
  /** What to keep it under. */
  readonly key: string;
}

answerQuestions(async (question: BundleQuestion): Promise<Bundle> => {
  const made = await makeBundle(question);
  await keepBundle(question.keptIn, question.key, made);
  return made;
});

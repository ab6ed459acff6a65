import { answerQuestions } from '../processes/side-process.ts';
import type { Bundle, BundleSources } from './bundled.ts';
import { forAll, forOneself, keepBundle } from './kept-bundle.ts';
import { makeBundle } from './make-bundle.ts';

/** What the process that bundles is asked. */
export interface BundleQuestion extends BundleSources {
  readonly keptIn: string;
  /** What to keep it under. */
  readonly key: string;
  /** Whether other accounts may read what is kept. */
  readonly isForAll?: boolean;
}

answerQuestions(async (question: BundleQuestion): Promise<Bundle> => {
  const made = await makeBundle(question);
  await keepBundle(question.keptIn, question.key, made, question.isForAll ? forAll : forOneself);
  return made;
});

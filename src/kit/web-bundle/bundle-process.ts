import { answerQuestions } from '../processes/side-process.ts';
import type { Bundle, BundleSources } from './bundled.ts';
import { keepBundle, type Place } from './kept-bundle.ts';
import { makeBundle } from './make-bundle.ts';

/** What the process that bundles is asked. */
export interface BundleQuestion extends BundleSources, Place {}

answerQuestions(async (question: BundleQuestion): Promise<Bundle> => {
  const made = await makeBundle(question);
  await keepBundle(question, made);
  return made;
});

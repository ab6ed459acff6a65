import { answerWithBundles } from './kept-bundle.ts';
import { makeBundle } from './make-bundle.ts';

answerWithBundles(makeBundle);

import { texts } from '../shared/language.ts';
import { de } from './de/passes.ts';
import { en } from './en/passes.ts';

export const passes = texts(en, de);

import { texts } from '../shared/language.ts';
import { de } from './de/tills.ts';
import { en } from './en/tills.ts';

export const tills = texts(en, de);

import { texts } from '../shared/language.ts';
import { de } from './de/card-options.ts';
import { en } from './en/card-options.ts';

export const cardOptions = texts(en, de);

import { texts } from '../shared/language.ts';
import { de } from './de/units.ts';
import { en } from './en/units.ts';

export const units = texts(en, de);

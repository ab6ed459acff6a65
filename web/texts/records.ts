import { texts } from '../shared/language.ts';
import { de } from './de/records.ts';
import { en } from './en/records.ts';

export const records = texts(en, de);

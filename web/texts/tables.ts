import { texts } from '../shared/language.ts';
import { de } from './de/tables.ts';
import { en } from './en/tables.ts';

export const tables = texts(en, de);

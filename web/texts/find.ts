import { texts } from '../shared/language.ts';
import { de } from './de/find.ts';
import { en } from './en/find.ts';

export const find = texts(en, de);

import { texts } from '../shared/language.ts';
import { de } from './de/join.ts';
import { en } from './en/join.ts';

export const join = texts(en, de);

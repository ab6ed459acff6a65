import { texts } from '../shared/language.ts';
import { de } from './de/operator.ts';
import { en } from './en/operator.ts';

export const operator = texts(en, de);

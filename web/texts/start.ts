import { texts } from '../shared/language.ts';
import { de } from './de/start.ts';
import { en } from './en/start.ts';

export const start = texts(en, de);

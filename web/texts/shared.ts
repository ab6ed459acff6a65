import { texts } from '../shared/language.ts';
import { de } from './de/shared.ts';
import { en } from './en/shared.ts';

export const shared = texts(en, de);

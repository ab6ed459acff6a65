import { texts } from '../shared/language.ts';
import { de } from './de/home.ts';
import { en } from './en/home.ts';

export const home = texts(en, de);

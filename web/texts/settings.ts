import { texts } from '../shared/language.ts';
import { de } from './de/settings.ts';
import { en } from './en/settings.ts';

export const settings = texts(en, de);

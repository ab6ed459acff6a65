import { texts } from '../shared/language.ts';
import { de } from './de/developers.ts';
import { en } from './en/developers.ts';

export const developers = texts(en, de);

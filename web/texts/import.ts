import { texts } from '../shared/language.ts';
import { de } from './de/import.ts';
import { en } from './en/import.ts';

export const importTexts = texts(en, de);

import { texts } from '../shared/language.ts';
import { de } from './de/templates.ts';
import { en } from './en/templates.ts';

export const templateTexts = texts(en, de);

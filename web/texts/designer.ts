import { texts } from '../shared/language.ts';
import { de } from './de/designer.ts';
import { en } from './en/designer.ts';

export const designer = texts(en, de);

import { texts } from '../shared/language.ts';
import { de } from './de/shell.ts';
import { en } from './en/shell.ts';

export const shell = texts(en, de);

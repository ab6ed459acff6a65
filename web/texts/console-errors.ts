import { texts } from '../shared/language.ts';
import { de } from './de/console-errors.ts';
import { en } from './en/console-errors.ts';

export const consoleErrors = texts(en, de);

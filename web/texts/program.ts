import { texts } from '../shared/language.ts';
import { de } from './de/program.ts';
import { en } from './en/program.ts';

export const program = texts(en, de);

import { texts } from '../shared/language.ts';
import { de } from './de/scanner.ts';
import { en } from './en/scanner.ts';

export const scanner = texts(en, de);

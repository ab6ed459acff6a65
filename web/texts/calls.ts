import { texts } from '../shared/language.ts';
import { de } from './de/calls.ts';
import { en } from './en/calls.ts';

export const calls = texts(en, de);

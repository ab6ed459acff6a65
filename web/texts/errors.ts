import { texts } from '../shared/language.ts';
import { de } from './de/errors.ts';
import { en } from './en/errors.ts';

export const errors = texts(en, de);

import { texts } from '../shared/language.ts';
import { de } from './de/pool.ts';
import { en } from './en/pool.ts';

export const pool = texts(en, de);

import { texts } from '../shared/language.ts';
import { de } from './de/connect.ts';
import { en } from './en/connect.ts';

export const connect = texts(en, de);

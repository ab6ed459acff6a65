import { texts } from '../shared/language.ts';
import { de } from './de/stores.ts';
import { en } from './en/stores.ts';

export const stores = texts(en, de);

import { texts } from '../shared/language.ts';
import { de } from './de/partners.ts';
import { en } from './en/partners.ts';

export const partners = texts(en, de);

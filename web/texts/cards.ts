import { texts } from '../shared/language.ts';
import { de } from './de/cards.ts';
import { en } from './en/cards.ts';

export const cards = texts(en, de);
